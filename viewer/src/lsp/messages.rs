//! The way of messages: from the standard input to the server, and from the server to the standard output, on two threads.

use std::io::{self, BufRead, ErrorKind, Read, stdin, stdout};
use std::thread::{self, JoinHandle};

use crossbeam_channel::bounded;
use flockwork_lsp::CanceledRequests;
use lsp_server::{Connection, Message};

/// Bytes of the longest line of a header.
const MAX_HEADER: u64 = 4096;

/// Bytes of the longest message: several times the size of a file that is too large to be read.
const MAX_MESSAGE: u64 = 256 << 20;

/// The threads that read and write.
pub(super) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

/// Number of messages that are read before the server takes them.
const MAX_WAITING: usize = 1000;

/// Connects the server with the standard input and output. Requests that the editor cancels are noted at once.
pub(super) fn connect(canceled: CanceledRequests) -> io::Result<(Connection, Threads)> {
    let (to_server, receiver) = bounded(MAX_WAITING);
    let (sender, from_server) = bounded::<Message>(0);
    let read = move || {
        let mut input = stdin().lock();
        while let Some(message) = read_message(&mut input)? {
            if matches!(&message, Message::Notification(one) if canceled.take(one)) {
                continue;
            }
            let is_exit = matches!(&message, Message::Notification(one) if one.method == "exit");
            if to_server.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    };
    let write = move || {
        let mut output = stdout().lock();
        from_server.into_iter().try_for_each(|message| message.write(&mut output))
    };
    let reader = thread::Builder::new().name("lsp reader".to_owned()).spawn(read)?;
    let writer = thread::Builder::new().name("lsp writer".to_owned()).spawn(write)?;
    Ok((Connection { sender, receiver }, Threads { reader, writer }))
}

impl Threads {
    /// Waits until the threads end, and returns what went wrong in them.
    pub(super) fn join(self) -> io::Result<()> {
        let ended = |thread: JoinHandle<io::Result<()>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        // If the editor no longer listens, it may not write either.
        ended(self.writer)?;
        ended(self.reader)
    }
}

/// Reads a message; `None` at the end of the input.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    // Grows while it is read, so that a wrong length costs nothing.
    let mut content = Vec::new();
    input.take(length).read_to_end(&mut content)?;
    if (content.len() as u64) < length {
        let got = content.len();
        return Err(wrong(format!("the input ends after {got} of {length} bytes of a message")));
    }
    let message = serde_json::from_slice(&content);
    message.map(Some).map_err(|error| wrong(format!("this message cannot be read: {error}")))
}

/// Reads the header of a message, and returns the number of bytes of the message; `None` at the end of the input.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let (mut length, mut line) = (None, Vec::new());
    loop {
        line.clear();
        input.take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let shown = text.trim_end().chars().take(80).collect::<String>();
        if !line.ends_with(b"\n") {
            return Err(wrong(format!("this line of a header does not end: {shown:?}")));
        }
        if text.trim_end().is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            let what = "expected `Content-Length: ` and the number of bytes of the message";
            return Err(wrong(format!("{what}, found {shown:?}")));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let bytes = value.trim().parse().ok().filter(|bytes| *bytes <= MAX_MESSAGE);
            let Some(bytes) = bytes else {
                let most = MAX_MESSAGE >> 20;
                return Err(wrong(format!(
                    "expected a message of at most {most} MiB, found {shown:?}"
                )));
            };
            length = Some(bytes);
        }
    }
    match length {
        Some(length) => Ok(Some(length)),
        None => Err(wrong("a header has no `Content-Length`".to_owned())),
    }
}

fn wrong(what: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}
