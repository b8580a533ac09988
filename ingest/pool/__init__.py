"""Files that are not to be trusted are read in processes of their own, with a time and a memory limit.

A child gets the bytes of a file and gives back plain JSON: nothing that it sends is run, and it is given no key
of the environment to give away. It is no sandbox against code that a file smuggles into a parser: such code
could do what the user can.
"""
