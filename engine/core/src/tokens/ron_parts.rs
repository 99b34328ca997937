//! The parts of a RON file in their order, also of a half-finished one: names of fields and variants, strings, values, and in which
//! brackets they are.

use std::ops::Range;

use super::{Language, TokenKind, tokens};

/// A bracket that is open at some place, and what has been read in it.
#[derive(Clone, Debug)]
pub struct Frame<'t> {
    /// `(`, `[` or `{`.
    pub sign: u8,
    /// The byte offset of the bracket.
    pub at: usize,
    /// The name before the bracket, such as `Disc`.
    pub variant: Option<&'t str>,
    /// The name of the field or of the entry whose value is being read, without quotes.
    pub key: Option<&'t str>,
    /// The number of commas so far.
    pub index: usize,
    /// Whether a value has been read since the last comma.
    pub has_value: bool,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The name of a field, or of an entry of a map, before its `:`.
    Key,
    /// A string that is a value.
    Text,
    /// A name, a number, or anything else without brackets.
    Word,
    /// A bracket that is closed; the part is from the name before it to the closing bracket.
    Brackets,
}

/// A part of a file.
#[derive(Clone, Debug)]
pub struct Part<'t> {
    /// Its kind.
    pub kind: PartKind,
    /// The bytes of the part, with quotes.
    pub span: Range<usize>,
    /// The bytes of the part without quotes. A string that is not closed yet has only one.
    pub inner: Range<usize>,
    /// The part as it is written, without quotes; empty for brackets.
    pub text: &'t str,
}

/// Calls `take` with each part and the brackets around it, the outermost first. Stops if it returns false. Returns the brackets that
/// are open at the end.
pub fn scan<'t>(
    text: &'t str,
    mut take: impl FnMut(&[Frame<'t>], &Part<'t>) -> bool,
) -> Vec<Frame<'t>> {
    let mut frames: Vec<Frame<'t>> = Vec::new();
    // Where the names before open brackets begin.
    let mut starts: Vec<usize> = Vec::new();
    let code = tokens(text, Language::Ron).filter(|token| !token.is_comment());
    let mut code = code.peekable();
    while let Some(token) = code.next() {
        let at = token.span.end;
        let sign = text.as_bytes()[token.span.start];
        match token.kind {
            TokenKind::Sign if matches!(sign, b'(' | b'[' | b'{') => {
                let start = token.span.start;
                frames.push(Frame {
                    sign,
                    at: start,
                    variant: None,
                    key: None,
                    index: 0,
                    has_value: false,
                });
                starts.push(start);
            }
            TokenKind::Sign if matches!(sign, b')' | b']' | b'}') => {
                let open = match sign {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                // A bracket that closes none of the open ones is ignored.
                let Some(place) = frames.iter().rposition(|frame| frame.sign == open) else {
                    continue;
                };
                let start = starts[place];
                frames.truncate(place);
                starts.truncate(place);
                let span = start..at;
                if !take(&frames, &Part { kind: PartKind::Brackets, span, inner: at..at, text: "" })
                {
                    return frames;
                }
                if let Some(frame) = frames.last_mut() {
                    frame.has_value = true;
                }
            }
            TokenKind::Sign if sign == b',' => {
                if let Some(frame) = frames.last_mut() {
                    (frame.key, frame.index, frame.has_value) = (None, frame.index + 1, false);
                }
            }
            TokenKind::Sign => {}
            _ => {
                let inner = &text[token.inner.clone()];
                let after = code.peek().map(|token| text.as_bytes()[token.span.start]);
                let in_key_place =
                    frames.last().is_some_and(|frame| frame.sign != b'[' && frame.key.is_none());
                let kind = match (after, token.kind) {
                    (Some(b':'), _) if in_key_place => PartKind::Key,
                    (_, TokenKind::Text) => PartKind::Text,
                    _ => PartKind::Word,
                };
                let part = Part {
                    kind,
                    span: token.span.clone(),
                    inner: token.inner.clone(),
                    text: inner,
                };
                if !take(&frames, &part) {
                    return frames;
                }
                if kind == PartKind::Key {
                    if let Some(frame) = frames.last_mut() {
                        frame.key = Some(inner);
                    }
                } else if kind == PartKind::Word && after == Some(b'(') {
                    // The bracket belongs to the name before it.
                    let open = code.next().map_or(at, |token| token.span.start);
                    frames.push(Frame {
                        sign: b'(',
                        at: open,
                        variant: Some(inner),
                        key: None,
                        index: 0,
                        has_value: false,
                    });
                    starts.push(token.span.start);
                } else if let Some(frame) = frames.last_mut() {
                    frame.has_value = true;
                }
            }
        }
    }
    frames
}

/// Where a cursor is.
#[derive(Debug)]
pub struct Cursor<'t> {
    /// The brackets around it, the outermost first.
    pub frames: Vec<Frame<'t>>,
    /// The word or the string that it is in or behind, from its start to its end, without quotes; empty if there is none.
    pub word: Range<usize>,
    /// Whether that is a string.
    pub is_text: bool,
}

