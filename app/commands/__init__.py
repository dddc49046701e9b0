"""The commands of `overlap`, one module each.

Each offers `SUMMARY`, `add_arguments(parser)` and `run(arguments)`, which returns
the exit code and raises ValueError or OSError for what the user can put right.
"""
