//! The difference between a text and the formatted one, as `diff -u` shows it.

use std::fmt::Write as _;

use super::changes;
use crate::tokens::line_start;

/// Lines around a change that are shown, too.
const CONTEXT: usize = 3;

/// Lines of a text that are replaced by others.
struct Hunk<'t> {
    /// The first line, from 0.
    start: usize,
    old: Vec<&'t str>,
    /// The first new line, from 0.
    new_start: usize,
    new: Vec<&'t str>,
}

/// Returns the lines of a text that the formatted one has otherwise, in the unified format without names of files. It is empty if both are the
/// same.
pub fn diff(text: &str, formatted: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let hunks = hunks(text, formatted);
    let mut out = String::new();
    let mut next = 0;
    while next < hunks.len() {
        let first = next;
        let end = |hunk: &Hunk<'_>| hunk.start + hunk.old.len();
        next += 1;
        while next < hunks.len() && hunks[next].start <= end(&hunks[next - 1]) + 2 * CONTEXT {
            next += 1;
        }
        let together = &hunks[first..next];
        let (head, tail) = (&together[0], &together[together.len() - 1]);
        let before = head.start.min(CONTEXT);
        let after = (lines.len() - end(tail)).min(CONTEXT);
        let (start, new_start) = (head.start - before, head.new_start - before);
        let old = end(tail) + after - start;
        let new = tail.new_start + tail.new.len() + after - new_start;
        let _ = writeln!(out, "@@ -{},{old} +{},{new} @@", start + 1, new_start + 1);
        let mut at = start;
        for hunk in together {
            lines[at..hunk.start].iter().for_each(|line| push(&mut out, ' ', line));
            hunk.old.iter().for_each(|line| push(&mut out, '-', line));
            hunk.new.iter().for_each(|line| push(&mut out, '+', line));
            at = end(hunk);
        }
        lines[at..at + after].iter().for_each(|line| push(&mut out, ' ', line));
    }
    out
}

fn push(out: &mut String, sign: char, line: &str) {
    out.push(sign);
    out.push_str(line.trim_end_matches(['\r', '\n']));
    out.push('\n');
    if !line.ends_with('\n') {
        out.push_str("\\ No newline at end of file\n");
    }
}

/// Returns the changed lines. Those of changes that touch the same lines, or lines beside each other, are together.
fn hunks<'t>(text: &'t str, formatted: &'t str) -> Vec<Hunk<'t>> {
    let line_end =
        |text: &str, at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    // The bytes of whole lines in both texts.
    let mut parts: Vec<([usize; 2], [usize; 2])> = Vec::new();
    let mut moved = 0isize;
    for change in changes(text, formatted) {
        let new_start = change.span.start.saturating_add_signed(moved);
        let new_end = new_start + change.text.len();
        moved += change.text.len() as isize - change.span.len() as isize;
        let old = [line_start(text, change.span.start), line_end(text, change.span.end)];
        let new = [line_start(formatted, new_start), line_end(formatted, new_end)];
        match parts.last_mut() {
            Some((last, last_new)) if last[1] >= old[0] || last_new[1] >= new[0] => {
                (last[1], last_new[1]) = (last[1].max(old[1]), last_new[1].max(new[1]));
            }
            _ => parts.push((old, new)),
        }
    }
    let line = |text: &str, at: usize| text[..at].matches('\n').count();
    let part = |(old, new): ([usize; 2], [usize; 2])| Hunk {
        start: line(text, old[0]),
        old: text[old[0]..old[1]].split_inclusive('\n').collect(),
        new_start: line(formatted, new[0]),
        new: formatted[new[0]..new[1]].split_inclusive('\n').collect(),
    };
    parts.into_iter().map(part).collect()
}
