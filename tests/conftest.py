"""What holds for all tests."""

from hypothesis import settings

# Machines are shared, and how long something takes is for benchmarks.
settings.register_profile("acres", deadline=None)
settings.load_profile("acres")
