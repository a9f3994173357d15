"""The command `gnbayes`: one file a verb."""
