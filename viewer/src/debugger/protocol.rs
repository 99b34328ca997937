//! The messages of the Debug Adapter Protocol: a header with a length, and a JSON object.
//!
//! <https://microsoft.github.io/debug-adapter-protocol/specification>

use std::io::{self, BufRead, Write};

use serde::Deserialize;
use serde_json::{Value, json};

/// A request of an editor.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Request {
    seq: i64,
    /// What is asked for.
    pub(super) command: String,
    /// What it is about.
    #[serde(default)]
    pub(super) arguments: Value,
}

/// Maximum length of a message.
const MAX_BYTES: usize = 16 << 20;

/// Reads the next request; `None` at the end.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Request>> {
    let wrong = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message.to_owned());
    let mut length = None;
    let mut line = String::new();
    loop {
        line.clear();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some((name, value)) = header.split_once(':')
                    && name.eq_ignore_ascii_case("Content-Length")
                {
                    length = value.trim().parse().ok();
                }
            }
        }
    }
    let length: usize = length.ok_or_else(|| wrong("a message without `Content-Length`"))?;
    if length > MAX_BYTES {
        return Err(wrong("a message is too long"));
    }
    let mut content = vec![0; length];
    from.read_exact(&mut content)?;
    serde_json::from_slice(&content).map(Some).map_err(|error| wrong(&error.to_string()))
}

/// The way to the editor.
pub(super) struct Editor<W: Write> {
    to: W,
    sent: i64,
}

impl<W: Write> Editor<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, sent: 0 }
    }

    /// Answers a request.
    pub(super) fn answer(&mut self, to: &Request, body: Value) -> io::Result<()> {
        self.send(json!({
            "type": "response", "request_seq": to.seq, "command": to.command, "success": true, "body": body,
        }))
    }

    /// Says why a request cannot be answered.
    pub(super) fn refuse(&mut self, to: &Request, why: &str) -> io::Result<()> {
        self.send(json!({
            "type": "response", "request_seq": to.seq, "command": to.command, "success": false, "message": why,
            "body": { "error": { "id": 1, "format": why.replace('{', "{{").replace('}', "}}"), "showUser": to.command != "evaluate" } },
        }))
    }

    /// Tells about an event.
    pub(super) fn tell(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.sent += 1;
        message["seq"] = self.sent.into();
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_broken_ones_are_errors() {
        let request = r#"{"seq":3,"type":"request","command":"next"}"#;
        let text = format!("content-length: {}\r\nOther: x\r\n\r\n{request}", request.len());
        let read = |text: &str| read(&mut text.as_bytes());
        let found = read(&text).unwrap().unwrap();
        assert_eq!((found.seq, &*found.command, found.arguments), (3, "next", Value::Null));
        assert!(read("").unwrap().is_none());
        for broken in [
            "\r\n",
            "Content-Length: 99999999999\r\n\r\n",
            "Content-Length: 9\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{}",
        ] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
