"""The other programs, one file each, behind one interface (`protocol`)."""
