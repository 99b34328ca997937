//! The parts of a scenario's text: finds, replaces, adds and removes them by their paths. Everything else stays as it is
//! written.

use std::ops::Range;

use super::edit_text::TextEdits;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// The way to a part of a text: names of fields and keys, and numbers of elements, from 0. A variant with a single value in
/// its brackets, such as `Points([..])`, has the parts of that value.
pub(crate) type PartPath = Vec<String>;

/// Where a path stops that leads nowhere.
pub(crate) struct DeadEnd<'a, 't> {
    /// The number of names up to there.
    pub(super) depth: usize,
    /// The value among whose parts the next name is missing; `None` if that value has no parts.
    pub(super) whole: Option<RonNode<'a, 't>>,
}

/// Finds the value at a path.
pub(crate) fn walk<'a, 't>(
    tree: &'a RonTree<'t>,
    path: &[impl AsRef<str>],
) -> Result<RonNode<'a, 't>, DeadEnd<'a, 't>> {
    let mut node = tree.root().ok_or(DeadEnd { depth: 0, whole: None })?;
    for (depth, name) in path.iter().enumerate() {
        let whole = with_brackets(node);
        let next = whole.and_then(|whole| whole.get(name.as_ref()));
        node = next.ok_or(DeadEnd { depth, whole })?;
    }
    Ok(node)
}

/// Returns the value with the parts of a value, if it has any or could have some.
fn with_brackets<'a, 't>(node: RonNode<'a, 't>) -> Option<RonNode<'a, 't>> {
    Some(node.content()).filter(|whole| whole.opening().is_some())
}

/// Finds the value with the parts of the value at a path.
fn find_whole<'a, 't>(tree: &'a RonTree<'t>, path: &[impl AsRef<str>]) -> Option<RonNode<'a, 't>> {
    walk(tree, path).ok().and_then(with_brackets)
}

/// Returns the parts of the value at a path with their names; none if it is not written or has none.
pub(super) fn written_parts<'a, 't>(
    tree: &'a RonTree<'t>,
    path: &[impl AsRef<str>],
) -> Vec<(String, RonNode<'a, 't>)> {
    let parts = find_whole(tree, path).into_iter().flat_map(RonNode::children).enumerate();
    parts.map(|(index, part)| (part_name(index, part), part)).collect()
}

/// Returns the name of a part of a value: its key, or its number if it has none.
pub(super) fn part_name(index: usize, part: RonNode<'_, '_>) -> String {
    part.key_name().map_or_else(|| index.to_string(), Into::into)
}

/// Returns the text of the value at a path, if it is written.
#[cfg(any(feature = "experiments", test))]
pub(crate) fn part<'t>(text: &'t str, path: &[String]) -> Option<&'t str> {
    walk(&RonTree::new(text), path).ok().map(RonNode::text)
}

/// Returns what the comment beside the value at a path says, if there is one.
pub(crate) fn comment(tree: &RonTree<'_>, path: &[&str]) -> Option<String> {
    walk(tree, path).ok()?.comment()
}

/// Returns the names of the parts of the value at a path; empty if it is not written or has none.
#[cfg(any(feature = "experiments", test))]
pub(crate) fn part_names(text: &str, path: &[String]) -> Vec<String> {
    let tree = RonTree::new(text);
    written_parts(&tree, path).into_iter().map(|(name, _)| name).collect()
}

/// Returns the text with another value at a path. A field that is not written is added. `None` if there is no such value.
pub(crate) fn with_part(text: &str, path: &[String], value: &str) -> Option<String> {
    let mut edits = TextEdits::new(text);
    let tree = RonTree::new(text);
    match walk(&tree, path) {
        Ok(part) => edits.replace(part.span(), value),
        Err(DeadEnd { depth, whole }) => {
            let is_last = depth + 1 == path.len();
            let whole = whole.filter(|whole| whole.kind() == RonKind::Struct && is_last)?;
            edits.append_items(whole, &[format!("{}: {value}", path[depth])]);
        }
    }
    Some(edits.finish())
}

/// Returns the text with another item in a list or map at a path: before the item with the number `before`, or after all
/// others. An item of a map is written as `"name": value`. `None` if there is no such list or map.
pub(crate) fn with_item(
    text: &str,
    path: &[String],
    before: Option<usize>,
    item: &str,
) -> Option<String> {
    let tree = RonTree::new(text);
    let whole = find_whole(&tree, path)?;
    let mut edits = TextEdits::new(text);
    match before.and_then(|before| whole.children().nth(before)) {
        Some(before) => edits.insert_item(whole, before, item),
        None => edits.append_items(whole, &[item.to_owned()]),
    }
    Some(edits.finish())
}

