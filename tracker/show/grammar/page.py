"""The worst grammar rules of a submission as one HTML page that needs no network."""

from __future__ import annotations

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sr_tracker.queries.grammar.violations import Violations, told_examples, told_rule
from sr_tracker.schema import TOOL_VERSION
from sr_tracker.tracker.show.grammar.page_arcs import dependency_figure
from sr_tracker.tracker.show.report.cells import number
from sr_tracker.tracker.show.report.page import page_part, page_policy


def render_page(found: Violations) -> str:
    """Return the page as HTML; its bytes depend on what was found alone.

    Every text is escaped by the template; drawings are made by us from escaped text.
    """
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        loader=ChoiceLoader(
            [
                PackageLoader("sr_tracker.tracker.show.grammar", "html"),
                PackageLoader("sr_tracker.tracker.show.comparison", "html"),
            ]
        ),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = page_part("script.js")
    return environment.get_template("worst.html").render(
        title=f"Broken rules: {found.submission_id}",
        found=found,
        number=number,
        told=told_rule,
        told_examples=told_examples,
        figures={
            rule.rule: [Markup(dependency_figure(rule, dependency)) for dependency in rule.examples]  # noqa: S704
            for rule in found.worst
        },
        tool=TOOL_VERSION,
        policy=page_policy(f"\n{script}"),
        # Style and script are our own files.
        style=Markup(page_part("style.css")),  # noqa: S704
        script=Markup(script),  # noqa: S704
    )
