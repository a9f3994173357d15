"""The command `gnbayes`: one file per verb, listed in `verbs`."""
