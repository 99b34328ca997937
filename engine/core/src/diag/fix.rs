//! Changes of source files that resolve findings, for editors and other tools. A [`Diagnostic`] keeps what may resolve
//! it as data, beside the same as help for people.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use super::{Diagnostic, Place, Source, code, floor_char};

/// A change of a text that resolves a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Fix {
    /// A description of the change, in one line that begins with a verb.
    pub title: String,
    /// The part of a text that it replaces. An empty part is a place to insert at.
    pub place: Place,
    /// The new text.
    pub text: String,
}

impl Fix {
    /// Creates a fix that replaces a part of a text.
    pub fn new(
        title: impl Into<String>,
        source: &Arc<Source>,
        span: Range<usize>,
        text: impl Into<String>,
    ) -> Self {
        let place = Place { source: Arc::clone(source), span };
        Self { title: title.into(), place, text: text.into() }
    }

    /// Returns the part of the text to replace and as many bytes for it, if blanks around it make enough room: all else stays at its place.
    pub fn in_place(&self) -> Option<(Range<usize>, String)> {
        let text = self.place.source.text.as_str();
        let mut range = self.place.span.clone();
        let is_apart = text[range.end..].starts_with(char::is_whitespace);
        let mut new = if is_apart { self.text.trim_end() } else { &self.text }.to_owned();
        let missing = |range: &Range<usize>| new.len().saturating_sub(range.len());
        let head = text[..range.start].trim_end_matches(' ');
        // A blank in front keeps words apart.
        let before = range.start - head.len();
        let before = if head.ends_with('\n') { before } else { before.saturating_sub(1) };
        range.start -= missing(&range).min(before);
        let after = text[range.end..].len() - text[range.end..].trim_start().len();
        range.end += missing(&range).min(after);
        if missing(&range) > 0 || new.contains('\n') {
            return None;
        }
        let rest = text[range.clone()].bytes().skip(new.len());
        let blank: String = rest.map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        new.push_str(&blank);
        Some((range, new))
    }
}

/// Something that a group of a scenario declares by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declared {
    /// A param.
    Param,
    /// A value of its agents' states that others may read.
    PublicState,
}

/// Something that may resolve a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Remedy {
    /// Another name in place of the first one that is written at the place of the finding, or behind it in the same line.
    Name {
        /// The name that is written.
        written: String,
        /// The replacement: a name, or an expression such as `me.pos` or `length()`.
        meant: String,
    },
    /// A property in place of the first call without arguments of a name that is written at the place of the finding, or behind it.
    Property {
        /// The name that is written.
        written: String,
        /// The name of the property.
        meant: String,
    },
    /// Something that a group does not declare.
    Declare {
        /// The name of the group.
        group: String,
        /// What it is.
        what: Declared,
        /// Its name.
        name: String,
    },
    /// The quotes of a param, which is to be a number: they are removed in the scenario.
    ParamInQuotes {
        /// The name of the param.
        name: String,
    },
    /// A script that does not exist.
    NewScript {
        /// Its name.
        name: String,
        /// What it may begin with.
        text: String,
    },
    /// A change of a text.
    Change(Fix),
}

/// The remedies of a finding, the best first. Findings that differ only in this are the same finding: one about a
/// shared script may be resolved in each of its scenarios.
#[derive(Clone, Debug, Default)]
pub struct Remedies(pub Vec<Remedy>);

impl PartialEq for Remedies {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Remedies {}

impl Hash for Remedies {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Diagnostic {
    /// Adds the name that is probably meant, as help and as a fix.
    #[must_use]
    pub fn meant(self, written: &str, meant: &str) -> Self {
        let (written, meant) = (written.to_owned(), meant.to_owned());
        self.help(format!("did you mean `{meant}`?")).remedy(Remedy::Name { written, meant })
    }

    /// Adds something that may resolve it.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedies.0.push(remedy);
        self
    }

    /// Adds a change of a part of a text that may resolve it.
    #[must_use]
    pub fn fix(
        self,
        title: impl Into<String>,
        source: &Arc<Source>,
        span: Range<usize>,
        text: impl Into<String>,
    ) -> Self {
        self.remedy(Remedy::Change(Fix::new(title, source, span, text)))
    }

    /// Returns the changes that resolve it, the best one first. A warning or a note can also be silenced, by the last one.
    pub fn fixes(&self) -> Vec<Fix> {
        let silence = self.place.as_ref();
        let silence = silence.and_then(|place| code::silence(self.severity, self.code, place));
        self.repairs().into_iter().chain(silence).collect()
    }

