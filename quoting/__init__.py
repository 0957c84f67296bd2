"""quoting: from an AI-computing requirement form to a sized, room-checked, priced quotation."""

__version__ = "0.1.0"
