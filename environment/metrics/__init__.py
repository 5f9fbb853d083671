"""The only reader of scripts' outputs.

* ``outputs``: every measured value, with split, epoch, step and line
* ``lines``: an output as a person at a terminal would read it
* ``context``: what a line says about the values on it and below it
* ``fields``, ``mappings``, ``tables``: values in prose lines, in dictionaries, in tables
* ``listed``: values of single seeds or folds beside their mean
* ``timed``: the time at the end of a row
* ``coefficients``: tables of fitted models, which hold no metrics
* ``files``: result files that scripts write
* ``parts``: which data set, model or run a value is of
* ``phrases``: what the words before a value name
* ``plain``: a line free of settings and of what dresses its numbers
* ``spans``: times in several units
* ``wrapped``: arrays over several lines
* ``nesting``: what stands around a value in a dictionary of several lines
* ``value``: one named value
* ``names``: which names are metrics, which are settings, which split they speak of
* ``meaning``: one name for all spellings of a metric, and which way it is better
"""
