//! A film that is being recorded, and the thread that writes it.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flockwork_engine::OutputFile;

use super::ffmpeg::Ffmpeg;
use super::format::{FilmFormat, QueuedFrame, duration, recorded_text};
use crate::draw::{ColorCounts, Film, Picture};
use crate::view::command::PlayerCommand;

/// Maximum number of frames that wait to be encoded.
const QUEUE: usize = 8;
/// A time without frames is left out of the film if it is longer than this: the window was hidden.
const MAX_GAP: Duration = Duration::from_secs(1);
/// Maximum number of different frames of a GIF. No program can show longer ones.
const MAX_FRAMES: usize = 5000;
/// Maximum memory for the frames of a GIF, whose colors are known only at the end, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// Why a film cannot be recorded.
#[derive(Debug)]
pub(super) enum StartError {
    /// The program that encodes it does not start.
    NoEncoder(String),
    /// The file cannot be written.
    NoFile(String),
}

/// A film that is being recorded.
pub(super) struct FilmInProgress {
    size: (u32, u32),
    rate: u32,
    began: Option<Instant>,
    /// Number of frames so far.
    frames: u64,
    queue: SyncSender<QueuedFrame>,
    file: UnfinishedFilm,
}

/// A film that a thread writes.
pub(super) struct UnfinishedFilm {
    path: PathBuf,
    /// Returns the message about the film.
    thread: JoinHandle<String>,
}

impl FilmInProgress {
    /// Starts a film at a path where no file is, with pictures of a size in pixels.
    pub(super) fn start(
        path: &Path,
        size: (u32, u32),
        encoder: &str,
        notices: &Sender<PlayerCommand>,
    ) -> Result<Self, StartError> {
        let format = FilmFormat::from_path(path).unwrap_or(FilmFormat::Gif);
        let rate = format.rate();
        let file = OutputFile::create_new(path);
        let file = file.map_err(|error| StartError::NoFile(error.message))?;
        let ffmpeg = match format {
            FilmFormat::Gif => None,
            FilmFormat::WebM | FilmFormat::Mp4 => {
                let started = Ffmpeg::start(encoder, format, size, file.unfinished_path());
                Some(started.map_err(StartError::NoEncoder)?)
            }
        };
        let (queue, frames) = sync_channel(QUEUE);
        let (named, notices) = (path.to_owned(), notices.clone());
        let thread = thread::spawn(move || {
            let written = match ffmpeg {
                None => write_gif(&frames, size, rate, file, &named),
                Some(ffmpeg) => ffmpeg.write(frames, rate, file, &named),
            };
            let (text, is_failure) = match written {
                Ok(text) => (text, false),
                Err(why) => (format!("not recorded: {why}"), true),
            };
            // If the player has ended, the text is shown elsewhere.
            let _ = notices.send(PlayerCommand::Notice { text: text.clone(), is_failure });
            text
        });
        let file = UnfinishedFilm { path: path.to_owned(), thread };
        Ok(Self { size, rate, began: None, frames: 0, queue, file })
    }

    pub(super) fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the length so far, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        duration(self.frames, self.rate).as_secs_f64()
    }

    /// Returns the number of frames that are due.
    pub(super) fn due(&self, now: Instant) -> u64 {
        let Some(began) = self.began else { return 1 };
        let passed = now.saturating_duration_since(began).as_secs_f64() * f64::from(self.rate);
        (passed as u64 + 1).saturating_sub(self.frames)
    }

    /// Adds a picture if a frame is due. Returns false if the film has ended by itself.
    pub(super) fn add(&mut self, picture: &Picture, now: Instant) -> bool {
        let mut frames = self.due(now);
        if frames == 0 {
            return true;
        }
        if frames > 1 && duration(frames, self.rate) > MAX_GAP {
            frames = 1;
            self.began = now.checked_sub(duration(self.frames, self.rate));
        }
        self.began.get_or_insert(now);
        let pixels = picture.rgb().collect();
        match self.queue.try_send(QueuedFrame { pixels, frames }) {
            Ok(()) => self.frames += frames,
            // The next picture takes the place of this one.
            Err(TrySendError::Full(_)) => {}
            Err(TrySendError::Disconnected(_)) => return false,
        }
        true
    }

    /// Ends the film, which is then written.
    pub(super) fn end(self) -> UnfinishedFilm {
        self.file
    }
}

