//! The types of values in scripts, also of half-finished ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::runner::types;
use flockwork_engine::script::{Entry, InferredType, reference};
use flockwork_engine::tokens::TokenKind;

use super::completion::is_member;
use super::entries::{entries, fitting_call};
use super::known_types::KnownTypes;
use super::project::Project;
use super::rhai_text::Tokens;

/// Number of scenarios whose types of values are computed for an answer, since that takes time.
const MAX_SCENARIOS: usize = 4;

impl Project {
    /// Returns the scenarios whose types of values in a script are shown.
    fn shown_scenarios(&self, script: &Path) -> Vec<PathBuf> {
        let mut scenarios = self.users_of(script);
        scenarios.retain(|user| self.is_scenario(user));
        // Those that the user has changed last say most.
        scenarios.sort_by_key(|user| self.age(user));
        scenarios.truncate(MAX_SCENARIOS);
        scenarios
    }

    /// Returns what is known at a byte offset of a script as the scenarios that use it have it.
    fn known_at(&self, path: &Path, start: usize) -> KnownValue {
        let scenarios = self.shown_scenarios(path);
        let files = [path].into_iter().chain(scenarios.iter().map(PathBuf::as_path));
        let files =
            files.flat_map(|file| [file.to_owned()].into_iter().chain(self.scripts_of(file)));
        // Some editors do not tell of changes on disk, so the files are read again.
        let based_on = files.map(|file| (self.read(&file).ok(), file)).collect();
        let mut known = self.known_types.borrow_mut();
        if known.based_on != based_on {
            let types = types(&scenarios, path, self.open_files());
            *known = KnownTypes { based_on, types };
        }
        value_at(&known.types, start)
    }

    /// Returns what would be known at a byte offset of a script if it had another text.
    fn known_with(&self, path: &Path, text: &str, start: usize) -> KnownValue {
        let mut open = Arc::clone(self.open_files());
        Arc::make_mut(&mut open).open(path, text);
        value_at(&types(&self.shown_scenarios(path), path, &open), start)
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
        let types = self.known_at(path, start).types;
        if types.is_empty() { guessed(tokens, index, MAX_GUESSES) } else { types }
    }

