//! Reading a golden, with a message for every way in which it can be damaged.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::bands::{Band, BandTerms};
use super::keyframe::Keyframe;
use super::scenario_names::ScenarioNames;
use super::string_pool::StringPool;
use super::text::{LineParser, SyntaxError};
use super::{
    FIRST_WORDS, Fingerprint, Golden, GoldenBody, Header, Mode, Terms, Tolerance, Track, VERSION,
};
use crate::diag::{Diagnostic, Source};
use crate::trace::Measure;

/// A golden that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenError {
    /// The error.
    pub diagnostic: Box<Diagnostic>,
    /// True if a newer Flockwork wrote it; then it must not be overwritten.
    pub is_newer: bool,
}

impl Golden {
    /// Reads a golden.
    ///
    /// # Errors
    ///
    /// If the file is not a golden, is incomplete, has a newer format, or was changed after it was written.
    pub fn parse(source: &Arc<Source>) -> Result<Self, GoldenError> {
        let text = source.text.as_str();
        check_whole(source)?;
        let mut reader = GoldenReader {
            source,
            lines: GoldenLines { text, at: 0 },
            shared: StringPool::default(),
        };
        reader.golden()
    }
}

/// Checks the first line and the checksum. After that, other errors in the content are unlikely.
fn check_whole(source: &Arc<Source>) -> Result<(), GoldenError> {
    let text = source.text.as_str();
    let wrong = |message: &str| GoldenError {
        diagnostic: Box::new(Diagnostic::error(message)),
        is_newer: false,
    };
    let at_line = |line: &str, message: &str, label: &str| {
        let at = line.as_ptr().addr() - text.as_ptr().addr();
        let why = Diagnostic::error(message).at(source, at..at + line.len()).label(label);
        GoldenError { diagnostic: Box::new(why), is_newer: false }
    };
    let name = &source.name;
    if text.trim().is_empty() {
        return Err(wrong(&format!("{name} is empty")));
    }
    let marks = ["<<<<<<< ", "=======", ">>>>>>> "];
    let conflict = |line: &&str| marks.iter().any(|mark| line.starts_with(mark));
    if let Some(line) = text.lines().find(conflict) {
        return Err(at_line(line, "the golden has a merge conflict", "left by a merge"));
    }
    let first = text.lines().next().unwrap_or_default();
    let version =
        first.strip_prefix(FIRST_WORDS).and_then(|version| version.trim().parse::<u32>().ok());
    match version {
        Some(VERSION) => {}
        Some(other) => {
            let mut newer = at_line(
                first,
                &format!(
                    "the golden has format {other}, but this Flockwork reads format {VERSION}"
                ),
                "written by a newer Flockwork",
            );
            newer.is_newer = true;
            newer.diagnostic.help.push("use a newer Flockwork, or delete the golden".into());
            return Err(newer);
        }
        None => {
            let message = format!("this is not a golden: it does not begin with `{FIRST_WORDS}`");
            return Err(at_line(first, &message, ""));
        }
    }
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    let Some(checksum) = last.strip_prefix("end ") else {
        return Err(at_line(
            last,
            "the golden is cut off",
            "expected more lines, up to a line that begins with `end`",
        ));
    };
    let body = text.trim_end();
    let body = &body[..body.len() - last.len()];
    let found = if body.contains('\r') {
        xxh3_64(body.replace("\r\n", "\n").as_bytes())
    } else {
        xxh3_64(body.as_bytes())
    };
    if u64::from_str_radix(checksum.trim(), 16) != Ok(found) {
        let changed = "the golden was changed after it was written";
        return Err(at_line(last, changed, "this checksum does not match the lines above"));
    }
    Ok(())
}

/// The lines of a text, with their positions.
struct GoldenLines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> GoldenLines<'t> {
    /// Returns the next line and where it begins, without consuming it.
    fn peek(&self) -> (usize, &'t str) {
        let line = self.text[self.at..].lines().next().unwrap_or_default();
        (self.at, line)
    }

    fn next(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
    }
}

struct GoldenReader<'t> {
    source: &'t Arc<Source>,
    lines: GoldenLines<'t>,
    /// The strings that the agents of all states remember.
    shared: StringPool,
}

