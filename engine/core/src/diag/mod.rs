//! Diagnostics: errors, warnings and notes about scenarios, scripts and goldens, all shown in the same way.
//!
//! A [`Diagnostic`] says what is wrong, where (file, line, column and a snippet), what was expected, and which valid
//! name is nearest. This module describes and renders them. It must never read files.

pub mod brackets;
#[cfg(test)]
pub(crate) mod cases;
mod code;
mod findings;
mod fix;
mod numbers;
mod reference_words;

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

pub use code::Code;
pub use findings::Diagnostics;
pub use fix::Fix;
pub use fix::{Declared, Remedies, Remedy};
pub use numbers::{decimal_points, leading_zeros};
pub use reference_words::{reference_words, set_reference_words};

/// The contents of a file, with the name that users know it by: usually its path.
#[derive(Debug)]
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// Its contents.
    pub text: String,
    /// Byte offsets of the starts of its lines, computed when first needed.
    lines: OnceLock<Vec<usize>>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.text == other.text
    }
}

impl Eq for Source {}

impl Hash for Source {
    /// Hashes only the name, because two files rarely have the same one.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Source {
    /// Creates a source from its name and its contents.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), lines: OnceLock::new() })
    }

    /// Returns the line and the column of a byte offset, both from 1. Columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = floor_char(&self.text, offset);
        let line = self.lines().partition_point(|&start| start <= offset);
        let column = self.text[self.line_start(line)..offset].chars().count() + 1;
        (line, column)
    }

    /// Returns the byte offset of a line and a column, both from 1; the end of the text if it has fewer.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.line_start(line);
        self.text[start..]
            .char_indices()
            .nth(column.saturating_sub(1))
            .map_or(self.text.len(), |(i, _)| start + i)
    }

    /// Returns the line at a byte offset, without its line break.
    pub fn line_at(&self, offset: usize) -> &str {
        let (line, _) = self.line_column(offset);
        let line = &self.text[self.line_start(line)..self.line_start(line + 1)];
        line.trim_end_matches(['\n', '\r'])
    }

    /// Returns the byte offset of the start of a line, from 1; the end of the text if it has fewer lines.
    fn line_start(&self, line: usize) -> usize {
        let start = self.lines().get(line.saturating_sub(1));
        start.copied().unwrap_or(self.text.len())
    }

    /// Returns the byte offsets of the starts of its lines: always at least one.
    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(end, _)| end + 1);
            [0].into_iter().chain(ends).collect()
        })
    }

    /// Returns the range of the word, number or sign that starts at a byte offset.
    pub fn token(&self, offset: usize) -> Range<usize> {
        let start = floor_char(&self.text, offset);
        let rest = &self.text[start..];
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = if word > 0 {
            word
        } else {
            rest.chars().next().filter(|c| !c.is_whitespace()).map_or(0, char::len_utf8)
        };
        start..start + length
    }
}

/// Returns the start of the character that a byte offset is in.
fn floor_char(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// It runs, but probably not as intended.
    Warning,
    /// It cannot run.
    Error,
}

/// A range in a source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The range in bytes.
    pub span: Range<usize>,
}

/// A finding: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The kind of finding.
    pub code: Code,
    /// The description of the problem, in one line, lowercase, without a full stop.
    pub message: String,
    /// The place in a file that it is about, if there is one.
    pub place: Option<Place>,
    /// A few words shown below the place.
    pub label: String,
    /// Other places that belong to it, such as a declaration, with a few words about each.
    pub related: Vec<(Place, String)>,
    /// Advice and other help; each entry is shown on its own line.
    pub help: Vec<String>,
    /// The remedies that may resolve it: see [`Diagnostic::fixes`].
    pub remedies: Remedies,
    /// The arguments that it is about, if its place is to be theirs, and is not known yet.
    pub arguments: Option<WrongArguments>,
}

/// Arguments of a call that are wrong. Indices are from 0, and count a value before the dot as the first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongArguments {
    /// One argument.
    One(usize),
    /// A number where a point is wanted: it and the next one may be its coordinates.
    Point(usize),
    /// One argument that stands where the next one should, and the other way round.
    Swapped(usize),
    /// More than the function takes: those from an index on.
    From(usize),
    /// A number of arguments at the beginning, which belong into an array.
    NotInArray(usize),
    /// The agent that acts, which belongs before the dot.
    Agent(usize),
    /// None, but the function needs neighbors.
    NoNeighbors,
    /// The only one is the number up to which a range counts.
    UpTo,
    /// The left or right operand of an operator, which is meant to be followed by a property.
    Operand {
        /// Whether it is the left one.
        is_left: bool,
        /// What follows it, such as `.count`.
        add: &'static str,
    },
}

