"""What the site adds to MkDocs: the navigation of docs/index.md, other files, old addresses.

A part is a heading of index.md with a table of links below; pages that no table names stand at the
end of the reference, so that a new page is on the site without further ado. Files that pages link
to with ``../`` are copied to ``project/``; those in Markdown become pages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
VENDORED = "assets/javascripts/vendored"
"""mermaid.tiny.js draws diagrams; iframe-worker.js searches where there is no server."""
ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
"""Where the theme would fetch the latter from."""
OTHERS = "Reference"
_PART = re.compile(r"^## (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\| \[[^\]]+\]\(([\w.-]+\.md)\)", re.MULTILINE)
_OUTSIDE = re.compile(r"\]\(\.\./([^)#\s]+)")


def on_config(config: Any) -> Any:
    """Make the navigation."""
    _, *parts = _PART.split((DOCS / "index.md").read_text(encoding="utf-8"))
    pages = {title: _ROW.findall(text) for title, text in zip(parts[::2], parts[1::2], strict=True)}
    named = {"index.md", *(page for part in pages.values() for page in part)}
    pages[OTHERS] += sorted(path.name for path in DOCS.glob("*.md") if path.name not in named)
    about = [f"project/{name}" for name in (*PAGES, *_linked()) if name.endswith(".md")]
    config["nav"] = ["index.md", *({title: part} for title, part in pages.items() if part)]
    config["nav"].append({"Project": about})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the files that pages link to with ``../``, and the pages about the project."""
    for name in (*PAGES, *_linked()):
        content = (ROOT / name).read_bytes()
        files.append(File.generated(config, f"project/{name}", content=content))
    return files


def _linked() -> list[str]:
    """Return the files outside of docs/ that pages link to, but for those of ``PAGES``."""
    texts = [path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")]
    names = {name for text in texts for name in _OUTSIDE.findall(text)} - {*PAGES}
    return sorted(name for name in names if (ROOT / name).is_file())


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to where files are on the site; a folder is no page, its name stays."""
    source = page.file.src_uri
    if source.startswith("project/"):
        up = "../" * source.count("/")
        return re.sub(r"\]\(docs/", f"]({up}", markdown)

    def moved(match: re.Match[str]) -> str:
        is_file = (ROOT / match[1]).is_file()
        return match[0].replace("../", "project/", 1) if is_file else match[0]

    without_folders = re.sub(
        r"\[([^\]]+)\]\(\.\./([^)#\s]+)\)",
        lambda match: match[1] if (ROOT / match[2]).is_dir() else match[0],
        markdown,
    )
    return _OUTSIDE.sub(moved, without_folders)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Load nothing from the network; bring what draws diagrams where there are some."""
    here = "../" * page.url.count("/") + VENDORED
    output = output.replace(ELSEWHERE, f"{here}/iframe-worker.js")
    if '<pre class="mermaid">' not in output:
        return output
    return output.replace("</head>", f'<script src="{here}/mermaid.tiny.js"></script></head>')


def on_post_build(config: Any) -> None:
    """Lead on from the addresses of pages that others took in."""
    site = Path(config["site_dir"])
    for page, address in config["extra"]["moved"].items():
        if (site / f"{page}.html").exists() or not (site / address.partition("#")[0]).exists():
            raise ValueError(f"mkdocs.yml: {page} is still a page, or {address} is none")
        lead = f'<meta http-equiv="refresh" content="0; url={address}">'
        text = f'<!doctype html>{lead}<a href="{address}">The page has moved.</a>'
        (site / f"{page}.html").write_text(text, encoding="utf-8")


def on_post_template(output_content: str, **_: Any) -> str:
    """Load nothing from the network in the page for what is not found."""
    return output_content.replace(ELSEWHERE, f"{VENDORED}/iframe-worker.js")
