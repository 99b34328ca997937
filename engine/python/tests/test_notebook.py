"""Runs in notebooks: pictures, films, plots, and worlds that play."""

from __future__ import annotations

import base64
import html
import json
import re
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

import flockwork as fw
from flockwork import _notebook

ROOT = Path(__file__).parents[3]
WATCH = ROOT / "scenarios/night_watch.ron"
PROGRAM = ROOT / "target/release/flockwork"
PLAYWRIGHT = ROOT / "viewer/web/node_modules/playwright-core/index.mjs"
CHROMIUM = shutil.which("chromium")

has_page = Path(_notebook.__file__).with_name("page.html").is_file()
needs_page = pytest.mark.skipif(
    not has_page, reason="no page.html in the package: engine/python/add-page puts it there"
)


def size_of_png(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def project_of(page: str) -> dict[str, Any]:
    found = re.search(
        r'<script id="flockwork-project" type="application/json">(.*?)</script>', page, re.DOTALL
    )
    assert found
    return json.loads(found[1])


def run_of(page: str) -> fw.Run:
    """Load what a page plays."""
    project = project_of(page)
    scripts = {
        Path(path).stem: text for path, text in project["files"].items() if path.endswith(".rhai")
    }
    return fw.loads(
        project["files"][project["scenario"]],
        scripts=scripts,
        seed=project.get("seed"),
        params=project.get("params"),
    )


def test_a_picture_has_two_pixels_for_each_of_the_page() -> None:
    run = fw.load(WATCH)
    picture = run.picture(400)
    width, height = picture.size
    assert width == 400
    assert 300 <= height <= 320
    assert size_of_png(picture.png) == (800, 2 * height)
    assert run.picture(400, 200).size == (400, 200)
    data, size = picture._repr_png_()
    assert data == bytes(picture)
    assert size == {"width": 400, "height": height}
    assert run._repr_png_()[1]["width"] == 640
    assert run.picture(400, dark=True).png != picture.png
    with pytest.raises(ValueError, match="`width` must be from 16 to 4096 pixels, not 5"):
        run.picture(5)
    with pytest.raises(ValueError, match="`height`"):
        run.picture(100, 100_000)


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built: cargo build --release")
def test_a_film_has_the_frames_of_the_program(tmp_path: Path) -> None:
    run = fw.load(WATCH)
    before = run.hash
    film = run.animate(120, width=320, height=240, trails=20)
    assert run.hash == before
    assert run.tick == 0
    out = tmp_path / "film.gif"
    arguments = [WATCH, "--to", "120", "--trails=20", "--size", "320x240", "--out", out]
    subprocess.run([PROGRAM, "render", *map(str, arguments)], check=True, capture_output=True)
    assert film.gif == out.read_bytes()
    assert "data:image/gif;base64,R0lGOD" in film._repr_html_()
    film.save(tmp_path / "saved.gif")
    assert (tmp_path / "saved.gif").read_bytes() == bytes(film)


def test_films_that_nobody_can_show_are_errors() -> None:
    run = fw.load(WATCH)
    with pytest.raises(ValueError, match="give `every="):
        run.animate(100, every=1, speed=10)
    with pytest.raises(ValueError, match="too large"):
        run.animate(10_000_000)
    with pytest.raises(ValueError, match="above 0"):
        run.animate(10, speed=0)


def test_trails_lead_through_the_past() -> None:
    run = fw.load(WATCH)
    run.step(200)
    with_trails = run.picture(400, trails=100)
    assert with_trails.png != run.picture(400).png
    assert fw.load(WATCH).picture(400, trails=100).png == fw.load(WATCH).picture(400).png
    run.push("thief", (1, 0))
    with pytest.raises(fw.Error, match="leave out `trails`"):
        run.picture(400, trails=100)


@needs_page
def test_a_page_goes_on_exactly_from_the_present_state() -> None:
    run = fw.load(WATCH, params={"guard.alert": 90}, seed=5)
    untouched = project_of(run.page())
    assert untouched["seed"] == 5
    assert untouched["params"] == {"guard.alert": "90"}
    played = run_of(run.page())
    assert played.hash == run.hash
    run.step(150)
    run.push("thief", (3, 1))
    played = run_of(run.page())
    assert played.tick == 150
    assert played.hash == run.hash
    for ticks in (1, 60, 120):
        run.step(ticks)
        played.step(ticks)
        assert played.hash == run.hash
    # A change at the first tick is in no option.
    changed = fw.load(WATCH)
    changed.place(0, (100, 100))
    assert run_of(changed.page()).hash == changed.hash
    agents = fw.load(ROOT / "scenarios/flock.ron", agents=9)
    assert run_of(agents.page()).hash == agents.hash


@needs_page
def test_a_world_has_a_picture_under_it() -> None:
    run = fw.load(WATCH)
    run.step(10)
    world = run.show(500)
    data, size = world._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]) == run.picture(500).png
    assert size["image/png"]["width"] == 500
    text = data["text/html"]
    assert text.count("<iframe") == 1
    assert data["image/png"] in text
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', text)[1])  # type: ignore[index]
    assert page == run.page() == world.page
    # What is stored: a world has the whole engine, a run by itself a picture only.
    assert len(text) < 3_500_000
    assert len(run._repr_png_()[0]) < 150_000
    assert "3 MB" in fw.World.__doc__


