"""One hypothesis profile for all tests: repeatable, and patient on a busy machine."""

from hypothesis import settings

settings.register_profile("overlap", deadline=None, derandomize=True)
settings.load_profile("overlap")
