"""The engine: context texts against a corpus, giving which lines entered. Knows no vendor."""
