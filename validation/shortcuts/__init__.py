"""Could needles be found without reviewing? Cheap searches, run as someone in a hurry would."""
