//! The formats of films, and what is passed to the programs and threads that write them.

use std::path::Path;
use std::time::Duration;

/// The format of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilmFormat {
    Gif,
    WebM,
    Mp4,
}

impl FilmFormat {
    /// The formats and the endings of their files.
    const ENDINGS: [(Self, &'static str); 3] =
        [(Self::Gif, "gif"), (Self::WebM, "webm"), (Self::Mp4, "mp4")];

    /// Returns the format of a file by its ending.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let mut all = Self::ENDINGS.into_iter();
        all.find(|(_, own)| own.eq_ignore_ascii_case(ending)).map(|(format, _)| format)
    }

    /// Returns the frames per second.
    pub(super) fn rate(self) -> u32 {
        match self {
            Self::Gif => 15,
            Self::WebM | Self::Mp4 => 30,
        }
    }
}

/// A picture of the film.
pub(super) struct QueuedFrame {
    /// The pixels as of [`Picture::rgb`].
    pub(super) pixels: Vec<u32>,
    /// Number of frames since the picture before, which is shown until this one.
    pub(super) frames: u64,
}

/// Says where a film is.
pub(super) fn recorded_text(frames: u64, rate: u32, path: &Path) -> String {
    let seconds = duration(frames, rate).as_secs_f64();
    format!("recorded {seconds:.1} s as {}", path.display())
}

/// Returns a number of frames as a time.
pub(super) fn duration(frames: u64, rate: u32) -> Duration {
    Duration::from_secs_f64(frames as f64 / f64::from(rate))
}
