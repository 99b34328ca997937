//! The changes that formatting makes to a text.

use std::ops::Range;

/// Other white space between two words or signs of a text, or a comma behind the last element of brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The bytes that are replaced: white space and commas, or none.
    pub span: Range<usize>,
    /// What is written instead.
    pub text: String,
}

/// Returns what has to change in a text to make it the formatted one, in the order of the places.
pub fn changes(text: &str, formatted: &str) -> Vec<Change> {
    let mut all = Vec::new();
    let (mut at, mut new) = (0, formatted);
    loop {
        let old = &text[at..];
        let (old_run, new_run) = (filling(old), filling(new));
        if old_run != new_run {
            all.push(smallest(at, old_run, new_run));
        }
        at += old_run.len();
        new = &new[new_run.len()..];
        // All else is the same.
        let Some(same) = new.chars().next() else {
            return all;
        };
        at += same.len_utf8();
        new = &new[same.len_utf8()..];
    }
}

/// Returns the white space and commas that a text begins with.
fn filling(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len()]
}

/// Returns the change without what both runs begin and end with.
fn smallest(start: usize, old: &str, new: &str) -> Change {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(sign, _): (char, char)| sign.len_utf8();
    let head: usize = old.chars().zip(new.chars()).take_while(same).map(length).sum();
    let (old, new) = (&old[head..], &new[head..]);
    let tails = old.chars().rev().zip(new.chars().rev());
    let tail: usize = tails.take_while(same).map(length).sum();
    let span = start + head..start + head + old.len() - tail;
    Change { span, text: new[..new.len() - tail].to_owned() }
}