impl Diagnostic {
    /// Creates an error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code: Code::Invalid,
            message: message.into(),
            place: None,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
            remedies: Remedies::default(),
            arguments: None,
        }
    }

    /// Creates a warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// Creates a note without a place.
    pub fn note(message: impl Into<String>) -> Self {
        Self { severity: Severity::Note, ..Self::error(message) }
    }

    /// Sets how serious it is.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the code.
    #[must_use]
    pub fn code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Sets the arguments that it is about.
    #[must_use]
    pub fn arguments(mut self, wrong: WrongArguments) -> Self {
        self.arguments = Some(wrong);
        self
    }

    /// Adds another place that belongs to it.
    #[must_use]
    pub fn related(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }

    /// Returns whether a comment such as `// check: allow(unused-param)` silences it, on its line or the line above.
    /// Errors cannot be silenced.
    pub fn is_silenced(&self) -> bool {
        self.severity < Severity::Error
            && self.place.as_ref().is_some_and(|place| {
                let text = &place.source.text;
                code::is_allowed(text, floor_char(text, place.span.start), self.code)
            })
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Range<usize>) -> Self {
        self.place = Some(Place { source: Arc::clone(source), span });
        self
    }

    /// Sets the words shown below the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Returns the message, and behind it the first line of help.
    pub fn in_one_line(&self) -> String {
        let help = self.help.first().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}{help}", self.message)
    }

    /// Adds a line of help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds the valid name that is nearest to a wrong one as help, and the list of valid names if it is short.
    #[must_use]
    pub fn suggest<'a>(mut self, wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> Self {
        if self.code == Code::Invalid {
            self.code = Code::UnknownName;
        }
        let mut valid: Vec<&str> = valid.into_iter().filter(|name| *name != wrong).collect();
        valid.sort_unstable();
        valid.dedup();
        let this = match nearest(wrong, valid.iter().copied()) {
            Some(name) => self.meant(wrong, name),
            None => self,
        };
        match valid.len() {
            0 => this,
            1..=24 => this.help(format!("known: {}", valid.join(", "))),
            _ => this,
        }
    }

    /// Returns the message and all that helps in one line.
    pub fn all_in_one_line(&self) -> String {
        let mut line = self.message.clone();
        for help in &self.help {
            let mut letters = help.chars();
            match letters.next() {
                // A question ends its sentence.
                Some(first) if line.ends_with('?') => {
                    line.push(' ');
                    line.extend(first.to_uppercase().chain(letters));
                }
                _ => line = format!("{line}; {help}"),
            }
        }
        line
    }

    /// Returns the place as `file:line:column`; empty without a place.
    pub fn position(&self) -> String {
        self.place.as_ref().map_or_else(String::new, Place::to_string)
    }

    /// Returns one snippet for each file, with all places in it marked.
    fn snippets(&self) -> Vec<(Snippet<'_, Annotation<'_>>, Option<[String; 2]>)> {
        let own = self.place.iter().map(|place| {
            let label = self.label.as_str();
            (place, label, AnnotationKind::Primary)
        });
        let related = self
            .related
            .iter()
            .map(|(place, label)| (place, label.as_str(), AnnotationKind::Context));
        let mut files: Vec<(&Source, Vec<LabeledSpan<'_>>)> = Vec::new();
        for (place, label, kind) in own.chain(related) {
            if kind == AnnotationKind::Context && self.is_far(place) {
                continue;
            }
            let source = place.source.as_ref();
            let file = files.iter().position(|(known, _)| *known == source);
            let file = file.unwrap_or_else(|| {
                files.push((source, Vec::new()));
                files.len() - 1
            });
            files[file].1.push((marked(place), label, kind));
        }
        let files = files.into_iter();
        files.map(|(source, marks)| snippet(source, marks)).collect()
    }

    /// Returns whether a place is in the same file as the place of the finding, but so far away that a snippet with both
    /// would show all of a long line or be very long.
    fn is_far(&self, other: &Place) -> bool {
        self.place.as_ref().is_some_and(|place| {
            let (a, b) = (place.span.start, other.span.start);
            let between = place.source.text.get(a.min(b)..a.max(b));
            place.source == other.source
                && between.is_some_and(|text| {
                    text.len() > MAX_SHOWN_BYTES
                        || (text.len() > MAX_MARKED_BYTES && !text.contains('\n'))
                })
        })
    }

    /// Renders the finding as text with snippets, optionally with terminal colors.
    pub fn render(&self, colors: bool) -> String {
        let level = match self.severity {
            Severity::Note => Level::NOTE,
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let message = shortened(&self.message);
        let title = level.primary_title(message.as_ref());
        // Warnings show their code, by which they can be silenced.
        let title = match self.severity {
            Severity::Warning => title.id(self.code.name()),
            Severity::Note | Severity::Error => title,
        };
        let mut group = Group::with_title(title);
        let mut heads = Vec::new();
        for (snippet, head) in self.snippets() {
            group = group.element(snippet);
            heads.extend(head);
        }
        for (place, label) in &self.related {
            if self.is_far(place) {
                let note = format!("{label}: {place}");
                group = group.element(Level::NOTE.message(shortened(&note).into_owned()));
            }
        }
        for help in &self.help {
            group = group.element(Level::HELP.message(shortened(help)));
        }
        let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
        let rendered = renderer.render(&[group]);
        heads.iter().fold(rendered, |rendered, [shown, right]| rendered.replacen(shown, right, 1))
    }
}

/// Length in bytes of the longest message that is shown completely. A name can be as long as its file.
const MAX_MESSAGE_BYTES: usize = 2000;
/// Length in bytes of the longest line that is marked completely.
const MAX_MARKED_BYTES: usize = 160;
/// Length in bytes of the longest part of a file that is shown. Lines in it that are not marked are left out.
const MAX_SHOWN_BYTES: usize = 100_000;
/// Length in bytes of the longest name that is compared with others, which takes quadratic time.
const MAX_COMPARED_BYTES: usize = 200;

/// Returns a message, or its start and its end if it is too long.
fn shortened(message: &str) -> Cow<'_, str> {
    if message.len() <= MAX_MESSAGE_BYTES {
        return message.into();
    }
    let start = &message[..floor_char(message, MAX_MESSAGE_BYTES / 2)];
    let end = &message[floor_char(message, message.len() - MAX_MESSAGE_BYTES / 4)..];
    format!("{start} ... {end}").into()
}