/// Returns where a byte offset is; `None` in a comment.
pub fn cursor(text: &str, offset: usize) -> Option<Cursor<'_>> {
    // Everything before the word that the cursor is in.
    let mut at = 0;
    let (mut word, mut start, mut is_text) = (offset..offset, offset, false);
    for token in tokens(text, Language::Ron) {
        let Range { start: from, end } = token.span;
        if from >= offset {
            break;
        }
        let is_in = match token.kind {
            TokenKind::LineComment if offset <= end => return None,
            TokenKind::BlockComment if offset < end || !token.is_closed => return None,
            TokenKind::LineComment | TokenKind::BlockComment | TokenKind::Sign => false,
            // Behind the closing quote nothing belongs to the string.
            TokenKind::Text => token.inner.end >= offset,
            _ => end >= offset,
        };
        if is_in {
            (word, start, is_text) = (token.inner, from, token.kind == TokenKind::Text);
        }
        at = end;
    }
    if !is_text && at > offset && word.is_empty() {
        return None;
    }
    let frames = scan(&text[..start], |_, _| true);
    Some(Cursor { frames, word, is_text })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"( // comment
    name: "A, (b)", world: (size: (100, -2.5e3), edge: Wrap),
    groups: {
        "birds": (spawn: Disc(center: (1, 2)), /* ( /* [ */ */ prey: ["a", r#"b"c"#]),
    },
)"##;

    fn path(frames: &[Frame<'_>]) -> String {
        let step = |frame: &Frame<'_>| match (frame.key, frame.variant) {
            (Some(key), _) => key.to_owned(),
            (None, Some(variant)) => format!("{variant}#{}", frame.index),
            (None, None) => frame.index.to_string(),
        };
        frames.iter().map(step).collect::<Vec<_>>().join(".")
    }

    #[test]
    fn a_string_that_is_not_closed_ends_with_the_text() {
        let text = "(groups: {\"Grüße\": (behavior: \"ü";
        let mut all = Vec::new();
        scan(text, |_, part| {
            all.push((&text[part.inner.clone()], part.text));
            true
        });
        let names = ["groups", "Grüße", "behavior", "ü"];
        assert_eq!(all, names.map(|name| (name, name)));
    }

    #[test]
    fn parts_know_the_brackets_around_them() {
        let mut all = Vec::new();
        let open = scan(TEXT, |frames, part| {
            all.push(format!("{}:{:?}:{}", path(frames), part.kind, part.text));
            true
        });
        assert!(open.is_empty());
        for known in [
            "0:Key:name",
            "name:Text:A, (b)",
            "world.size.0:Word:100",
            "world.size.1:Word:-2.5e3",
            "world.edge:Word:Wrap",
            "groups.0:Key:birds",
            "groups.birds.spawn:Word:Disc",
            "groups.birds.spawn.center.1:Word:2",
            "groups.birds.prey.1:Text:b\"c",
        ] {
            assert!(all.iter().any(|one| one == known), "{known} is missing in {all:#?}");
        }
    }

    #[test]
    fn a_cursor_in_half_of_a_file_knows_where_it_is() {
        let at = |text: &str| {
            let offset = text.find('‹').unwrap();
            let text = text.replace('‹', "");
            let cursor = cursor(&text, offset)?;
            Some((path(&cursor.frames), text[cursor.word].to_owned(), cursor.is_text))
        };
        let found =
            |path: &str, word: &str, is_text| Some((path.to_owned(), word.to_owned(), is_text));
        assert_eq!(at("(wor‹"), found("0", "wor", false));
        assert_eq!(at("(world: (size: (1, 2), ed‹"), found("world.1", "ed", false));
        assert_eq!(at("(world: (edge: ‹"), found("world.edge", "", false));
        assert_eq!(
            at("(groups: { \"a\": (behavior: \"fl‹\", spawn: x"),
            found("groups.a.behavior", "fl", true)
        );
        assert_eq!(
            at("(groups: { \"a\": (behavior: \"fl‹, spawn: x"),
            found("groups.a.behavior", "fl", true)
        );
        assert_eq!(
            at("(groups: { \"a\": (spawn: Disc(‹"),
            found("groups.a.spawn.Disc#0", "", false)
        );
        assert_eq!(at("(a: 1, // com‹ment"), None);
        assert_eq!(at("(a: \"x\"‹"), found("a", "", false));
        assert_eq!(at("‹"), found("", "", false));
    }

    #[test]
    fn any_part_of_a_file_can_be_read() {
        for end in (0..=TEXT.len()).filter(|&end| TEXT.is_char_boundary(end)) {
            scan(&TEXT[..end], |_, _| true);
            scan(&TEXT[end..], |_, _| true);
            cursor(TEXT, end);
            cursor(&TEXT[..end], end);
        }
    }
}
