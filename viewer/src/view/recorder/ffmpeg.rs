//! Films that the program FFmpeg encodes: it reads raw frames and writes the file.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::thread;

use flockwork_engine::OutputFile;

use super::format::{FilmFormat, QueuedFrame, recorded_text};

/// Arguments for WebM: VP9, as fast as the frames come.
const WEBM: &str =
    "-c:v libvpx-vp9 -crf 30 -b:v 0 -deadline realtime -cpu-used 8 -row-mt 1 -f webm";
/// Arguments for MP4: H.264, which every program can show.
const MP4: &str = "-c:v libx264 -crf 20 -preset veryfast -movflags +faststart -f mp4";
/// Arguments for both: these encoders need an even width and height.
const PICTURES: &str = "-an -vf crop=trunc(iw/2)*2:trunc(ih/2)*2 -pix_fmt yuv420p";

/// A running FFmpeg.
pub(super) struct Ffmpeg {
    program: String,
    process: Child,
}

impl Ffmpeg {
    /// Starts FFmpeg for frames of a size in pixels.
    ///
    /// # Errors
    ///
    /// If it does not start, with what to do.
    pub(super) fn start(
        program: &str,
        format: FilmFormat,
        (width, height): (u32, u32),
        path: &Path,
    ) -> Result<Self, String> {
        let rate = format.rate();
        let input = format!(
            "-loglevel error -f rawvideo -pixel_format bgr0 -video_size {width}x{height} -framerate {rate} -i pipe:0"
        );
        let output = if format == FilmFormat::WebM { WEBM } else { MP4 };
        let mut file = OsString::from("file:");
        file.push(path);
        let mut command = Command::new(program);
        command.args([&input, PICTURES, output].into_iter().flat_map(|all| all.split(' ')));
        command.arg("-y").arg(file);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let process = command.spawn().map_err(|error| {
            format!("`{program}`, which is needed for .webm and .mp4, does not start ({error})")
        })?;
        Ok(Self { program: program.to_owned(), process })
    }

    /// Writes all frames and returns the message about the film.
    pub(super) fn write(
        mut self,
        queue: Receiver<QueuedFrame>,
        rate: u32,
        file: OutputFile,
        path: &Path,
    ) -> Result<String, String> {
        let stderr = self.process.stderr.take();
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            // An error can be ignored: the output is only needed for a message.
            let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut text));
            String::from_utf8_lossy(&text).into_owned()
        });
        let passed = self.pass(&queue);
        // The window sees that the film has ended.
        drop(queue);
        let status = self.process.wait();
        let errors = errors.join().unwrap_or_default();
        let frames = match (passed, status) {
            (Ok(frames), Ok(status)) if status.success() => frames,
            (passed, status) => {
                let program = &self.program;
                let why = errors.lines().next_back().map(str::to_owned);
                let why = why.or(passed.err().map(|error| error.to_string()));
                let why = why.or(status.ok().map(|status| status.to_string()));
                return Err(format!("`{program}` has failed: {}", why.unwrap_or_default()));
            }
        };
        if frames == 0 {
            return Err("no frame was shown".to_owned());
        }
        file.commit().map_err(|error| error.message)?;
        Ok(recorded_text(frames, rate, path))
    }

    /// Passes all frames on and returns their number.
    fn pass(&mut self, queue: &Receiver<QueuedFrame>) -> io::Result<u64> {
        let mut input = self.process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (mut last, mut frames) = (Vec::new(), 0);
        for frame in queue {
            for _ in 1..frame.frames {
                input.write_all(&last)?;
            }
            last.clear();
            last.extend(frame.pixels.iter().flat_map(|pixel| pixel.to_le_bytes()));
            input.write_all(&last)?;
            frames += frame.frames;
        }
        Ok(frames)
    }
}
