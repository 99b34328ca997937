//! Films and pictures of the window.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::Receiver;

use super::super::recorder::{Recorder, RecordingMark};
use super::super::recording_mark::recording_mark;
use super::*;
use crate::draw::LIGHT;

#[path = "../../../draw/src/frames.rs"]
mod frames;

const SMALL: (u32, u32) = (60, 41);

/// A recorder for a scenario in its own temporary folder.
struct RecorderTest {
    dir: tempfile::TempDir,
    recorder: Recorder,
    notices: Receiver<PlayerCommand>,
    now: Instant,
}

impl RecorderTest {
    fn new(record_to: Option<&str>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (sender, notices) = channel();
        let record_to = record_to.map(|name| dir.path().join(name));
        let recorder = Recorder::new(dir.path().join("a.ron"), record_to, sender);
        Self { dir, recorder, notices, now: Instant::now() }
    }

    /// Shows a picture with a disc at an x coordinate, some time after the one before.
    fn show(&mut self, x: f32, seconds: f32) -> Vec<u32> {
        self.now += Duration::from_secs_f32(seconds);
        let mut picture = Picture::new(SMALL, LIGHT.ground);
        picture.disc(Vec2::new(x, 20.0), 6.0, LIGHT.group(0));
        self.recorder.take(&picture, 30, self.now);
        picture.rgb().collect()
    }

    /// Records five frames and returns them.
    fn film(&mut self, rate: f32) -> Vec<Vec<u32>> {
        self.recorder.toggle(SMALL, 30);
        [10.0, 20.0, 20.0, 30.0, 40.0].map(|x| self.show(x, 1.01 / rate)).into()
    }

    fn notice(&self) -> (String, bool) {
        match self.notices.recv_timeout(PATIENCE).unwrap() {
            PlayerCommand::Notice { text, is_failure } => (text, is_failure),
            other => panic!("{other:?}"),
        }
    }

