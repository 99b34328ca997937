//! The page in a real browser: headless Chromium. Without Chromium, these tests say that they are skipped.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::super::write;
use super::page;

/// Names of the Chromium program.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A script before those of the page: collects errors, and replaces animation frames, which a headless browser does not
/// have.
const WATCH: &str = r#"<script>
const wrong = [];
addEventListener("error", (event) => wrong.push(String(event.message)));
addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => wrong.push(event.violatedDirective + event.blockedURI));
window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
console.error = (...parts) => wrong.push(parts.join(" "));
</script>"#;

/// A script at the end of the page: runs the test's code and writes its result into the page, where it is read.
const TELL: &str = r#"<script>
setTimeout(async () => {
  const FOUND = await (async () => { @@ })();
  const found = document.createElement("pre");
  found.id = "found";
  found.textContent = JSON.stringify({ wrong, ...FOUND });
  document.body.append(found);
}, 200);
</script>"#;

/// A report in a temporary folder, and a browser to open it.
struct Browser {
    program: PathBuf,
    dir: TempDir,
}

impl Browser {
    /// Writes a report and finds a browser; returns `None` if there is no browser.
    fn open() -> Option<Self> {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let mut programs =
            std::env::split_paths(&paths).flat_map(|folder| NAMES.map(|name| folder.join(name)));
        let Some(program) = programs.find(|program| program.is_file()) else {
            // Not with `eprintln`, whose output is captured if a test passes.
            let note = "\nSKIPPED: there is no Chromium to open the report in";
            writeln!(std::io::stderr(), "{note}").unwrap();
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &page()).unwrap();
        Some(Self { program, dir })
    }

    fn run(&self, page: &Path, options: &[&str]) -> String {
        let profile = tempfile::tempdir().unwrap();
        let output = Command::new(&self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--disable-quic", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--hide-scrollbars", "--virtual-time-budget=5000"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(options)
            .arg(format!("file://{}", page.display()))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs code in the page and returns its result and the errors until then.
    fn evaluate(&self, body: &str) -> Value {
        let html = fs::read_to_string(self.dir.path().join("index.html")).unwrap();
        let html = html.replacen("<body>", &format!("<body>{WATCH}"), 1);
        let html = html.replacen("</body>", &format!("{}</body>", TELL.replace("@@", body)), 1);
        let page = self.dir.path().join("asked.html");
        fs::write(&page, html).unwrap();
        let dom = self.run(&page, &["--dump-dom", "--window-size=1400,1000"]);
        let (_, rest) = dom.split_once("<pre id=\"found\">").expect(&dom);
        let (found, _) = rest.split_once("</pre>").unwrap();
        let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        serde_json::from_str(&found).unwrap()
    }
}

#[test]
fn the_slider_and_the_curve_go_to_a_tick() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let found = browser.evaluate(
        r##"
        const pixels = () => ["expected", "actual", "both"].map((id) => byId(id).toDataURL());
        const status = () => byId("now").textContent;
        const start = { status: status(), slider: byId("slider").value, pixels: pixels() };
        byId("slider").value = 100;
        byId("slider").dispatchEvent(new Event("input", { bubbles: true }));
        const moved = { status: status(), note: byId("expected-note").textContent, pixels: pixels() };
        const box = byId("plot").getBoundingClientRect();
        const middle = box.left + box.width / 2;
        byId("plot").dispatchEvent(new PointerEvent("pointerdown", { clientX: middle, bubbles: true }));
        const clicked = status();
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        press("ArrowRight");
        const pressed = status();
        press("d");
        const first = status();
        const again = pixels();
        byId("play").click();
        await new Promise((done) => setTimeout(done, 500));
        byId("play").click();
        const played = shown.tick;
        return {
          played, first, playing: shown.playing,
          start: start.status, slider: start.slider, moved: moved.status, note: moved.note, clicked, pressed,
          changed: start.pixels.map((before, i) => before !== moved.pixels[i]),
          again: again.map((now, i) => now === start.pixels[i]),
          names: [...document.querySelectorAll("#list .name")].map((name) => name.textContent),
          mark: !byId("first-mark").hidden, notes: byId("notes").textContent, agent: byId("agent").value,
        };
        "##,
    );
    assert_eq!(found["wrong"], serde_json::json!([]));
    let starts = |which: &str, with: &str| {
        let status = found[which].as_str().unwrap();
        assert!(status.starts_with(with), "{which}: {status}");
    };
    starts("start", "tick 41  ·  0.82 s  ·  runs differ by 0.2");
    assert_eq!(found["slider"], "41");
    starts("moved", "tick 100  ·  2.00 s  ·  runs differ by 12  ·  agent 7 by 12");
    assert_eq!(found["note"], "", "tick 100 is a known one");
    starts("clicked", "tick 60  ·");
    starts("pressed", "tick 61  ·");
    starts("first", "tick 41  ·");
    let played = found["played"].as_u64().unwrap();
    assert!((42..=120).contains(&played), "half a second is 25 ticks: {played}");
    assert_eq!(found["playing"], false);
    assert_eq!(found["changed"], serde_json::json!([true, true, true]));
    assert_eq!(found["again"], serde_json::json!([true, true, true]));
    assert_eq!(found["names"][0], "scenarios/</script>\u{2028}.ron", "failed first");
    assert_eq!(found["names"][3], "scenarios/good.ron");
    assert_eq!((&found["mark"], &found["agent"]), (&true.into(), &"7".into()));
    assert!(
        found["notes"].as_str().unwrap().contains("Only 7 ticks of the expected run are known")
    );
}

#[test]
fn interpolated_positions_are_on_a_straight_line_across_the_edge() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let found = browser.evaluate(
        r##"
        const frame = (tick, x) => ({ tick, agents: [1, 0], x: [x], y: [5], angle: [tick ? -170 : 170] });
        const track = (edge) => new Track(
          { exact: false, every: 1, frames: [frame(0, 90), frame(10, 10)] },
          { world: [0, 0, 100, 100], edge },
        );
        const [wraps, open] = [track("wrap"), track("open")];
        return {
          wraps: [2, 8].map((tick) => wraps.at(tick)[0].x), open: open.at(5)[0].x,
          angle: wraps.at(5)[0].angle, guess: [0, 5, 10].map((tick) => wraps.isInterpolated(tick)),
          lines: [wraps.trail(1, 10).length, open.trail(1, 10).length],
        };
        "##,
    );
    assert_eq!(found["wrong"], serde_json::json!([]));
    assert_eq!(found["wraps"], serde_json::json!([94, 6]));
    assert_eq!(found["open"], 50);
    assert_eq!(found["angle"], 180);
    assert_eq!(found["guess"], serde_json::json!([false, true, false]));
    assert_eq!(found["lines"], serde_json::json!([2, 1]));
}

