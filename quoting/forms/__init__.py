"""A requirement form (TOML or JSON) to a Requirement, with every mistake in it found at once."""

from quoting.forms.form import parse_form, read_form

__all__ = ["parse_form", "read_form"]
