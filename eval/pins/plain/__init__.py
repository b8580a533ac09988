"""What a pin is and whether an answer brings it: standard library alone, and imports only from its own folder.

`caveat_pytest` loads this folder under a name of its own, in repositories that may have an `eval` package too.
"""
