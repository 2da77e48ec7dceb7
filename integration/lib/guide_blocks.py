"""README and the guides as a program reads them: blocks of code by heading and language, command lines, links."""
import re
import shlex
import typing

from lib.jvm import ROOT

README = ROOT / "README.md"
GUIDES = sorted((ROOT / "integration" / "guides").glob("*.md"))
PAGES = [README, *GUIDES]
SEPARATORS = {";", "&&", "||", "|", "&"}


class Block(typing.NamedTuple):
    page: str
    heading: str
    language: str
    lines: list


def text_of(page):
    return page.read_text(encoding="utf-8")


def blocks(language, pages=tuple(PAGES)):
    """The blocks of code in one language, in order."""
    found = []
    for page in pages:
        heading, open_block = "", None
        for line in text_of(page).splitlines():
            if open_block is not None and line == "```":
                found.append(open_block)
                open_block = None
            elif open_block is not None:
                open_block.lines.append(line)
            elif line.startswith("```"):
                open_block = Block(page.name, heading, line[3:], [])
            elif line.startswith("#"):
                heading = line.lstrip("# ")
    return [block for block in found if block.language == language]


def lines_of(heading, language):
    """The lines of the first block under a heading of README."""
    return next(block for block in blocks(language, [README]) if block.heading == heading).lines


def prose(page):
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


def inline_code(page):
    """The texts between backticks of a page, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", prose(page))


def commands(line):
    """The simple commands of a shell line, each a list of words, without comments and redirections."""
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    found, skip = [[]], False
    for word in words:
        if word in SEPARATORS:
            found.append([])
        elif word in (">", ">>", "<"):
            skip = True
        elif skip:
            skip = False
        else:
            found[-1].append(word)
    return [command for command in found if command]


def hearth_commands(line):
    return [command[1:] for command in commands(line) if command[0] == "hearth"]


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page):
    """The relative links of a page, each a path and an anchor."""
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [target.partition("#")[::2] for target in targets if "://" not in target]


def options_of_agent_alone(page):
    """The names of options that the page's tables give to the agent, and maybe to its MBean, but not to the launcher."""
    return set(re.findall(r"^\| `([\w-]+)[^|]*\|[^|]*\|[^|]*\| agent(?:, MBean)? \|", prose(page), re.MULTILINE))


def options_in_table(page):
    """The names of the agent's options in the first column of the tables of a page."""
    rows = re.findall(r"^\| (`[^|]*(?:\\\|[^|]*)*) \|", prose(page), re.MULTILINE)
    return {re.split(r"[=\[]", code)[0] for row in rows for code in re.findall(r"`([^`]+)`", row)}