/// Number of bytes around the marks of a long line that are rendered. Far more than are shown.
const MAX_AROUND_BYTES: usize = 1000;

/// A range of bytes to mark, its label, and the kind of mark.
type LabeledSpan<'a> = (Range<usize>, &'a str, AnnotationKind);

/// Returns the snippet of a file: the lines from the first mark to the last. Of long lines only the part around the marks is
/// in it, since rendering takes as long as its lines; then there are also the place that its head shows, and the right one.
fn snippet<'a>(
    source: &'a Source,
    marks: Vec<LabeledSpan<'a>>,
) -> (Snippet<'a, Annotation<'a>>, Option<[String; 2]>) {
    let text = source.text.as_str();
    let first = marks.iter().map(|(span, ..)| span.start).min();
    let last = marks.iter().map(|(span, ..)| span.end).max();
    let (first, last) = (first.unwrap_or(0), last.unwrap_or(text.len()));
    let line = source.line_column(first).0;
    let line_start = source.line_start(line);
    let start = line_start.max(floor_char(text, first.saturating_sub(MAX_AROUND_BYTES)));
    let end = source.line_start(source.line_column(last).0 + 1);
    let end = end.min(floor_char(text, last.saturating_add(MAX_AROUND_BYTES)));
    let head = marks.iter().find(|(.., kind)| *kind == AnnotationKind::Primary);
    let head = head.or_else(|| marks.iter().min_by_key(|(span, ..)| span.start));
    let head = head.filter(|_| start > line_start).map(|(span, ..)| {
        let (line, column) = source.line_column(span.start);
        let shown = text[start..span.start].chars().count() + 1;
        [shown, column].map(|column| format!("{}:{line}:{column}", source.name))
    });
    let marks = marks.into_iter().map(|(span, label, kind)| {
        let mark = kind.span(span.start - start..span.end - start);
        if label.is_empty() { mark } else { mark.label(label) }
    });
    let snippet = Snippet::source(&text[start..end])
        .path(source.name.as_str())
        .line_start(line)
        .annotations(marks);
    (snippet, head)
}

/// Returns the bytes of a place to mark: only a part if its lines are long, because marked lines are shown completely.
fn marked(place: &Place) -> Range<usize> {
    let text = place.source.text.as_str();
    let start = floor_char(text, place.span.start);
    let end = floor_char(text, place.span.end.max(start));
    let end = floor_char(text, end.min(start + MAX_SHOWN_BYTES));
    let mut lines = text[start..end].lines();
    let is_long = |line: &str| line.len() > MAX_MARKED_BYTES;
    if lines.next().is_some_and(is_long) || lines.next_back().is_some_and(is_long) {
        start..floor_char(text, start + MAX_MARKED_BYTES)
    } else {
        start..end
    }
}

impl Place {
    /// Returns what is written there.
    pub fn text(&self) -> &str {
        &self.source.text[self.span.clone()]
    }
}

/// Writes file, line and column: `scripts/shy.rhai:4:7`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.source.line_column(self.span.start);
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostic {}

