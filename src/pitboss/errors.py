"""What every error that pitboss raises on purpose has in common."""


class PitbossError(Exception):
    """Something that cannot be done as asked; its text is one sentence that says why."""
