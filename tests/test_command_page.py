"""The help in docs/ is the help of the command."""

from command_page import PAGE, helps, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/command_page.py"


def test_every_command_shows_an_example() -> None:
    assert [name for name, text in helps() if "Example" not in text and not name.endswith("catalog")] == []