impl<'t> GoldenReader<'t> {
    fn golden(&mut self) -> Result<Golden, GoldenError> {
        self.lines.next();
        let header = self.header()?;
        let body = if matches!(header.terms.mode, Mode::Bands(_)) {
            GoldenBody::Bands(self.bands()?)
        } else {
            GoldenBody::Track(self.track(&header)?)
        };
        Ok(Golden { header, body })
    }

    /// Reads a line that must begin with `word`; any line if `word` is empty.
    fn line<T>(
        &mut self,
        word: &'static str,
        read: impl FnOnce(&mut LineParser<'t>) -> Result<T, SyntaxError>,
    ) -> Result<T, GoldenError> {
        let (start, text) = self.lines.peek();
        let mut line = LineParser::new(text);
        let begun = if word.is_empty() { Ok(()) } else { line.expect(word) };
        let done = begun.and_then(|()| read(&mut line)).and_then(|read| {
            if line.is_done() { Ok(read) } else { Err(line.wrong("the end of the line")) }
        });
        match done {
            Ok(read) => {
                self.lines.next();
                Ok(read)
            }
            Err(wrong) => Err(self.wrong(start, wrong)),
        }
    }

    fn begins(&self, word: &str) -> bool {
        LineParser::new(self.lines.peek().1).takes(word)
    }

    fn wrong(&self, start: usize, wrong: SyntaxError) -> GoldenError {
        let found = Diagnostic::error(format!("expected {}", wrong.expected))
            .at(self.source, start + wrong.at.start..start + wrong.at.end);
        GoldenError { diagnostic: Box::new(found), is_newer: false }
    }

    fn header(&mut self) -> Result<Header, GoldenError> {
        let print = |line: &mut LineParser<'t>| {
            Ok(Fingerprint { name: line.name()?.to_string(), hash: line.hex(16)? })
        };
        let scenario = self.line("scenario", print)?;
        let mut scripts = Vec::new();
        while self.begins("script") {
            scripts.push(self.line("script", print)?);
        }
        let seed = self.line("seed", |line| line.parse("an integer"))?;
        let dt = self.line("dt", LineParser::number)?;
        let mode = self.line("mode", mode)?;
        let ticks = |line: &mut LineParser<'t>| match line.parse("a number of ticks")? {
            0 => Err(line.wrong("a number of ticks above 0")),
            ticks => Ok(ticks),
        };
        let from =
            if self.begins("from") { self.line("from", |line| line.parse("a tick"))? } else { 0 };
        let every = self.line("every", ticks)?;
        let until = self.line("until", ticks)?;
        let names = ScenarioNames {
            groups: self.line("groups", names)?,
            paths: self.line("paths", names)?,
        };
        let reason = self.line("reason", LineParser::quoted)?;
        Ok(Header {
            scenario,
            scripts,
            seed,
            dt,
            terms: Terms { mode, from, every, until },
            names,
            reason: reason.to_string(),
        })
    }

    fn track(&mut self, header: &Header) -> Result<Track, GoldenError> {
        let mut track = Track { from: header.terms.from, ..Track::default() };
        let names = &header.names;
        while !self.begins("end") {
            if self.begins("+") {
                let known = track.end();
                let hashes = self.line("+", |line| {
                    if line.parse::<u64>("a tick")? != known {
                        return Err(line.wrong("the tick after the last hash"));
                    }
                    let mut hashes = Vec::new();
                    while !line.is_done() {
                        hashes.push(line.hex(8)? as u32);
                    }
                    Ok(hashes)
                })?;
                track.hashes.extend(hashes);
                continue;
            }
            let start = self.lines.peek().0;
            let keyframe = self.keyframe(names)?;
            let follows = track.keyframes.last().is_none_or(|last| last.tick < keyframe.tick);
            if !follows || Some(keyframe.tick) != track.end().checked_sub(1) {
                let at = start..start + "tick".len();
                let expected = "the tick of the last hash";
                return Err(self.wrong(0, SyntaxError { at, expected: expected.into() }));
            }
            track.keyframes.push(keyframe);
        }
        let until = header.terms.until;
        let ends = track.keyframes.last().is_some_and(|last| last.tick == until);
        if !ends || track.keyframes[0].tick != track.from {
            let at = self.lines.at..self.lines.at;
            let expected = "a keyframe at the first tick and at the last";
            return Err(self.wrong(0, SyntaxError { at, expected: expected.into() }));
        }
        Ok(track)
    }

    /// Reads a keyframe: the line `tick` and all following lines that belong to it.
    fn keyframe(&mut self, names: &ScenarioNames) -> Result<Keyframe, GoldenError> {
        let mut keyframe = self.line("tick", |line| Keyframe::read(line, names))?;
        loop {
            if self.begins("cursor") {
                self.line("cursor", |line| keyframe.read_cursor(line))?;
            } else if self.begins("down") {
                self.line("down", |line| keyframe.read_down(line))?;
            } else if self.begins("absent") {
                self.line("absent", |line| keyframe.read_absent(line))?;
            } else if self.begins("moves") {
                self.line("moves", |line| keyframe.read_moving(line, names))?;
            } else if self.begins("spent") {
                self.line("spent", |line| keyframe.read_spent(line))?;
            } else if self.begins("message") {
                self.line("message", |line| keyframe.read_message(line, names))?;
            } else if self.begins("layer") {
                self.line("layer", |line| keyframe.read_layer(line))?;
            } else if self.begins("shared") {
                self.line("shared", |line| keyframe.read_shared(line))?;
            } else if self.begins("param") {
                self.line("param", |line| keyframe.read_param(line, names))?;
            } else if self.begins("goals") {
                self.line("goals", |line| keyframe.read_goals(line, names))?;
            } else if self.lines.peek().1.starts_with(|c: char| c.is_ascii_digit()) {
                let mut shared = std::mem::take(&mut self.shared);
                self.line("", |line| keyframe.read_agent(line, names, &mut shared))?;
                self.shared = shared;
            } else {
                keyframe.shrink_to_fit();
                return Ok(keyframe);
            }
        }
    }

    fn bands(&mut self) -> Result<Vec<Band>, GoldenError> {
        let mut bands = Vec::new();
        while !self.begins("end") {
            bands.push(self.line("band", |line| {
                Ok(Band {
                    tick: line.parse("a tick")?,
                    measure: measure(line)?,
                    low: line.number()?,
                    median: line.number()?,
                    high: line.number()?,
                })
            })?);
        }
        Ok(bands)
    }
}

