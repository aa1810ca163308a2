"""Settings of the property tests."""

from hypothesis import settings

# No deadline: no test here is about time. Derandomised: a red run is red again on any machine.
settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")