    /// Returns the changes that resolve it, the best one first, but none that only silences it.
    pub fn repairs(&self) -> Vec<Fix> {
        let Some(place) = &self.place else { return Vec::new() };
        let known = self.remedies.0.iter().filter_map(|remedy| match remedy {
            Remedy::Name { written, meant } => renamed(place, written, meant),
            Remedy::Property { written, meant } => uncalled(place, written, meant),
            Remedy::Change(fix) => Some(fix.clone()),
            // `check` knows the scenario, and has replaced it by a change there. Who shows the finding knows where scripts are.
            Remedy::Declare { .. } | Remedy::ParamInQuotes { .. } | Remedy::NewScript { .. } => {
                None
            }
        });
        known.collect()
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Properties whose own properties are names of scenarios and scripts.
const HOLDERS: [&str; 4] = ["params", "state", "inputs", "shared"];

/// Returns the word in the quotes and brackets that a text begins with, and their length.
fn quoted_argument(text: &str) -> Option<(&str, usize)> {
    let (word, _) = text.strip_prefix("(\"")?.split_once("\")")?;
    let is_word = !word.is_empty() && word.chars().all(is_letter);
    is_word.then_some((word, word.len() + 4))
}

/// Returns the fix that writes another name. `None` if the name that is written is not found, or if arguments are missing
/// that nobody can know.
fn renamed(place: &Place, written: &str, meant: &str) -> Option<Fix> {
    let text = place.source.text.as_str();
    let at = position_of(place, written)?;
    let after = &text[at + written.len()..];
    let (mut new, arguments) = match meant.find('(') {
        Some(open) => (&meant[..open], Some(&meant[open..])),
        None => (meant, None),
    };
    // `me.` may be written already.
    let is_number = meant.parse::<f32>().is_ok();
    if let Some((root, rest)) = new.split_once('.').filter(|_| !is_number) {
        let before = text[..at].trim_end();
        if before.strip_suffix('.').is_some_and(|before| before.ends_with(root)) {
            new = rest;
        } else if !["me", "world"].contains(&root) {
            // An example, such as `a.distance(b)`.
            return None;
        }
    }
    if let Some(holder) = HOLDERS.iter().find(|of| new.split('.').any(|word| word == **of)) {
        // A name in brackets is a property, and a name after a dot stays.
        let head = &new[..new.find(holder)? + holder.len()];
        let (new, length) = match quoted_argument(after) {
            Some((name, length)) => (format!("{head}.{name}"), length),
            None if after.starts_with('.') => (head.to_owned(), 0),
            None if after.starts_with('(') || new != head => return None,
            None => (new.to_owned(), 0),
        };
        let span = at..at + written.len() + length;
        return Some(Fix::new(format!("Write `{new}`"), &place.source, span, new));
    }
    let new = match arguments {
        None => new.to_owned(),
        Some(_) if after.starts_with('(') => new.to_owned(),
        Some("()") => format!("{new}()"),
        Some(_) => return None,
    };
    Some(Fix::new(format!("Write `{new}`"), &place.source, at..at + written.len(), new))
}

/// Returns the fix that writes a property in place of a call. `None` if the call is not found, or if it has arguments.
fn uncalled(place: &Place, written: &str, meant: &str) -> Option<Fix> {
    let text = place.source.text.as_str();
    let at = position_of(place, written)?;
    let after = text[at + written.len()..].strip_prefix('(')?.trim_start().strip_prefix(')')?;
    let call = at..text.len() - after.len();
    Some(Fix::new(format!("Write `{meant}`"), &place.source, call, meant))
}

/// Returns where a name is written at the place of a finding, or behind it in the same line.
fn position_of(place: &Place, written: &str) -> Option<usize> {
    let text = place.source.text.as_str();
    let start = floor_char(text, place.span.start);
    let line = text[start..].find('\n').map_or(text.len(), |end| start + end);
    let end = floor_char(text, place.span.end).max(line);
    text[start..end].match_indices(written).map(|(at, _)| start + at).find(|&at| {
        !text[..at].ends_with(is_letter) && !text[at + written.len()..].starts_with(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    /// Returns the text of a source after the first fix of a finding at a word.
    fn fixed(text: &str, word: &str, finding: impl Fn(Diagnostic) -> Diagnostic) -> Option<String> {
        let source = Source::new("a", text);
        let at = text.find(word).unwrap();
        let finding = finding(Diagnostic::error("x").at(&source, at..at + word.len()));
        let fix = finding.fixes().into_iter().next()?;
        let mut text = text.to_owned();
        text.replace_range(fix.place.span, &fix.text);
        Some(text)
    }

    #[test]
    fn a_name_is_replaced_where_it_is_written() {
        let suggest = |text: &str, word: &str, written: &str, meant: &str| {
            fixed(text, word, |finding| finding.meant(written, meant))
        };
        let same = |text: &str| Some(text.to_owned());
        assert_eq!(suggest("me.sek(a)", "sek", "sek", "seek"), same("me.seek(a)"));
        // The place is the call, the name is its argument.
        let call = "me.nearest(\"hakw\", hakws)";
        assert_eq!(suggest(call, "nearest", "hakw", "hawk"), same("me.nearest(\"hawk\", hakws)"));
        assert_eq!(suggest("v.mag()", "mag", "mag", "length()"), same("v.length()"));
        assert_eq!(suggest("v.mag", "mag", "mag", "length()"), same("v.length()"));
        assert_eq!(suggest("position", "position", "position", "me.pos"), same("me.pos"));
        assert_eq!(suggest("me.position", "position", "position", "me.pos"), same("me.pos"));
        assert_eq!(suggest("near(\"2.5\")", "near", "\"2.5\"", "2.5"), same("near(2.5)"));
        let uncall = |text: &str| {
            fixed(text, "size", |finding| {
                let (written, meant) = ("size".to_owned(), "count".to_owned());
                finding.remedy(Remedy::Property { written, meant })
            })
        };
        assert_eq!(uncall("near.size() > 1"), same("near.count > 1"));
        assert_eq!(uncall("near.size(2)"), None);
        assert_eq!(uncall("near.size"), None);
        let inputs = "world.inputs.name";
        assert_eq!(suggest("me.param(\"n\")", "param", "param", "params"), same("me.params.n"));
        assert_eq!(
            suggest("world.input(\"up\")", "input", "input", inputs),
            same("world.inputs.up")
        );
        assert_eq!(suggest("world.input.up", "input", "input", inputs), same("world.inputs.up"));
        assert_eq!(suggest("world.input(a)", "input", "input", inputs), None);
        // Nobody knows the arguments.
        assert_eq!(suggest("rand", "rand", "rand", "me.random(from, to)"), None);
        assert_eq!(suggest("dist(a, b)", "dist", "dist", "a.distance(b)"), None);
        assert_eq!(suggest("other", "other", "gone", "there"), None);
    }

    #[test]
    fn a_fix_in_place_moves_nothing_else() {
        for (text, written, meant, expected) in [
            ("a and b", "and", "&&", "a &&  b"),
            ("if a = b {", "=", "==", "if a ==b {"),
            ("let a = 1\nb", "\nb", ";\nb", "let a = 1\nb"),
            ("f(\n    a = 1)", "a", "let a", "f(\nlet a = 1)"),
            ("fn ster(me)", "ster", "steer", "fn ster(me)"),
        ] {
            let source = Source::new("a", text);
            let at = text.find(written).unwrap();
            let fix = Fix::new("", &source, at..at + written.len(), meant);
            let mut new = text.to_owned();
            if let Some((range, text)) = fix.in_place() {
                new.replace_range(range, &text);
            }
            assert_eq!(new, expected);
            assert_eq!(new.len(), text.len());
        }
    }

    #[test]
    fn a_warning_can_be_silenced_but_not_an_error() {
        for (text, silenced) in [
            ("a\nb\nc", "a\nb // check: allow(degrees)\nc"),
            ("b\r\nc", "b // check: allow(degrees)\r\nc"),
            ("b // why", "b // why // check: allow(degrees)"),
            ("b // check: allow(long-step)", "b // check: allow(long-step, degrees)"),
        ] {
            let warn = |finding: Diagnostic| {
                Diagnostic { severity: crate::diag::Severity::Warning, ..finding }
                    .code(Code::Degrees)
            };
            let new = fixed(text, "b", warn).unwrap();
            assert_eq!(new, silenced);
            let source = Source::new("a", new.as_str());
            let at = new.find('b').unwrap();
            assert!(warn(Diagnostic::error("x").at(&source, at..at + 1)).is_silenced());
        }
        assert_eq!(fixed("b", "b", |finding| finding), None);
    }
}
