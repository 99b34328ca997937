"""Runs in notebooks: worlds that play."""

from __future__ import annotations

import base64
import html
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._native import Picture, Run

_PAGE = "page.html"

_PANEL_HEIGHT = 260
"""Height of everything on the page beside the world, in pixels."""


def template() -> str:
    """Return the page for browsers without a run in it."""
    file = resources.files(__package__ or "flockwork").joinpath(_PAGE)
    if not file.is_file():
        raise FileNotFoundError(
            "this build of flockwork has no page for browsers: `viewer/web/build` in the repository makes it, and `engine/python/add-page` puts it into the package. Pictures work without it"
        )
    return file.read_text(encoding="utf-8")


class World:
    """A run as a world that plays in a notebook, from its state when `Run.show` was called: exactly as the run goes on.

    It plays when it is seen, has a button to stop and a time bar, sliders for params, and needs neither a server nor a network: the whole
    engine is in it. So a notebook becomes about 3 MB larger with each world that it shows, which is why a run by itself shows only a
    picture, of 20 to 100 kB. A world cannot take the engine from another output: notebooks keep outputs apart, and show them in any
    order. Scripts of the world run apart from those of the notebook. Where a notebook is not trusted, scripts do not run, or a document
    is made of it, the picture is there in place of the world.
    """

    def __init__(self, page: str, picture: Picture, width: int, height: int) -> None:
        self.page = page
        """The page, as a text of HTML. To keep it as a file that works everywhere, write it to one."""
        self.picture = picture
        """A picture of the state with which it begins."""
        self.size = (width, height)
        """Width and height in pixels."""

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        png = base64.b64encode(self.picture.png).decode("ascii")
        width, height = self.size
        wide, high = self.picture.size
        # The picture is under the world: it stays visible where the frame is removed, and where scripts do not run.
        text = (
            f'<div style="position: relative; width: {width}px; max-width: 100%; min-height: {height}px">'
            f'<img src="data:image/png;base64,{png}" width="{wide}" height="{high}" alt="The world at its present tick">'
            f'<iframe title="A world of Flockwork" sandbox="allow-scripts allow-downloads" loading="lazy" '
            f'onload="this.style.opacity = 1" style="opacity: 0; position: absolute; inset: 0; width: 100%; height: 100%; border: 0; '
            f'background: Canvas" srcdoc="{html.escape(self.page)}"></iframe></div>'
        )
        data = {"text/html": text, "image/png": png, "text/plain": repr(self)}
        return data, {"image/png": {"width": wide, "height": high}}

    def __repr__(self) -> str:
        return f"<flockwork.World: a page of {len(self.page)} characters, shown in notebooks>"


def show(run: Run, width: int, height: int | None) -> World:
    """Return a run as a world that plays."""
    picture = run.picture(width)
    if height is None:
        height = picture.size[1] + _PANEL_HEIGHT
    return World(run.page(), picture, width, height)