#[test]
fn the_list_is_filtered_and_another_scenario_chosen() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let found = browser.evaluate(
        r##"
        const names = () => [...document.querySelectorAll("#list .name")].map((name) => name.textContent);
        const set = (id, value) => {
          byId(id).value = value;
          byId(id).dispatchEvent(new Event("input", { bubbles: true }));
          return names();
        };
        const by_name = set("filter-name", "NEW");
        set("filter-name", "");
        const by_outcome = set("filter-outcome", "broken");
        set("filter-outcome", "");
        const by_time = set("filter-time", "1");
        set("filter-time", "0");
        const good = report.entries.find(({ name }) => name.endsWith("good.ron"));
        choose(report.entries.find(({ name }) => name.endsWith("torn.ron")));
        const nothing = byId("now").textContent;
        choose(good);
        return {
          nothing,
          by_name, by_outcome, by_time, none: byId("none").hidden, order: set("order", "name")[0],
          heading: byId("name").textContent, compared: byId("compared").hidden,
          current: document.querySelectorAll("#list [aria-current]").length,
          summary: byId("summary").textContent,
        };
        "##,
    );
    assert_eq!(found["wrong"], serde_json::json!([]));
    assert_eq!(found["by_name"], serde_json::json!(["scenarios/new.ron"]));
    assert_eq!(found["by_outcome"], serde_json::json!(["scenarios/torn.ron"]));
    assert_eq!(found["by_time"], serde_json::json!([]));
    assert_eq!(found["nothing"], "tick 0  ·  0.00 s");
    assert_eq!(found["heading"], "scenarios/good.ron");
    assert_eq!((&found["compared"], &found["current"]), (&true.into(), &1.into()));
    assert_eq!(found["summary"], "1 failed, 1 could not be run, 1 untested, 1 passed, in 1.00 s");
}

#[test]
fn a_screenshot_shows_a_page() {
    let Some(browser) = Browser::open() else {
        return;
    };
    let shot = browser.dir.path().join("shot.png");
    let to = format!("--screenshot={}", shot.display());
    let page = browser.dir.path().join("index.html");
    browser.run(&page, &[&to, "--window-size=1400,1000"]);
    let decoder = png::Decoder::new(std::io::Cursor::new(fs::read(&shot).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1400, 1000));
    let colors: std::collections::BTreeSet<&[u8]> =
        pixels.chunks(info.line_size / info.width as usize).collect();
    assert!(colors.len() > 100, "{} colors", colors.len());
}
