//! Writes what the window shows: films while it is recorded, and single pictures.
//!
//! Films are encoded on a thread of their own with a short queue before it. If it cannot keep up, frames are left out, so
//! that neither the run nor the window waits. A file gets its name when it is complete, and replaces no other file.
//! Files without a name of their own go into a folder of the project, so that they do not lie among its scenarios.

mod ffmpeg;
mod film;
mod format;

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::Instant;

use flockwork_engine::load::{SCENARIOS_FOLDER, make_folder};
use flockwork_engine::{Diagnostic, OutputFile};

use super::command::PlayerCommand;
use crate::draw::Picture;
use film::{FilmInProgress, StartError, UnfinishedFilm};

pub(crate) use format::FilmFormat;

/// The folder for pictures and films, beside the scenarios.
const FOLDER: &str = "pictures";

/// The state of recording that the window shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RecordingMark {
    /// A film is being recorded; its length so far, in seconds.
    Recording(f64),
    /// A film is being written.
    Writing,
}

/// Records the window.
pub(super) struct Recorder {
    /// Path of films; the first has this name, if it is free. `None` for names of the scenario and the tick.
    record_to: Option<PathBuf>,
    scenario: PathBuf,
    /// The program that encodes films other than GIF.
    encoder: &'static str,
    notices: Sender<PlayerCommand>,
    film: Option<FilmInProgress>,
    /// Films that are complete but not written yet.
    unfinished: Vec<UnfinishedFilm>,
    wants_picture: bool,
}

impl Recorder {
    /// Returns a recorder for a scenario, which sends notices to the player.
    pub(super) fn new(
        scenario: PathBuf,
        record_to: Option<PathBuf>,
        notices: Sender<PlayerCommand>,
    ) -> Self {
        Self {
            record_to,
            scenario,
            encoder: "ffmpeg",
            notices,
            film: None,
            unfinished: Vec::new(),
            wants_picture: false,
        }
    }

    /// Uses another program in place of FFmpeg.
    #[cfg(test)]
    pub(super) fn with_encoder(self, encoder: &'static str) -> Self {
        Self { encoder, ..self }
    }

    /// Starts a film of a window of a size in pixels, which shows a tick. Ends the film if there is one.
    pub(super) fn toggle(&mut self, size: (u32, u32), tick: u64) {
        if self.film.is_some() {
            self.end();
            return;
        }
        let wanted = match &self.record_to {
            Some(path) => self.unused(path),
            None => match self.at_tick(tick, "gif") {
                Ok(path) => self.unused(&path),
                Err(why) => return self.notice(format!("not recorded: {why}"), true),
            },
        };
        let started = FilmInProgress::start(&wanted, size, self.encoder, &self.notices);
        let started = match started {
            Err(StartError::NoEncoder(why)) => {
                // Without a recording, the present moment would be lost.
                let path = self.unused(&wanted.with_extension("gif"));
                self.notice(format!("{why}; recording a GIF instead"), true);
                FilmInProgress::start(&path, size, self.encoder, &self.notices)
            }
            other => other,
        };
        match started {
            Ok(film) => self.film = Some(film),
            Err(StartError::NoEncoder(why) | StartError::NoFile(why)) => {
                self.notice(format!("not recorded: {why}"), true);
            }
        }
    }

    /// Ends the film, if there is one. It is written in the background.
    pub(super) fn end(&mut self) {
        self.unfinished.retain(|film| !film.is_written());
        self.unfinished.extend(self.film.take().map(FilmInProgress::end));
    }

    /// Writes the next picture that the window shows to a file.
    pub(super) fn want_picture(&mut self) {
        self.wants_picture = true;
    }

    /// Returns whether the window should be drawn for the film or for a picture.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.wants_picture || self.film.as_ref().is_some_and(|film| film.due(now) > 0)
    }

    /// Takes what the window shows, at a tick.
    pub(super) fn take(&mut self, picture: &Picture, tick: u64, now: Instant) {
        if std::mem::take(&mut self.wants_picture) {
            let written = self.at_tick(tick, "png").and_then(|path| {
                let path = self.unused(&path);
                write(&path, &picture.png()).map_err(|error| error.message)?;
                Ok(path)
            });
            match written {
                Ok(path) => self.notice(format!("picture written as {}", path.display()), false),
                Err(why) => self.notice(format!("no picture: {why}"), true),
            }
        }
        let Some(film) = &mut self.film else { return };
        if film.size() != picture.size() {
            self.notice("recording ended: the window has another size".to_owned(), false);
            self.end();
        } else if !film.add(picture, now) {
            // The thread says why.
            self.end();
        }
    }

    /// Returns what the window should say about films.
    pub(super) fn mark(&self) -> Option<RecordingMark> {
        let recording = self.film.as_ref().map(|film| RecordingMark::Recording(film.seconds()));
        let is_writing = self.unfinished.iter().any(|film| !film.is_written());
        recording.or(is_writing.then_some(RecordingMark::Writing))
    }

    /// Ends the film, waits until all films are written, and says where they are.
    pub(super) fn finish(mut self, mut say: impl FnMut(&str)) {
        let film = self.film.take().map(FilmInProgress::end);
        let before = self.unfinished.into_iter().filter(|film| !film.is_written());
        let unfinished: Vec<UnfinishedFilm> = before.chain(film).collect();
        if !unfinished.is_empty() {
            say("finishing the film");
        }
        unfinished.into_iter().for_each(|film| say(&film.wait()));
    }

    /// Returns the path of a file that is named after the scenario and a tick, in the folder for pictures, which is made if there is
    /// none: beside the folder `scenarios` that the scenario is in, or beside the scenario. The error says why there is none.
    fn at_tick(&self, tick: u64, ending: &str) -> Result<PathBuf, String> {
        let is_scenarios = |folder: &&Path| folder.ends_with(SCENARIOS_FOLDER);
        let scenarios = self.scenario.ancestors().skip(1).find(is_scenarios);
        let folder = scenarios.unwrap_or(&self.scenario).with_file_name(FOLDER);
        make_folder(&folder).map_err(|error| error.message)?;
        let stem = self.scenario.file_stem().unwrap_or_default().to_string_lossy();
        Ok(folder.join(format!("{stem}_at_{tick}.{ending}")))
    }

    /// Returns a path at which there is no file yet: the given one, or one with a number after its name.
    fn unused(&self, path: &Path) -> PathBuf {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let others = (2..).map(|number| path.with_file_name(format!("{stem}_{number}.{ending}")));
        let is_unused = |path: &PathBuf| {
            let mut unfinished = self.unfinished.iter().filter(|film| !film.is_written());
            !path.exists() && !unfinished.any(|film| film.path() == path)
        };
        let mut all = std::iter::once(path.to_owned()).chain(others);
        all.find(is_unused).unwrap_or_else(|| path.to_owned())
    }

    fn notice(&self, text: String, is_failure: bool) {
        // After the end of the player, notices are not shown.
        let _ = self.notices.send(PlayerCommand::Notice { text, is_failure });
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    OutputFile::create_new(path)?.write_whole(bytes)
}