impl UnfinishedFilm {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn is_written(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits until the film is written and returns the message about it.
    pub(super) fn wait(self) -> String {
        let bug = |_| "not recorded, because of a bug in Flockwork".to_owned();
        self.thread.join().unwrap_or_else(bug)
    }
}

/// A picture as its difference from the one before: colors with the number of pixels that have them, one after another.
struct PackedFrame {
    /// Number of frames before this one.
    at: u64,
    runs: Vec<[u32; 2]>,
}

/// In place of a color: these pixels do not change.
const UNCHANGED: u32 = u32::MAX;

impl PackedFrame {
    fn pack(at: u64, before: &[u32], pixels: &[u32]) -> Self {
        let mut runs: Vec<[u32; 2]> = Vec::new();
        for (index, pixel) in pixels.iter().enumerate() {
            let value = if before.get(index) == Some(pixel) { UNCHANGED } else { *pixel };
            match runs.last_mut() {
                Some([last, count]) if *last == value => *count += 1,
                _ => runs.push([value, 1]),
            }
        }
        Self { at, runs }
    }

    /// Returns whether nothing has changed.
    fn is_same(&self) -> bool {
        self.runs.iter().all(|[value, _]| *value == UNCHANGED)
    }

    /// Turns the picture before into this one.
    fn unpack(&self, pixels: &mut [u32]) {
        let mut at = 0;
        for &[value, count] in &self.runs {
            let end = at + count as usize;
            if value != UNCHANGED {
                pixels[at..end].fill(value);
            }
            at = end;
        }
    }
}

/// Writes a GIF of all frames and returns the message about it.
fn write_gif(
    queue: &Receiver<QueuedFrame>,
    size: (u32, u32),
    rate: u32,
    file: OutputFile,
    path: &Path,
) -> Result<String, String> {
    let (mut counts, mut packed) = (ColorCounts::default(), Vec::new());
    let (mut last, mut frames, mut bytes) = (Vec::new(), 0, 0);
    let mut is_full = false;
    while !is_full && let Ok(frame) = queue.recv() {
        frames += frame.frames;
        let next = PackedFrame::pack(frames - 1, &last, &frame.pixels);
        if !next.is_same() {
            counts.add(&frame.pixels);
            bytes += size_of_val(&next.runs[..]);
            packed.push(next);
            last = frame.pixels;
        }
        is_full = bytes > MAX_BYTES || packed.len() >= MAX_FRAMES;
    }
    if packed.is_empty() {
        return Err("no frame was shown".to_owned());
    }
    let fail = |error| OutputFile::error(path, &error).message;
    let mut film = Film::new(file, size, &counts).map_err(fail)?;
    let mut pixels = vec![0; last.len()];
    let hundredths = |frame: u64| frame * 100 / u64::from(rate);
    let ends = packed.iter().skip(1).map(|next| next.at).chain([frames]);
    for (frame, end) in packed.iter().zip(ends) {
        frame.unpack(&mut pixels);
        let time = hundredths(end) - hundredths(frame.at);
        film.add(&pixels, u16::try_from(time).unwrap_or(u16::MAX)).map_err(fail)?;
    }
    film.finish().map_err(fail)?.commit().map_err(|error| error.message)?;
    let text = recorded_text(frames, rate, path);
    Ok(if is_full { format!("{text}; a GIF cannot be longer") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_frame_is_the_difference_from_the_one_before() {
        let all = [vec![1, 1, 2, 3], vec![1, 5, 5, 3], vec![1, 5, 5, 3]];
        let (mut before, mut now) = (Vec::new(), vec![0; 4]);
        let mut runs = Vec::new();
        for pixels in &all {
            let frame = PackedFrame::pack(0, &before, pixels);
            frame.unpack(&mut now);
            assert_eq!(now, *pixels);
            assert_eq!(frame.is_same(), before == *pixels);
            runs.push(frame.runs.len());
            before.clone_from(pixels);
        }
        assert_eq!(runs, [3, 3, 1]);
    }
}