/// Returns the text without some parts, with their commas and the comments right before them. Parts that are not written are
/// ignored.
pub(crate) fn without_parts(text: &str, paths: &[PartPath]) -> String {
    let tree = RonTree::new(text);
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut paths: Vec<&PartPath> = paths.iter().collect();
    paths.sort();
    let mut rest = paths.as_slice();
    while let Some((_, of)) = rest.first().and_then(|path| path.split_last()) {
        let is_beside = |path: &&PartPath| path.split_last().is_some_and(|(_, other)| other == of);
        let count = rest.iter().take_while(|path| is_beside(path)).count();
        let (beside, after) = rest.split_at(count);
        rest = after;
        let Some(whole) = find_whole(&tree, of) else { continue };
        let mut start = end_of_line(text, whole.opening().map_or(0, |opening| opening + 1));
        let mut is_first = true;
        // The end of the last part that stays, and that of its comma, once all parts after it are removed.
        let mut comma = None;
        let mut is_closed = false;
        for (index, part) in whole.children().enumerate() {
            let end = end_of_line(text, part.after_comma().unwrap_or(part.span().end));
            let name = part_name(index, part);
            if beside.iter().any(|path| path.last() == Some(&name)) {
                // Without the space after it, so that none is left after a bracket that has none.
                let space = text[end..].len() - text[end..].trim_start_matches(' ').len();
                let is_beside = !text[start..].starts_with(char::is_whitespace);
                removed.push(start..end + if is_first && is_beside { space } else { 0 });
                is_closed = part.after_comma().is_none();
            } else {
                is_first = false;
                is_closed = false;
                comma = part.after_comma().map(|after| part.span().end..after);
            }
            start = end;
        }
        // A list without a comma at its end has none afterwards.
        removed.extend(comma.filter(|_| is_closed));
    }
    // A part inside another one that is removed goes with it.
    removed.sort_by_key(|one| (one.start, usize::MAX - one.end));
    let mut edits = TextEdits::new(text);
    let mut done = 0;
    for one in removed {
        if one.start >= done {
            done = one.end;
            edits.replace(one, "");
        }
    }
    edits.finish()
}

/// Returns the text without a field whose value has no parts. Comments between its brackets stay.
pub(crate) fn without_empty_part(text: &str, path: &[String]) -> String {
    let tree = RonTree::new(text);
    let mut edits = TextEdits::new(text);
    if let Ok(field) = walk(&tree, path)
        && let (Some(opening), Some(closing)) = (field.opening(), field.closing())
    {
        match text[opening + 1..closing].trim() {
            "" => edits.remove(field),
            comments => {
                let Range { start, end } = field.entry_span();
                let end = field.after_comma().unwrap_or(end);
                // A comment up to the end of a line must not swallow what follows.
                let ends_line = text[end..].trim_start_matches([' ', '\t']).starts_with('\n');
                let is_line = comments.lines().last().is_some_and(|line| line.contains("//"));
                let after = if is_line && !ends_line { "\n" } else { "" };
                edits.replace(start..end, format!("{comments}{after}"));
            }
        }
    }
    edits.finish()
}

/// Returns the end of a comment that follows on the same line, or `at` itself.
fn end_of_line(text: &str, at: usize) -> usize {
    let line = text[at..].split('\n').next().unwrap_or_default();
    if line.trim_start().starts_with("//") { at + line.len() } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Source;
    use crate::scenario::Scenario;

    const TEXT: &str = r#"// A comment.
(
    ticks: 60, // how long
    world: (size: (100, 200)),
    obstacles: { "rock": Circle(center: (1, 2), radius: 3.5) },
    groups: {
        // The first one.
        "a": (spawn: Points([(1, 2), (3, 4), (5, 6)]), params: { "w": 2.0, "n": 3 }), // a
        // Dots in a name are no problem.
        "b.c": (count: 5, spawn: Disc(center: (9, 9), radius: 1)),
    },
)"#;

    fn path(names: &[&str]) -> PartPath {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn reads(text: &str) -> Scenario {
        Scenario::parse(&Source::new("a.ron", text)).unwrap_or_else(|e| panic!("{text}\n{e:?}"))
    }

    #[test]
    fn parts_are_removed_with_their_comments_and_commas() {
        let without = |paths: &[&[&str]]| {
            let paths: Vec<PartPath> = paths.iter().map(|one| path(one)).collect();
            let text = without_parts(TEXT, &paths);
            reads(&text);
            text
        };
        let points = without(&[&["groups", "a", "spawn", "0"], &["groups", "a", "spawn", "2"]]);
        assert!(points.contains("Points([(3, 4)])"), "{points}");
        let first = without(&[&["groups", "a"]]);
        assert!(first.contains("groups: {\n        // Dots in a name"), "{first}");
        let second = without(&[&["groups", "b.c"], &["groups", "b.c", "count"], &["obstacles"]]);
        assert!(second.contains("// a\n    },\n"), "{second}");
        assert!(!second.contains("Dots") && !second.contains("rock"), "{second}");
        let fields = without(&[&["ticks"], &["groups", "a", "params", "n"]]);
        assert!(fields.contains("(\n    world:") && fields.contains("{ \"w\": 2.0 }"), "{fields}");
        assert_eq!(without(&[&["none"], &["groups", "a", "spawn", "9"]]), TEXT);
    }

    #[test]
    fn parts_are_found_replaced_and_added() {
        assert_eq!(part(TEXT, &path(&["groups", "a", "spawn", "1"])), Some("(3, 4)"));
        assert_eq!(part_names(TEXT, &path(&["groups"])), ["a", "b.c"]);
        assert_eq!(part_names(TEXT, &path(&["nothing"])), [""; 0]);
        let count = with_part(TEXT, &path(&["groups", "b.c", "count"]), "7").unwrap();
        assert_eq!(count, TEXT.replace("count: 5", "count: 7"));
        let seed = with_part(TEXT, &path(&["seed"]), "7").unwrap();
        assert_eq!(reads(&seed).setup.seed, 7);
        let agent = with_part("(at: (1, 2))", &path(&["velocity"]), "(0, 1)").unwrap();
        assert_eq!(agent, "(at: (1, 2), velocity: (0, 1))");
        assert_eq!(with_part(TEXT, &path(&["groups", "a", "spawn", "9"]), "7"), None);
    }
}