    fn names(&self) -> Vec<String> {
        let files = |folder: &Path| {
            let all = fs::read_dir(folder).into_iter().flatten();
            all.map(|file| file.unwrap().path()).collect::<Vec<_>>()
        };
        let beside = files(self.dir.path()).into_iter().filter(|path| path.is_file());
        let all = beside.chain(files(&self.pictures()));
        let mut names: Vec<String> =
            all.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    fn pictures(&self) -> PathBuf {
        self.dir.path().join("pictures")
    }
}

#[test]
fn a_film_is_what_the_window_has_shown_at_its_speed() {
    let mut test = RecorderTest::new(None);
    assert!(!test.recorder.is_due(test.now) && test.recorder.mark().is_none());
    let shown = test.film(15.0);
    assert!(!test.recorder.is_due(test.now), "the next frame is later");
    assert!(test.recorder.is_due(test.now + Duration::from_millis(70)));
    let Some(RecordingMark::Recording(seconds)) = test.recorder.mark() else { panic!("no mark") };
    assert!((seconds - 5.0 / 15.0).abs() < 1e-6, "{seconds}");
    // Something late is shown late, but a time without frames is left out.
    let late = test.show(15.0, 0.5);
    let after_gap = test.show(25.0, 100.0);
    assert!(!test.recorder.is_due(test.now), "the time goes on from there");
    test.recorder.toggle(SMALL, 30);
    let (text, is_failure) = test.notice();
    assert!(text.starts_with("recorded 0.9 s as ") && !is_failure, "{text}");
    assert_eq!(test.names(), ["a_at_30.gif"]);
    let frames = frames::frames(&fs::read(test.pictures().join("a_at_30.gif")).unwrap());
    let pixels: Vec<&Vec<u32>> = frames.iter().map(|(_, _, pixels)| pixels).collect();
    // The third was the same as the second.
    assert_eq!(pixels, [&shown[0], &shown[1], &shown[3], &shown[4], &late, &after_gap]);
    let delays: Vec<u16> = frames.iter().map(|(_, hundredths, _)| *hundredths).collect();
    assert_eq!(delays, [6, 14, 6, 47, 7, 6]);
}

#[test]
fn no_file_is_replaced() {
    let mut test = RecorderTest::new(None);
    fs::create_dir(test.pictures()).unwrap();
    fs::write(test.pictures().join("a_at_30.gif"), "mine").unwrap();
    for _ in 0..2 {
        test.film(15.0);
        // The second begins while the first may still be written.
        test.recorder.toggle(SMALL, 30);
        test.recorder.want_picture();
        assert!(test.recorder.is_due(test.now));
        test.show(1.0, 0.1);
    }
    let mut said = 0;
    test.recorder.finish(|_| said += 1);
    assert!(said <= 3, "{said}");
    let test = RecorderTest { recorder: RecorderTest::new(None).recorder, ..test };
    let names = ["a_at_30.gif", "a_at_30.png", "a_at_30_2.gif", "a_at_30_2.png", "a_at_30_3.gif"];
    assert_eq!(test.names(), names);
    assert_eq!(fs::read(test.pictures().join("a_at_30.gif")).unwrap(), b"mine");
    let picture = fs::read(test.pictures().join("a_at_30.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}

/// Pictures were among the scenarios.
#[test]
fn pictures_are_beside_the_scenarios_of_a_project() {
    let mut test = RecorderTest::new(None);
    let scenario = test.dir.path().join("scenarios/small/b.ron");
    let (sender, notices) = channel();
    (test.recorder, test.notices) = (Recorder::new(scenario, None, sender), notices);
    test.recorder.want_picture();
    test.show(1.0, 0.1);
    let (text, is_failure) = test.notice();
    let path = test.pictures().join("b_at_30.png");
    assert_eq!((text, is_failure), (format!("picture written as {}", path.display()), false));
    assert!(path.exists());
    // A file has the name of the folder.
    fs::remove_dir_all(test.pictures()).unwrap();
    fs::write(test.pictures(), "").unwrap();
    test.recorder.want_picture();
    test.show(1.0, 0.1);
    let (text, is_failure) = test.notice();
    assert!(text.starts_with("no picture: cannot create the folder ") && is_failure, "{text}");
    test.recorder.toggle(SMALL, 30);
    assert!(test.notice().0.starts_with("not recorded: cannot create the folder "));
}

#[test]
fn a_film_ends_with_the_window_and_when_its_size_changes() {
    let mut test = RecorderTest::new(Some("film.gif"));
    test.film(15.0);
    test.recorder.take(&Picture::new((50, 50), LIGHT.ground), 30, test.now);
    assert!(test.notice().0.contains("another size"));
    assert!(test.notice().0.starts_with("recorded 0.3 s"));
    test.film(15.0);
    let mut said = Vec::new();
    test.recorder.finish(|text| said.push(text.to_owned()));
    assert_eq!(said[0], "finishing the film");
    // The first film may still be in the making too.
    assert!(said.last().unwrap().ends_with("film_2.gif"), "{said:?}");
    // A film without a frame leaves no file.
    let mut test = RecorderTest::new(None);
    test.recorder.toggle(SMALL, 30);
    test.recorder.toggle(SMALL, 30);
    assert_eq!(test.notice(), ("not recorded: no frame was shown".to_owned(), true));
    assert_eq!(test.names(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_missing_or_failing_ffmpeg_is_reported() {
    let mut test = RecorderTest::new(Some("film.webm"));
    test.recorder = test.recorder.with_encoder("no-such-program");
    test.film(15.0);
    let (text, is_failure) = test.notice();
    assert!(text.contains("`no-such-program`, which is needed for .webm and .mp4"), "{text}");
    assert!(text.ends_with("recording a GIF instead") && is_failure, "{text}");
    test.recorder.toggle(SMALL, 30);
    assert!(test.notice().0.ends_with("film.gif"));
    assert_eq!(test.names(), ["film.gif"]);

    let mut test = RecorderTest::new(Some("film.webm"));
    test.recorder = test.recorder.with_encoder("false");
    test.film(30.0);
    // The film may have ended already.
    test.recorder.end();
    let (text, is_failure) = test.notice();
    assert!(text.starts_with("not recorded: `false` has failed: ") && is_failure, "{text}");
    assert_eq!(test.names(), [""; 0]);
    let mut test = RecorderTest::new(Some("none/film.gif"));
    test.recorder.toggle(SMALL, 30);
    assert!(test.notice().0.contains("there is no folder"));
}

/// Returns the number of bytes that the pictures of a film have.
fn decoded_bytes(path: &Path) -> usize {
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-i"]).arg(path);
    let done = command.args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]).output().unwrap();
    done.stdout.len()
}

#[test]
fn ffmpeg_writes_films() {
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        // Not with a macro: cargo hides what these print in tests that pass.
        let note = "SKIPPED: ffmpeg not found, so WebM and MP4 are not tested";
        let _ = writeln!(std::io::stderr(), "{note}");
        return;
    }
    for (name, magic) in [("film.webm", &b"\x1a\x45\xdf\xa3"[..]), ("film.mp4", b"\0\0\0")] {
        let mut test = RecorderTest::new(Some(name));
        test.film(30.0);
        test.show(50.0, 0.1);
        test.recorder.toggle(SMALL, 30);
        let (text, is_failure) = test.notice();
        assert!(text.starts_with("recorded 0.3 s as ") && !is_failure, "{text}");
        assert_eq!(test.names(), [name]);
        let path = test.dir.path().join(name);
        assert!(fs::read(&path).unwrap().starts_with(magic));
        // Eight frames, whose height is even.
        assert_eq!(decoded_bytes(&path), 8 * 60 * 40 * 3, "{name}");
    }
}

#[test]
fn a_mark_says_that_the_window_is_recorded() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in [(500, 400), SIZE] {
        for is_dark in [false, true] {
            let ui = Ui::new(size, is_dark);
            let mut picture = Picture::new(ui.size, ui.palette().ground);
            screen(&mut picture, &ui, &state, None);
            let plain: Vec<u32> = picture.rgb().collect();
            for mark in [RecordingMark::Recording(12.4), RecordingMark::Writing] {
                screen(&mut picture, &ui, &state, None);
                recording_mark(&mut picture, &ui, &state, mark);
                let red = picture.rgb().filter(|pixel| *pixel == 0xe0_1e26).count();
                assert_eq!(red > 30, mark != RecordingMark::Writing, "{red}");
                let changed = picture.rgb().zip(&plain).filter(|(now, then)| now != *then).count();
                assert!((100..4000).contains(&changed), "{changed}");
                if let Some(folder) = std::env::var_os("PICTURES") {
                    let file = format!("mark_{}_{is_dark}_{mark:?}.png", size.0);
                    fs::write(PathBuf::from(folder).join(file), picture.png()).unwrap();
                }
            }
        }
    }
}