/// Returns whether a character is none that can be seen, but controls a terminal, ends a line, or changes the direction of
/// writing.
pub fn is_invisible_control(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns the valid name that is nearest to a wrong one, if one is near enough to be meant: at most a third of its letters
/// are mistyped, or one name is the beginning of the other.
pub fn nearest<'a>(wrong: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    let is_short = |name: &&str| name.len() <= MAX_COMPARED_BYTES;
    for name in valid.into_iter().filter(|name| is_short(name) && is_short(&wrong)) {
        let share = mistyped_share(&wrong.to_lowercase(), &name.to_lowercase());
        if share.is_some_and(|share| best.is_none_or(|(least, _)| share < least)) {
            best = share.map(|share| (share, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Returns which share of the letters must be changed to turn one name into the other; `None` if nobody would mistype it
/// like that.
fn mistyped_share(a: &str, b: &str) -> Option<f64> {
    let (a_length, b_length) = (a.chars().count(), b.chars().count());
    let (shorter, longer) = (a_length.min(b_length), a_length.max(b_length));
    let is_beginning = || a.starts_with(b) || b.starts_with(a);
    // Such as `spd` for `speed`: it begins like the word and has only consonants.
    let is_abbreviation = || {
        !a.contains(['a', 'e', 'i', 'o', 'u'])
            && a.chars().next() == b.chars().next()
            && is_within(a, b)
    };
    let is_part = shorter >= 3 && shorter * 2 >= longer && (is_beginning() || is_abbreviation());
    let most = if is_part { longer - shorter } else { longer / 3 };
    if longer - shorter > most {
        return None;
    }
    let distance = strsim::osa_distance(a, b);
    (distance <= most).then(|| distance as f64 / longer as f64)
}

/// Returns whether a word has all letters of a shorter one in their order.
fn is_within(shorter: &str, word: &str) -> bool {
    let mut letters = word.chars();
    shorter.chars().all(|letter| letters.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_positions_convert_both_ways() {
        let source = Source::new("a.ron", "one\nzwölf drei\n");
        assert_eq!(source.line_column(4), (2, 1));
        let at = source.offset(2, 7);
        assert_eq!(&source.text[source.token(at)], "drei");
        assert_eq!(source.line_column(at), (2, 7));
        assert_eq!(source.offset(99, 1), source.text.len());
    }

    #[test]
    fn a_finding_shows_file_line_column_snippet_and_help() {
        let source = Source::new("a.ron", "one\ntwo three\n");
        let text = Diagnostic::error("no group `three`")
            .at(&source, 8..13)
            .label("not declared")
            .suggest("three", ["tree"])
            .render(false);
        for part in [
            "error: no group `three`",
            "a.ron:2:5",
            "two three",
            "not declared",
            "did you mean `tree`?",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_place_past_the_end_is_shown_at_the_end() {
        let source = Source::new("a.ron", "äö");
        assert!(Diagnostic::error("x").at(&source, 3..99).render(false).contains("a.ron"));
        assert!(
            Diagnostic::error("x")
                .at(&Source::new("e", ""), 0..0)
                .render(false)
                .contains("error: x")
        );
    }

    /// Caught: the message about a scenario in a single long line was as long as the scenario.
    #[test]
    fn long_messages_and_lines_are_shortened() {
        let long = "a".repeat(100_000);
        let source = Source::new("a.ron", long.as_str());
        let other = "b".repeat(100_000);
        let text = Diagnostic::error(format!("no group `{long}` at the end"))
            .at(&source, 0..long.len())
            .suggest(&long, [other.as_str()])
            .render(false);
        assert!(text.len() < 10_000, "{}", text.len());
        for part in ["error: no group `aaa", "aaa` at the end", "a.ron:1:1"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_line_is_found_by_its_bytes() {
        let source = Source::new("a", "one\r\ntwo");
        assert_eq!((source.line_at(2), source.line_at(99)), ("one", "two"));
    }

    /// Caught: names were suggested that share a few letters and nothing else.
    #[test]
    fn only_near_names_are_suggested() {
        for (wrong, other) in [("send", "sin"), ("die", "dither"), ("play", "explain"), ("x", "y")]
        {
            assert_eq!(nearest(wrong, [other]), None);
        }
        assert_eq!(nearest("patroll", ["patrol", "sneak"]), Some("patrol"));
        assert_eq!(nearest("xyz", ["patrol", "sneak"]), None);
        assert_eq!(nearest("hakw", ["hand", "hawk"]), Some("hawk"));
        assert_eq!(nearest("max_spd", ["max_force", "max_speed"]), Some("max_speed"));
        assert_eq!(nearest("neigh", ["seek", "neighbors"]), Some("neighbors"));
        assert_eq!(nearest("spd", ["pos", "speed"]), Some("speed"));
        assert_eq!(nearest("spd", ["spread_kind", "depends"]), None);
    }
}