def test_without_the_page_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_notebook, "_PAGE", "nothing.html")
    with pytest.raises(FileNotFoundError, match="add-page"):
        fw.load(WATCH).show()


BROWSER = """
import { chromium } from "PLAYWRIGHT";
const args = ["--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const browser = await chromium.launch({ executablePath: "CHROMIUM", args });
const page = await (await browser.newContext({ viewport: { width: 900, height: 900 }, offline: true })).newPage();
const wrong = [];
page.on("pageerror", (error) => wrong.push(error.message));
page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
await page.goto("file://" + process.argv[2]);
await page.waitForFunction(() => getComputedStyle(document.querySelector("iframe")).opacity === "1");
const [, frame] = page.frames();
await frame.waitForFunction(() => document.querySelector("flockwork-world")?.state?.tick > 0);
const state = await frame.evaluate(async () => {
  const world = document.querySelector("flockwork-world");
  await world.watch("hash");
  await world.pause();
  await world.step();
  await new Promise((done) => setTimeout(done, 500));
  return { tick: world.state.tick, hash: world.state.hash, name: document.querySelector("h1").textContent };
});
await page.screenshot({ path: process.argv[3] });
const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
await plain.goto("file://" + process.argv[2]);
const without = await plain.evaluate(() => [
  getComputedStyle(document.querySelector("iframe")).opacity,
  document.querySelector("img").naturalWidth,
]);
await browser.close();
console.log(JSON.stringify({ ...state, wrong, without }));
"""


@needs_page
@pytest.mark.skipif(
    not (CHROMIUM and PLAYWRIGHT.exists() and shutil.which("node")),
    reason="needs chromium, node and `npm ci` in viewer/web",
)
def test_a_world_plays_in_a_browser_as_the_run_goes_on(tmp_path: Path) -> None:
    run = fw.load(WATCH)
    run.step(200)
    bundle, _ = run.show()._repr_mimebundle_()
    (tmp_path / "output.html").write_text(
        "<!doctype html><meta charset=utf-8><body>" + bundle["text/html"]
    )
    script = BROWSER.replace("PLAYWRIGHT", PLAYWRIGHT.as_posix()).replace(
        "CHROMIUM", CHROMIUM or ""
    )
    (tmp_path / "browser.mjs").write_text(script)
    command = ["node", tmp_path / "browser.mjs", tmp_path / "output.html", tmp_path / "shot.png"]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=50, check=False
    )
    assert done.returncode == 0, done.stderr
    state = json.loads(done.stdout)
    assert state["wrong"] == []
    assert state["name"] == "Night watch"
    assert state["tick"] > 200
    # Without scripts, the picture under the world is seen.
    assert state["without"] == ["0", 1440]
    run.step(state["tick"] - run.tick)
    assert state["hash"] == run.hash


def test_a_plot_is_of_the_present_state() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np

    run = fw.load(WATCH)
    run.step(30)
    _, (left, right) = plt.subplots(1, 2)
    ax = run.plot(left, width=0.01)
    assert ax is left
    assert run.plot(right) is right
    arrows = [one for one in ax.collections if hasattr(one, "U")]
    assert [one.get_label() for one in arrows] == run.group_names
    drawn = np.concatenate([np.column_stack([one.X, one.Y]) for one in arrows])
    np.testing.assert_array_equal(drawn, run.positions)
    assert ax.get_aspect() == 1.0
    assert ax.get_title() == "Night watch, tick 30"
    assert ax.get_xlim() == (0, 800)
    # A pillar, a goal, and the edge of the world; a wall is a line.
    assert len(ax.patches) >= 3
    assert len(ax.lines) >= 1
    ax.figure.canvas.draw()
    plt.close("all")
