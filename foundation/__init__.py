"""What every room needs and none owns.

* ``records``: the base of all records
* ``errors``: the root of all exceptions, and sentences made of parts
* ``validation``: what is wrong with a record's input, in one line
* ``sizes``: units of memory
* ``processes``: which process a number means, also after numbers were used again
* ``locks``: files by which one process at a time does something
* ``text``: safe display, cutting what is too long
"""