    /// Returns the types of a variable by the index of its name where it is declared, in words. It may not be used yet.
    pub(super) fn types_of_variable(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        declared: usize,
    ) -> Vec<&'static str> {
        let value = declared + 2;
        match [1, 3].map(|behind| tokens.get(declared + behind)) {
            ["=", ";"] if tokens.all[value].kind != TokenKind::Word => {
                literal(tokens, value, value)
            }
            _ => self.types_at(path, tokens, declared),
        }
    }

    /// Returns the types of variables in words where the statement around a byte offset begins: a condition may leave fewer than are declared.
    pub(super) fn types_of_variables<'n>(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        names: &[&'n str],
        offset: usize,
    ) -> BTreeMap<&'n str, Vec<&'static str>> {
        let declared = names.iter().map(|name| {
            let declared = tokens.declaration(name, offset);
            let types = declared.map(|index| self.types_of_variable(path, tokens, index));
            (*name, types.unwrap_or_default())
        });
        let mut all: BTreeMap<&str, Vec<&str>> = declared.collect();
        let several = all.iter().filter(|(_, types)| types.len() > 1);
        let several: Vec<&str> = several.map(|(name, _)| *name).collect();
        if several.is_empty() {
            return all;
        }
        let text = tokens.text;
        let ends = |index: &usize| {
            tokens.all[*index].span.end <= offset && matches!(tokens.get(*index), ";" | "{" | "}")
        };
        let start = (0..tokens.all.len()).rev().find(ends);
        let start = start.map_or(0, |index| tokens.all[index].span.end);
        let line_end = text[offset..].find('\n').map_or(text.len(), |end| offset + end);
        // Types are those of names, so the variables are read once more.
        let mut head = format!("{} let _value = [", &text[..start]);
        let mut places = Vec::new();
        for name in several {
            places.push((name, head.len()));
            head += &format!("{name}, ");
        }
        // The statement may be unfinished.
        for tail in [&text[start..], &text[line_end..]] {
            let mut open = Arc::clone(self.open_files());
            Arc::make_mut(&mut open).open(path, &format!("{head}];{tail}"));
            let known = types(&self.shown_scenarios(path), path, &open);
            for (name, place) in &places {
                let types = value_at(&known, *place).types;
                if !types.is_empty() {
                    all.insert(name, types);
                }
            }
            if !known.is_empty() {
                break;
            }
        }
        all
    }

    /// Returns what is known of the value before a dot, while what comes behind the dot is being written. `offset` is the end of that.
    pub(super) fn value_before_dot(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        dot: usize,
        offset: usize,
    ) -> KnownValue {
        let last = tokens.before_dot(dot);
        let known = last.map_or_else(Vec::new, |last| plain(tokens, last));
        if !known.is_empty() {
            return KnownValue { types: known, keys: Vec::new() };
        }
        let Some(first) = tokens.start_of_value(dot) else { return KnownValue::default() };
        let text = tokens.text;
        let (start, end) = (tokens.all[first].span.start, tokens.all[dot].span.start);
        let (head, value, tail) = (&text[..start], &text[start..end], &text[offset..]);
        let line = tail.find('\n').unwrap_or(tail.len());
        let statement = head.rfind([';', '{', '}']).map_or(0, |end| end + 1);
        // Types are those of names, so the value gets one. A statement that is only a value would be optimized away.
        let declaring = "let _value = ";
        let is_statement = head[statement..].trim().is_empty();
        let named = format!("{{ let value_ = {value}; ");
        let named_alone = format!("{}{declaring}{named}", &head[..statement]);
        let head = format!("{head}{}{named}", if is_statement { declaring } else { "" });
        let (at, at_alone) = (head.len(), named_alone.len());
        let head = format!("{head}value_ }}");
        let brackets = |text: &str| closing(&Tokens::new(text));
        let in_statement = brackets(&head[statement..]);
        // As it is, as a whole statement, with its brackets closed, and without the rest of the line.
        let mut tries = vec![
            (at, format!("{head}{tail}")),
            (at, format!("{head};{tail}")),
            (at, format!("{head}{in_statement};{tail}")),
            (at, format!("{head}{in_statement};{}", &tail[line..])),
        ];
        // With blocks closed that are open in the line.
        let all = format!("{head}{}", &tail[line..]);
        let open = brackets(&all);
        if !open.is_empty() {
            let open = open.replace([')', ']'], "");
            tries.push((at, format!("{head}{in_statement};{open}{}", &tail[line..])));
        }
        // The value alone, in place of its statement; a block that begins there stays one.
        let begun = tail[..line].trim_end().ends_with('{');
        let block = if begun { "{" } else { "" };
        tries.push((at_alone, format!("{named_alone}value_ }};{block}{}", &tail[line..])));
        for (at, text) in tries {
            let known = self.known_with(path, &text, at);
            if !known.types.is_empty() {
                return known;
            }
        }
        let keys = last.map_or_else(Vec::new, |last| tokens.keys_of(last));
        if !keys.is_empty() {
            let keys = keys.into_iter().map(str::to_owned).collect();
            return KnownValue { types: vec!["map"], keys };
        }
        let types = match last {
            Some(last) => match tokens.parameter(last) {
                Some(parameter) => self.types_of_parameter(path, tokens, parameter),
                None => guessed(tokens, last, MAX_GUESSES),
            },
            None => literal(tokens, first, dot - 1),
        };
        KnownValue { types, keys: Vec::new() }
    }

    /// Returns the types with which a function is called in its script: those of an argument, by the index of the name of the function and
    /// the number of the argument. If nothing calls it yet, all types whose members one may mean.
    fn types_of_parameter(
        &self,
        path: &Path,
        tokens: &Tokens<'_>,
        (function, number): (usize, usize),
    ) -> Vec<&'static str> {
        let name = tokens.get(function);
        let calls = (1..tokens.all.len()).filter(|&index| {
            index != function && tokens.get(index) == name && tokens.get(index + 1) == "("
        });
        let values = calls.filter_map(|call| tokens.argument(call, number));
        let types: BTreeSet<&'static str> =
            values.flat_map(|value| self.types_at(path, tokens, value)).collect();
        match types.is_empty() {
            true => MEANT.to_vec(),
            false => types.into_iter().collect(),
        }
    }
}

/// What functions of scripts mostly get.
const MEANT: [&str; 2] = ["agent", "neighborhood"];

/// The known types of a value.
#[derive(Debug, Default)]
pub(super) struct KnownValue {
    /// Its types, in words.
    pub(super) types: Vec<&'static str>,
    /// Its keys, if it is a constant map.
    pub(super) keys: Vec<String>,
}

/// Returns the brackets that close what is open at the end.
fn closing(tokens: &Tokens<'_>) -> String {
    let mut closing = Vec::new();
    for index in 0..tokens.all.len() {
        match tokens.get(index) {
            "(" => closing.push(')'),
            "[" => closing.push(']'),
            "{" => closing.push('}'),
            ")" | "]" | "}" => {
                closing.pop();
            }
            _ => {}
        }
    }
    closing.into_iter().rev().collect()
}

