//! What is known about a name, as plain text for an editor that shows no Markdown.

use std::ops::Range;

/// Number of sentences that are told of what the reference has a page for.
const SENTENCES: usize = 2;

/// What is known about a name in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameHelp {
    /// The bytes of the name.
    pub span: Range<usize>,
    /// How it is written: of a function, one for each form that may be meant.
    pub signatures: Vec<String>,
    /// What it means.
    pub paragraphs: Vec<String>,
}

impl NameHelp {
    /// Returns the beginning of a hover, which is Markdown, as plain text.
    pub(super) fn new(span: Range<usize>, markdown: &str) -> Self {
        let mut help = Self { span, ..Self::default() };
        for part in markdown.split("\n\n---\n\n") {
            let (code, words) =
                match part.strip_prefix("```").and_then(|rest| rest.split_once('\n')) {
                    Some((_, rest)) => rest.split_once("\n```").unwrap_or((rest, "")),
                    None => ("", part),
                };
            // A signature tells it, too.
            if part.starts_with("Type: ") && !help.signatures.is_empty() {
                continue;
            }
            help.signatures.extend(code.lines().map(str::to_owned));
            let mut paragraphs: Vec<String> = paragraphs(words);
            if !code.is_empty() {
                paragraphs.truncate(1);
                paragraphs.iter_mut().for_each(|one| one.truncate(end_of_sentences(one)));
            }
            for paragraph in paragraphs {
                if !help.paragraphs.contains(&paragraph) {
                    help.paragraphs.push(paragraph);
                }
            }
        }
        help
    }
}

/// Returns the paragraphs of a text, each in one line, and each row of a list as one.
fn paragraphs(words: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in words.lines().map(str::trim) {
        let line = line.replace('`', "");
        match all.last_mut().filter(|_| goes_on && !line.is_empty() && !line.starts_with("- ")) {
            Some(last) => *last += &format!(" {line}"),
            None if !line.is_empty() => all.push(line.clone()),
            None => {}
        }
        goes_on = !line.is_empty();
    }
    all
}

/// Returns where the first sentences of a paragraph end.
fn end_of_sentences(paragraph: &str) -> usize {
    let ends = paragraph.match_indices(". ").map(|(at, _)| at + 1);
    let is_end = |at: &usize| !paragraph[..*at].ends_with("e.g.");
    ends.filter(is_end).nth(SENTENCES - 1).unwrap_or(paragraph.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hover_is_told_in_plain_words() {
        let help = NameHelp::new(
            1..4,
            "```rhai\nme.seek(target) -> force\n```\n\nGoes to `target`. At\nfull speed. It does not stop.\n\n- `target`: a vector\n\n---\n\n```rhai\nme.seek(a, b)\n```\n\nGoes to `target`. At\nfull speed. It does not stop.\n\n---\n\nType: vector",
        );
        assert_eq!(help.span, 1..4);
        assert_eq!(help.signatures, ["me.seek(target) -> force", "me.seek(a, b)"]);
        assert_eq!(help.paragraphs, ["Goes to target. At full speed."]);
        let help =
            NameHelp::new(0..4, "`room` is a param.\n\n- `20.0` in a.ron\n- `3` in b.ron\n\nRead.");
        let all = ["room is a param.", "- 20.0 in a.ron", "- 3 in b.ron", "Read."];
        assert_eq!((help.signatures, help.paragraphs), (vec![], all.map(str::to_owned).to_vec()));
    }
}