/// The largest number of names: ids have 16 bits.
const MAX_NAMES: usize = 65_535;

/// Reads all names on a line.
fn names(line: &mut LineParser<'_>) -> Result<Vec<Arc<str>>, SyntaxError> {
    let mut names = Vec::new();
    while !line.is_done() {
        if names.len() == MAX_NAMES {
            return Err(line.wrong("at most 65535 names"));
        }
        names.push(line.name()?);
    }
    Ok(names)
}

fn mode(line: &mut LineParser<'_>) -> Result<Mode, SyntaxError> {
    if line.takes("exact") {
        return Ok(Mode::Exact);
    }
    if line.takes("within") {
        return tolerance(line).map(Mode::Within);
    }
    if line.takes("windows") {
        return tolerance(line).map(Mode::Windows);
    }
    if !line.takes("bands") {
        return Err(line.wrong("`exact`, `within`, `windows` or `bands`"));
    }
    let seeds = line.parse("a number of seeds")?;
    let (low, high) = (line.number()?, line.number()?);
    let mut measures = Vec::new();
    while !line.is_done() {
        measures.push(measure(line)?);
    }
    Ok(Mode::Bands(BandTerms { seeds, low, high, measures }))
}

fn tolerance(line: &mut LineParser<'_>) -> Result<Tolerance, SyntaxError> {
    line.expect("position")?;
    let position = line.number()?;
    let mut also = |word| line.takes(word).then(|| line.number()).transpose();
    let (velocity, share) = (also("velocity")?, also("share")?);
    Ok(Tolerance { position, velocity, share: share.unwrap_or(1.0) })
}

fn measure(line: &mut LineParser<'_>) -> Result<Measure, SyntaxError> {
    let before = *line;
    let name = line.name()?;
    let known = Measure::ALL.iter().find(|measure| measure.name() == &*name);
    known.copied().ok_or_else(|| {
        *line = before;
        line.wrong("the name of a measure")
    })
}