/// Returns the types of a value that is written as it is, such as `[1, 2]`, before a dot.
pub(super) fn literal_before_dot(tokens: &Tokens<'_>, dot: usize) -> Vec<&'static str> {
    tokens.start_of_value(dot).map_or_else(Vec::new, |first| literal(tokens, first, dot - 1))
}

/// Returns the types of a value that is written as it is, or of an element of an array, by its first and its last token.
fn literal(tokens: &Tokens<'_>, first: usize, last: usize) -> Vec<&'static str> {
    match (tokens.all[last].kind, tokens.get(last)) {
        (TokenKind::Text | TokenKind::Template, _) => vec!["string"],
        (TokenKind::Number, number) if number.contains('.') => vec!["float"],
        (TokenKind::Number, _) => vec!["integer"],
        (_, "]") => match tokens.indexed(last).filter(|_| tokens.get(first) != "[") {
            Some(of) if tokens.path(of) == ["now", "groups"] => vec!["now"],
            Some(of) => elements_of(tokens, of, MAX_GUESSES),
            None => vec!["array"],
        },
        _ => Vec::new(),
    }
}

/// The number of declarations that are followed to guess a type.
const MAX_GUESSES: usize = 8;

/// Returns the types of a name in a script without `steer`, whose types are not inferred: what the reference says about the function or the
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
    let is_behind_dot = index > 0 && tokens.is_dot(index - 1);
    let is_call = tokens.get(index + 1) == "(";
    let known = plain(tokens, index);
    if !known.is_empty() || left == 0 {
        return known;
    }
    if !is_behind_dot && !is_call {
        if let Some(last) = tokens.declared_with(index) {
            return guessed(tokens, last, left - 1);
        }
        // The value that a loop goes through, or that a function is called for.
        let elements = tokens.declared_for(index).map(|last| elements_of(tokens, last, left - 1));
        return elements.unwrap_or_default();
    }
    let all = entries(tokens.get(index));
    let fitting = all.filter(|entry| entry.receiver.is_some() == is_behind_dot);
    let fitting = fitting.filter(|entry| entry.signature.contains('(') == is_call);
    let mut fitting: Vec<Entry> = fitting.collect();
    let owner =
        index.checked_sub(1).filter(|_| is_behind_dot).and_then(|dot| tokens.before_dot(dot));
    let owners = owner.map_or_else(Vec::new, |owner| guessed(tokens, owner, left - 1));
    if fitting.iter().any(|entry| is_member(entry, &owners)) {
        fitting.retain(|entry| is_member(entry, &owners));
    }
    let results = fitting_call(tokens, index, fitting).into_iter().map(|entry| entry.result);
    let types = |result: String| {
        let nothing = result.contains("`()`").then_some("()");
        types_in_words(&result).into_iter().chain(nothing)
    };
    let all: BTreeSet<&'static str> = results.flat_map(types).collect();
    all.into_iter().collect()
}

/// Returns the types of the elements of the value that a name stands for.
fn elements_of(tokens: &Tokens<'_>, last: usize, left: usize) -> Vec<&'static str> {
    if tokens.path(last) == ["now", "groups", "values"] {
        return vec!["now"];
    }
    let source = match tokens.get(last + 1) {
        "(" => None,
        _ => tokens.declared_with(last).filter(|_| left > 0),
    };
    if let Some(source) = source {
        return elements_of(tokens, source, left - 1);
    }
    // "an array of agents"
    let results = entries(tokens.get(last)).filter_map(|entry| {
        let of = entry.result.split_once("array of ")?.1;
        Some(types_in_words(of.split(' ').next()?.trim_end_matches('s')))
    });
    if let Some(types) = results.into_iter().find(|types| !types.is_empty()) {
        return types;
    }
    let types = guessed(tokens, last, left);
    let all = entries("[]").filter(|entry| entry.owners.iter().any(|owner| types.contains(owner)));
    all.flat_map(|entry| types_in_words(&entry.result)).collect()
}

/// Returns the types that a description of a result or of an argument names, such as "a vector, or `()` if there is none".
pub(super) fn types_in_words(result: &str) -> Vec<&'static str> {
    let mut known: BTreeSet<&'static str> =
        reference().into_iter().flat_map(|entry| entry.owners).collect();
    known.extend(["boolean", "float", "integer", "string"]);
    let parts = result.split(" or ").map(|part| {
        let part = part.trim_start_matches("a ").trim_start_matches("an ");
        match part.split([' ', ',']).next().unwrap_or_default().trim_matches('`') {
            "number" | "radius" => "float",
            "force" | "point" => "vector",
            "true" | "false" => "boolean",
            word => word,
        }
    });
    parts.filter_map(|word| known.get(word).copied()).collect()
}

/// Returns types as words. That there may be nothing comes last, as in the reference.
pub(super) fn in_words(mut types: Vec<&str>) -> String {
    types.sort_by_key(|one| *one == "()");
    types.join(" or ")
}

/// Returns what is known at a byte offset.
fn value_at(types: &[InferredType], start: usize) -> KnownValue {
    let here: Vec<_> = types.iter().filter(|one| one.place.span.start == start).collect();
    let types: BTreeSet<&'static str> =
        here.iter().flat_map(|one| one.types.iter().copied()).collect();
    let keys: BTreeSet<String> = here.iter().flat_map(|one| one.keys.clone()).collect();
    KnownValue { types: types.into_iter().collect(), keys: keys.into_iter().collect() }
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
        _ if matches!(tokens.path(index)[..], ["now", "groups", name] if name != "values" && name != "keys") =>
        {
            vec!["now"]
        }
        _ => Vec::new(),
    }
}
