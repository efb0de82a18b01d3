"""The second stage: from a spec to a build, a corpus of files with registered, planted defects."""
