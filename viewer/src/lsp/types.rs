//! The types of values in scripts, also of half-finished ones.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use flockwork_engine::runner::types;
use flockwork_engine::script::{InferredType, reference};

use super::names::entries;
use super::project::Project;
use super::rhai_text::{TokenKind, Tokens};

impl Project {
    /// Returns the types in a script as the scenarios that use it have them, for a text that may differ from that of the editor.
    fn types_in(&self, path: &Path, text: Option<&str>) -> Vec<InferredType> {
        let mut open = Arc::clone(self.open_files());
        if let Some(text) = text {
            Arc::make_mut(&mut open).open(path, text);
        }
        let mut all = Vec::new();
        for scenario in self.users_of(path).iter().filter(|user| *user != path) {
            all.extend(types(Some(scenario), path, &open).unwrap_or_default());
        }
        if all.is_empty() {
            all = types(None, path, &open).unwrap_or_default();
        }
        all
    }

    /// Returns the types of the name at a byte offset of a script, in words.
    pub(super) fn types_at(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        index: usize,
    ) -> Vec<&'static str> {
        let known = plain(tokens, index);
        if !known.is_empty() {
            return known;
        }
        let start = tokens.all[index].span.start;
        let types = found(&self.types_in(path, None), start);
        if types.is_empty() { guessed(tokens, index, MAX_GUESSES) } else { types }
    }

    /// Returns the types of the value before a dot, in words, while what comes behind the dot is being written. `offset` is the end of
    /// that, and `index` the last name of the value.
    pub(super) fn types_before_dot(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        index: usize,
        dot: usize,
        offset: usize,
    ) -> Vec<&'static str> {
        let known = plain(tokens, index);
        if !known.is_empty() {
            return known;
        }
        let text = tokens.text;
        let (head, tail) = (&text[..tokens.all[dot].span.start], &text[offset..]);
        let line = tail.find('\n').unwrap_or(tail.len());
        let statement = head.rfind([';', '{', '}']).map_or(0, |end| end + 1);
        let value = start_of_value(tokens, index);
        // A statement that is only a variable would be optimized away.
        let is_statement = head[statement..value.max(statement)].trim().is_empty();
        let declaring = if is_statement { "let _value = " } else { "" };
        let start = tokens.all[index].span.start + declaring.len();
        let head = format!("{}{declaring}{}", &head[..value], &head[value..]);
        // Brackets that are open in the statement.
        let mut closing = String::new();
        for sign in head[statement..].chars() {
            match sign {
                '(' => closing.insert(0, ')'),
                '[' => closing.insert(0, ']'),
                ')' | ']' if !closing.is_empty() => {
                    closing.remove(0);
                }
                _ => {}
            }
        }
        // As it is, as a whole statement, with its brackets closed, and without the rest of the line.
        let tries = [
            format!("{head}{tail}"),
            format!("{head};{tail}"),
            format!("{head}{closing};{tail}"),
            format!("{head}{closing};{}", &tail[line..]),
        ];
        for text in tries {
            let types = found(&self.types_in(path, Some(&text)), start);
            if !types.is_empty() {
                return types;
            }
        }
        // The value alone, in place of its statement.
        let alone = "let _value = ";
        let text = format!(
            "{}{alone}{};{}",
            &text[..statement],
            &text[value..tokens.all[dot].span.start],
            &tail[line..]
        );
        let start = statement + alone.len() + tokens.all[index].span.start - value;
        let types = found(&self.types_in(path, Some(&text)), start);
        if types.is_empty() { guessed(tokens, index, MAX_GUESSES) } else { types }
    }
}

/// The number of declarations that are followed to guess a type.
const MAX_GUESSES: usize = 8;

/// Returns the types of a name in a script without `steer`, whose types nobody infers: what the reference says about the function or the
/// property, or about the last one in the declaration of a variable.
fn guessed(tokens: &Tokens<'_>, index: usize, left: usize) -> Vec<&'static str> {
    if tokens.all[index].kind != TokenKind::Word {
        // An operator: with a vector on one side, the result is one.
        let sides = [tokens.before_dot(index), tokens.behind(index)].into_iter().flatten();
        let sides = sides.filter(|_| left > 0).map(|side| guessed(tokens, side, left - 1));
        let sides: Vec<Vec<&str>> = sides.collect();
        let vector = sides.iter().find(|types| types.contains(&"vector"));
        return vector.or_else(|| sides.first()).cloned().unwrap_or_default();
    }
    let is_member = index > 0 && tokens.is_dot(index - 1);
    let is_call = tokens.get(index + 1) == "(";
    let known = plain(tokens, index);
    if !known.is_empty() || (!is_member && !is_call) {
        let declared = tokens.declared_with(index).filter(|_| known.is_empty() && left > 0);
        return declared.map_or(known, |last| guessed(tokens, last, left - 1));
    }
    let all = entries(tokens.get(index));
    let fitting = all.filter(|entry| entry.receiver.is_some() == is_member);
    let fitting = fitting.filter(|entry| entry.signature.contains('(') == is_call);
    let results: Vec<String> = fitting.map(|entry| entry.result).collect();
    let owners: BTreeSet<&'static str> =
        reference().into_iter().flat_map(|entry| entry.owners).collect();
    let is_result = |word: &&&str| results.iter().any(|result| result.contains(**word));
    owners.iter().filter(is_result).copied().collect()
}

/// Returns where the value begins whose last name has an index.
fn start_of_value(tokens: &Tokens<'_>, index: usize) -> usize {
    let mut first = index;
    while first >= 2 && tokens.is_dot(first - 1) {
        match tokens.before_dot(first - 1) {
            Some(name) => first = name,
            None => break,
        }
    }
    tokens.all[first].span.start
}

/// Returns the types at a byte offset.
fn found(types: &[InferredType], start: usize) -> Vec<&'static str> {
    let here = types.iter().filter(|one| one.place.span.start == start);
    let mut all: Vec<&'static str> = here.flat_map(|one| one.types.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the types of names that always have the same, and of the parameters of functions that Flockwork calls.
fn plain(tokens: &Tokens<'_>, index: usize) -> Vec<&'static str> {
    let is_function = |name: &str| {
        let function = tokens.functions().into_iter().rfind(|(of, _)| *of < index);
        function.is_some_and(|(of, end)| end >= index && tokens.get(of) == name)
    };
    let is_first = tokens.path(index).len() == 1;
    match tokens.get(index) {
        "me" if is_first => vec!["me"],
        "world" if is_first => vec!["world"],
        "now" if is_first && (is_function("expect") || is_function("measure")) => vec!["now"],
        "point" if is_first && is_function("flow") => vec!["vector"],
        // `now.groups.NAME` has what `now` has.
        _ if matches!(tokens.path(index)[..], ["now", "groups", _]) => vec!["now"],
        _ => Vec::new(),
    }
}
