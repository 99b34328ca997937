//! Errors of scripts: every error of Rhai and of the functions that scripts call becomes a [`Diagnostic`] here.
//!
//! A message must never show the name of a Rust type, or a position that is not in one of the user's files.

use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, Position};

use super::parse_error::{changed_element, parse_error_in, unknown_variable};
use super::{api, choices, limits, meter, synonyms, value};
use crate::diag::{Code, Diagnostic, Remedies, Source};
use crate::steer::{self, ParamKind};

/// The result of a function that scripts call.
pub(super) type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// An error that a native function reports about its call. It has no place: the interpreter knows the call.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    message: String,
    label: String,
    help: Vec<String>,
    remedies: Remedies,
    code: Code,
}

impl Problem {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            label: String::new(),
            help: Vec::new(),
            remedies: Remedies::default(),
            code: Code::WrongArguments,
        }
    }

    /// Creates a problem with the types of values.
    pub(super) fn of_types(message: impl Into<String>) -> Self {
        Self { code: Code::WrongType, ..Self::new(message) }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    pub(super) fn code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Adds the valid name that is nearest to a wrong one as help.
    pub(super) fn suggest<'a>(
        mut self,
        wrong: &str,
        valid: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let found = Diagnostic::error("").suggest(wrong, valid);
        self.help.extend(found.help);
        self.remedies.0.extend(found.remedies.0);
        self.code = Code::UnknownName;
        self
    }
}

impl From<Diagnostic> for Problem {
    fn from(found: Diagnostic) -> Self {
        let Diagnostic { message, label, help, remedies, code, .. } = found;
        Self { message, label, help, remedies, code }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<Problem> for Box<EvalAltResult> {
    fn from(problem: Problem) -> Self {
        EvalAltResult::ErrorRuntime(Dynamic::from(problem), Position::NONE).into()
    }
}

impl From<steer::CallError> for Problem {
    fn from(error: steer::CallError) -> Self {
        Self::new(error.to_string())
    }
}

/// The files that an error may point into: the script itself, and those it imports.
pub(super) struct Sources<'a> {
    pub(super) own: &'a Arc<Source>,
    pub(super) imported: &'a [Arc<Source>],
}

impl Sources<'_> {
    pub(super) fn source(&self, name: Option<&str>) -> &Arc<Source> {
        name.and_then(|name| self.imported.iter().find(|source| source.name == name))
            .unwrap_or(self.own)
    }

    pub(super) fn at(
        &self,
        error: Diagnostic,
        name: Option<&str>,
        position: Position,
    ) -> Diagnostic {
        let source = self.source(name);
        match position.line() {
            Some(line) => {
                let column = position.position().unwrap_or(1);
                let start = source.offset(line, 1);
                let text = source.line_at(start);
                if choices::is_behind(text, column) {
                    let mark = choices::mark(text);
                    return error.at(source, start + mark.start..start + mark.end);
                }
                let offset = source.offset(line, column);
                let (before, rest) = source.text.split_at(offset);
                // Mark what follows a dot instead of the dot, and at the end of a line its last character.
                let offset = if rest.starts_with('.') {
                    offset + 1
                } else if rest.starts_with(char::is_whitespace) || rest.is_empty() {
                    before.trim_end().char_indices().next_back().map_or(0, |(last, _)| last)
                } else {
                    offset
                };
                let mut error = error;
                let code = source.line_at(offset).split("//").next().unwrap_or_default();
                if code.contains('/') {
                    for help in error.help.iter_mut().filter(|help| *help == TO_INTEGER) {
                        *help = DIVIDED_TO_INTEGER.to_owned();
                    }
                }
                if let Some(agent) = variable_before_dot(&source.text[..offset]) {
                    for help in &mut error.help {
                        *help = help.replace(OTHER, &format!("({agent})"));
                    }
                }
                error.at(source, source.token(offset))
            }
            None => error.at(source, 0..0),
        }
    }

    /// Places an error at a position of the script itself.
    pub(super) fn place(&self, error: Diagnostic, position: Position) -> Diagnostic {
        self.at(error, None, position)
    }

    /// Returns the word at the position of an error.
    fn word(&self, name: Option<&str>, position: Position) -> String {
        let source = self.source(name);
        let offset = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
        source.text[source.token(offset)].to_owned()
    }
}

/// Returns the error of `map.name += value` where the map has no such element, which is the same to Rhai as one that is `()`.
fn missing_element(name: &str) -> Diagnostic {
    Diagnostic::error(format!("the map has no element `{name}`, or the element is `()`"))
        .code(Code::UnknownName)
        .help(format!("set its first value where the map begins: `#{{{name}: 0}}`"))
}

/// Returns the variable at the end of a text, if a dot follows it there.
fn variable_before_dot(text: &str) -> Option<&str> {
    let text = text.trim_end().strip_suffix('.')?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.trim_end_matches(is_part);
    let name = &text[before.len()..];
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && !before.ends_with('.')).then_some(name)
}

/// Something that a script assigns to but cannot change.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReadOnlyTarget<'a> {
    /// A constant, or a part of one.
    Constant,
    /// A property or a part of it, by its owner and its name, such as `me.pos.x`.
    Property(&'a str, &'a str),
}

pub(super) fn read_only_target(
    what: ReadOnlyTarget<'_>,
    position: Position,
    sources: &Sources<'_>,
) -> Diagnostic {
    let diagnostic = match what {
        ReadOnlyTarget::Constant => Diagnostic::error("a constant cannot be changed"),
        ReadOnlyTarget::Property(of, name) => read_only_property(of, name),
    };
    sources.at(diagnostic, None, position)
}

/// Returns the error of setting a property that does not exist or is read-only.
pub(super) fn no_setter(of: &str, name: &str) -> Diagnostic {
    if api::properties(of).any(|known| known == name) {
        read_only_property(of, name)
    } else {
        unknown_property(of, &readable_kinds(of), name)
    }
}

/// Returns the error of setting a param.
pub(super) fn param_set(name: &str) -> Diagnostic {
    Diagnostic::error(format!(
        "a script cannot set the param `{name}`: params belong to the whole group"
    ))
    .code(Code::ReadOnly)
    .help("keep values of a single agent in `me.state`")
}

/// Returns the error of a value of one type where another is expected.
pub(super) fn mismatch(found: &str, wanted: &str) -> Diagnostic {
    let wrong =
        Diagnostic::error(format!("expected {wanted}, found {found}")).code(Code::WrongType);
    match (found, wanted) {
        ("a float", "an integer") => wrong.help(TO_INTEGER),
        ("an agent" | "`()`" | "()", "a boolean") => wrong
            .help("to test whether something exists, compare it with `()`: `if it != () { ... }`"),
        ("an integer" | "a float", "a boolean") => {
            wrong.help("to test a number, compare it: `> 0`")
        }
        _ => wrong,
    }
}

/// Help for a float where an integer is expected.
const TO_INTEGER: &str = "to get an integer from a float, write `.to_int()` behind it";

/// The same where something is divided. [`Sources::at`] takes it if there is a division in the line.
const DIVIDED_TO_INTEGER: &str =
    "`/` always gives a float; to get an integer, write `(a / b).to_int()`";

/// Returns the error of reading state that was never set.
pub(super) fn unset_state<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error(format!("`me.state.{name}` is read before it is set"))
        .code(Code::UnsetState)
        .suggest(name, known)
        .help("set its first value in `fn init(me)`")
}

/// Rewords an error of a script that runs for no agent, unless it is in a function of `me`.
pub(super) fn without_agent(mut error: Diagnostic) -> Diagnostic {
    let before = error.place.as_ref().map_or("", |place| &place.source.text[..place.span.start]);
    let function = before.rsplit("fn ").next().unwrap_or_default();
    let head = function.split(')').next().unwrap_or_default();
    if head.split(['(', ',']).skip(1).any(|parameter| parameter.trim() == "me") {
        return error;
    }
    if error.code == Code::Endless {
        error.message = "stopped after 1,000,000 steps; is this loop endless?".to_owned();
    }
    let count = error.help.len();
    error.help.retain(|help| !help.contains("`me.") && !help.contains("`me`"));
    if error.help.len() < count {
        error.remedies = Remedies::default();
        error.help.push("this function runs for no agent, so there is no `me`".to_owned());
    }
    error
}

/// Returns the error of functions that call each other too many levels deep.
pub(super) fn too_many_calls() -> Diagnostic {
    let levels = limits::MAX_CALL_DEPTH;
    Diagnostic::error(format!("functions call each other more than {levels} levels deep"))
        .help("does a function call itself endlessly?")
}

/// Returns the error of a vector that is infinite or NaN. Its parts are not in the message, so that it is the same for
/// all agents.
pub(super) fn not_finite() -> Diagnostic {
    with_reason_not_finite("this vector is not finite")
}

/// Returns the error of storing a number in `me.state` that is infinite or NaN.
pub(super) fn state_not_finite() -> Diagnostic {
    with_reason_not_finite("a number that is not finite cannot be stored in `me.state`")
}

fn with_reason_not_finite(what: &str) -> Diagnostic {
    Diagnostic::error(what)
        .code(Code::WrongArguments)
        .help("was something divided by zero, or did a number grow too large?")
}

/// Returns the error of `this` in a function that is not called as a method.
pub(super) fn no_this() -> Diagnostic {
    Diagnostic::error("there is no `this` here")
        .code(Code::UnknownName)
        .meant("this", "me")
        .help("`this` is the value before the dot of a call such as `x.f()`; the agent is `me`")
}

/// Returns the error of a closure that uses a variable while it is being changed.
fn in_use() -> Diagnostic {
    Diagnostic::error("a closure uses a variable that is being changed outside the closure")
        .code(Code::WrongArguments)
        .help("use a copy in the closure: write `let copy = list;` before it")
}

/// Returns the error of a `for` loop over something without elements.
pub(super) fn not_iterable() -> Diagnostic {
    Diagnostic::error("a `for` loop cannot iterate over this")
        .code(Code::WrongType)
        .help("it can iterate over neighborhoods, arrays and ranges such as `0..10`")
}

/// Returns the error of storing something in `me.state` that is not plain data.
pub(super) fn not_storable(kind: &str) -> Diagnostic {
    Diagnostic::error(format!("{kind} cannot be stored in `me.state`"))
        .code(Code::WrongType)
        .help("it can hold numbers, booleans, strings, vectors, agents, arrays and maps")
}

/// Returns the error of a result of `steer` that is not a force.
pub(super) fn not_a_force(kind: &str) -> Diagnostic {
    Diagnostic::error(format!("`steer` must return a force, which is a vector, but returns {kind}"))
        .code(Code::WrongType)
        .help("return what a primitive returns, or `vec(x, y)`; return `()` for no force")
}

/// Returns the error of an index outside an array of a given length.
pub(super) fn outside_array(length: usize, place: i64) -> Diagnostic {
    let wrong = Diagnostic::error(format!("the array has no element with index {place}"));
    let wrong = wrong.code(Code::OutOfRange);
    match length {
        0 => wrong.help("the array is empty"),
        _ => wrong.help(format!("its indices are 0 to {}", length - 1)),
    }
}

fn read_only_property(of: &str, name: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(format!("a script cannot set `{name}` of {}", readable_kinds(of)))
            .code(Code::ReadOnly);
    if of == "me" {
        return diagnostic.help("a script can set `me.vel` and values in `me.state`");
    }
    diagnostic
}

/// Returns the error of a script that failed at runtime, placed at the innermost call.
pub(super) fn runtime_error(error: &EvalAltResult, sources: &Sources<'_>) -> Diagnostic {
    runtime_error_in(error, None, sources)
}

fn runtime_error_in(
    error: &EvalAltResult,
    file: Option<&str>,
    sources: &Sources<'_>,
) -> Diagnostic {
    use EvalAltResult as E;
    let position = error.position();
    let at = |diagnostic| sources.at(diagnostic, file, position);
    match error {
        E::ErrorInFunctionCall(_, source, inner, call) => {
            let file = if source.is_empty() { file } else { Some(source.as_str()) };
            let mut found = runtime_error_in(inner, file, sources);
            // A native function does not know where it was called.
            if inner.position().is_none() {
                found.place = sources.at(Diagnostic::error(""), file, *call).place;
            }
            found
        }
        E::ErrorInModule(name, inner, _) => runtime_error_in(inner, Some(name), sources),
        E::ErrorParsing(kind, position) => parse_error_in(kind, *position, file, sources),
        E::ErrorRuntime(value, _) => match value.clone().try_cast::<Problem>() {
            Some(problem) => {
                let mut diagnostic = Diagnostic::error(problem.message).code(problem.code);
                diagnostic.label = problem.label;
                (diagnostic.help, diagnostic.remedies) = (problem.help, problem.remedies);
                at(diagnostic)
            }
            None => at(Diagnostic::error(format!("the script threw {}", value::thrown(value)))),
        },
        E::ErrorFunctionNotFound(call, _) if call.starts_with(CLOSURE) => {
            at(wrong_closure(&sources.word(file, position)))
        }
        E::ErrorFunctionNotFound(call, _) => {
            at(match changed_element(sources.source(file), position) {
                Some(name) if call.contains(" ((), ") => missing_element(name),
                _ => no_matching_function(call),
            })
        }
        E::ErrorVariableNotFound(name, _) => at(unknown_variable(name, file, position, sources)),
        E::ErrorDotExpr(..) | E::ErrorPropertyNotFound(..) => {
            at(no_property(&sources.word(file, position), &error.to_string()))
        }
        E::ErrorTooManyOperations(_) | E::ErrorTerminated(..) => {
            at(meter::limit_exceeded().label("stopped here"))
        }
        E::ErrorStackOverflow(_) => at(too_many_calls()),
        E::ErrorDataTooLarge(what, _) => at(limits::data_too_large(what)),
        E::ErrorDataRace(..) => at(in_use()),
        E::ErrorModuleNotFound(name, _) => {
            at(Diagnostic::error(format!("there is no script `{name}` to import")))
        }
        E::ErrorNonPureMethodCallOnConstant(..) | E::ErrorAssignmentToConstant(..) => {
            at(Diagnostic::error("a constant cannot be changed"))
        }
        E::ErrorMismatchDataType(wanted, found, _) => {
            at(mismatch(&readable_kinds(found), &readable_kinds(wanted)))
        }
        E::ErrorFor(_) => at(not_iterable()),
        E::ErrorUnboundThis(_) => at(no_this()),
        E::ErrorArrayBounds(length, place, _) => at(outside_array(*length, *place)),
        E::ErrorIndexingType(what, _) => at(no_element(what)),
        other => at(Diagnostic::error(lowercase(strip_position(&other.to_string())))),
    }
}

/// What the names of closures begin with.
pub(super) const CLOSURE: &str = "anon$";

/// Returns the error of a closure with a wrong number of parameters, which is given to a function.
fn wrong_closure(function: &str) -> Diagnostic {
    let wrong = match function {
        "sort" | "sort_by" => Diagnostic::error(format!(
            "the function that is given to `{function}` needs two parameters"
        ))
        .help("below 0 means that the first one comes first: `array.sort(|a, b| a.id - b.id)`"),
        _ => {
            Diagnostic::error("this function gets another number of values than it has parameters")
        }
    };
    wrong.code(Code::WrongArguments)
}

/// Returns the error of a call that fits no function. `call` is `name (types of the arguments)`.
fn no_matching_function(call: &str) -> Diagnostic {
    let (name, kinds) = call
        .split_once(" (")
        .map_or((call, ""), |(name, kinds)| (name, kinds.strip_suffix(')').unwrap_or(kinds)));
    let kinds = readable_kinds(kinds);
    let is_operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_operator {
        let diagnostic = Diagnostic::error(format!(
            "`{name}` cannot be applied to {}",
            kinds.replace(", ", " and ")
        ));
        let diagnostic = diagnostic.code(Code::WrongType);
        return if kinds.contains("()") {
            diagnostic.help(NOTHING_HELP)
        } else if name.starts_with("..") && kinds.contains("float") {
            diagnostic.help(TO_INTEGER)
        } else if kinds.contains("an agent") && ["+", "-", "*", "/"].contains(&name) {
            diagnostic.help(
                "for an agent `a`, `me.to(a)` is the vector from `me` to it, and `a.pos` is its position",
            )
        } else {
            diagnostic
        };
    }
    let first = kinds.split(", ").next().unwrap_or_default();
    let of = first.trim_start_matches("an ").trim_start_matches("a ").trim_matches('`');
    if let Some(help) = call_on(of, name) {
        return Diagnostic::error(does_not_take(name, &kinds))
            .code(Code::WrongArguments)
            .help(help);
    }
    if kinds.starts_with("an agent")
        && let Some(help) = on_me(name)
    {
        return Diagnostic::error(does_not_take(name, &kinds))
            .code(Code::WrongArguments)
            .help(help);
    }
    if let Some(primitive) = steer::find(name) {
        let wrong = Diagnostic::error(does_not_take(name, &kinds))
            .code(Code::WrongArguments)
            .help(format!("call it as `{}`", primitive.usage()));
        return match primitive.params[0].kind {
            ParamKind::Forces => wrong.help(format!("put forces into an array: `{name}([a, b])`")),
            _ => wrong,
        };
    }
    if api::names().any(|known| known == name) {
        let mut diagnostic =
            Diagnostic::error(does_not_take(name, &kinds)).code(Code::WrongArguments);
        if kinds.contains("()") {
            diagnostic = diagnostic.help(NOTHING_HELP);
        }
        return with_usage(diagnostic, name, first);
    }
    if of == "neighborhood" && kinds.contains("a function") {
        return Diagnostic::error(format!("{first} has no function `{name}`"))
            .code(Code::UnknownName)
            .help("write a `for` loop: `for other in neighbors { ... }`");
    }
    let mut unknown = unknown_function(name, Some(of), api::names());
    // It exists, since it was looked for before the script ran.
    if !first.is_empty() {
        unknown.message = format!("{first} has no function `{name}`");
    }
    unknown
}

/// Adds how to call a function, with a first argument of a type.
fn with_usage(wrong: Diagnostic, name: &str, first: &str) -> Diagnostic {
    let signatures = api::signatures(name, first);
    let signatures: Vec<String> = signatures.iter().map(|one| format!("`{one}`")).collect();
    match signatures.split_last() {
        None => wrong,
        Some((only, [])) => wrong.help(format!("call it as {only}")),
        Some((last, rest)) => wrong.help(format!("call it as {} or {last}", rest.join(", "))),
    }
}

/// Help with a function that is called on another agent, if only `me` has it and it takes another agent: write
/// `me.distance(other)`. In a message with a place, [`Sources::at`] replaces `other` by what the script calls the agent.
fn on_me(name: &str) -> Option<String> {
    let is_primitive = steer::find(name).is_some_and(|primitive| {
        primitive.required() == 1
            && matches!(primitive.params[0].kind, ParamKind::Agent | ParamKind::Point)
    });
    (is_primitive || api::asks_about_another(name))
        .then(|| format!("`{name}` is a function of `me`: write `me.{name}{OTHER}`"))
}

/// The argument of a function in help, where it stands for the agent before the dot.
const OTHER: &str = "(other)";

/// Says that a function does not take arguments of these types.
fn does_not_take(name: &str, kinds: &str) -> String {
    match kinds {
        "" => format!("`{name}` got no arguments"),
        _ => format!("`{name}` does not take {kinds}"),
    }
}

/// Returns the error of a call with more arguments than any function takes.
pub(super) fn too_many_arguments(name: &str, given: usize) -> Diagnostic {
    let wrong = Diagnostic::error(does_not_take(name, &format!("{given} arguments")));
    with_usage(wrong.code(Code::WrongArguments), name, "")
}

/// Returns the error of a call of `debug` with none or several values.
pub(super) fn debug_of_several(values: usize) -> Diagnostic {
    Diagnostic::error(format!("`debug` shows one value, but got {values}"))
        .code(Code::WrongArguments)
        .help("call it as `debug(value)`; an array shows several: `debug([a, b])`")
}

/// Returns the error of calling a function that does not exist. `receiver` is the type of the value before the dot, empty if
/// it is not known; `None` without a dot.
pub(super) fn unknown_function<'a>(
    name: &str,
    receiver: Option<&str>,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let unknown =
        Diagnostic::error(format!("there is no function `{name}`")).code(Code::UnknownName);
    if let Some(help) = receiver.and_then(|of| call_on(of, name)) {
        return unknown.help(help);
    }
    let instead = match receiver {
        Some(_) => synonyms::instead_of_property(name),
        None => synonyms::instead_of(name),
    };
    if let Some(instead) = instead {
        return unknown.meant(name, instead);
    }
    if api::GLOBALS.contains(&name) {
        return unknown.help(WITHOUT_PARENTHESES.replace("{name}", name));
    }
    // What it means depends on the value before the dot.
    let by_type = synonyms::instead_by_type(name).filter(|_| receiver == Some(""));
    let by_type = by_type.map(|(of, instead)| format!("`{instead}` for {}", readable_kinds(of)));
    let by_type: Vec<String> = by_type.collect();
    let unknown = match by_type.is_empty() {
        true => unknown,
        false => unknown.help(format!("write {}", by_type.join(", "))),
    };
    let owners: Vec<&str> = api::owners(name).collect();
    if !owners.is_empty() {
        let owners = readable_kinds(&owners.join(", "));
        return unknown.help(format!(
            "`{name}` is a property of {}, and is written without parentheses",
            owners.replace(", ", " and ")
        ));
    }
    if by_type.is_empty() { unknown.suggest(name, known) } else { unknown }
}

/// Help for a property that is called like a function.
const WITHOUT_PARENTHESES: &str = "`{name}` is not a function: write it without parentheses";

/// Returns what to write instead of calling a function on a value of a type: a property, or a function by another name.
fn call_on(of: &str, name: &str) -> Option<String> {
    if api::properties(of).any(|known| known == name) {
        return Some(WITHOUT_PARENTHESES.replace("{name}", name));
    }
    let instead = synonyms::instead_on(of, name)?;
    Some(match instead.ends_with(')') {
        true => format!("did you mean `{instead}`?"),
        false => format!("write `{instead}` instead, without parentheses"),
    })
}

/// Returns the error of reading a property that does not exist. `of` is the type, `shown` its name in messages.
pub(super) fn unknown_property(of: &str, shown: &str, name: &str) -> Diagnostic {
    let unknown =
        Diagnostic::error(format!("{shown} has no property `{name}`")).code(Code::UnknownName);
    let instead = synonyms::instead_on(of, name).or_else(|| synonyms::instead_of_property(name));
    if let Some(instead) = instead {
        return unknown.meant(name, instead);
    }
    if of == "agent"
        && let Some(help) = on_me(name)
    {
        return unknown.help(help);
    }
    let primitive = steer::find(name).filter(|_| of == "me").map(steer::Primitive::shortest_usage);
    if let Some(signature) = primitive.or_else(|| api::method_signature(name, &readable_kinds(of)))
    {
        return unknown.help(format!("`{name}` is a function: write `{signature}`"));
    }
    let unknown = unknown.suggest(name, api::properties(of));
    let is_meant = unknown.help.iter().any(|help| help.contains("did you mean"));
    if of == "me" && !is_meant {
        return unknown
            .help(format!("values that the script stores are in its state: `me.state.{name}`"));
    }
    unknown
}

/// Returns the error of an index into something that has no such elements. `what` is `type [type of the index]`.
fn no_element(what: &str) -> Diagnostic {
    let (of, by) = what.split_once(" [").unwrap_or((what, ""));
    // For an assignment, `] = type of the new value` follows.
    let by = by.split(']').next().unwrap_or(by);
    let wrong = Diagnostic::error(format!(
        "{} cannot be indexed with {}",
        readable_kinds(of),
        readable_kinds(by)
    ))
    .code(Code::WrongType);
    if of == "vector" {
        return wrong.help("write `.x` or `.y` for its parts");
    }
    wrong
}

fn no_property(name: &str, message: &str) -> Diagnostic {
    let of = message
        .rsplit_once("for type '")
        .map_or("", |(_, kind)| kind.split('\'').next().unwrap_or(""));
    if of == "()" {
        return Diagnostic::error(format!("`()` has no property `{name}`")).help(NOTHING_HELP);
    }
    if of.is_empty() {
        return Diagnostic::error(format!("the map has no element `{name}`"))
            .code(Code::UnknownName);
    }
    if message.contains("a setter") {
        return no_setter(of, name);
    }
    unknown_property(of, &readable_kinds(of), name)
}

/// Returns the names of types for messages, in place of those that Rhai gives, separated by commas.
fn readable_kinds(kinds: &str) -> String {
    if kinds.is_empty() {
        return String::new();
    }
    let kinds = kinds.replace("&str | ImmutableString | String", "a string");
    let readable = |kind: &str| match api::ScriptType::of_path(kind).map_or(kind, |kind| kind.name)
    {
        "i64" => "an integer".to_owned(),
        "f32" => "a float".to_owned(),
        "bool" => "a boolean".to_owned(),
        "char" => "a character".to_owned(),
        "Fn" => "a function".to_owned(),
        "string" => "a string".to_owned(),
        kind if kind.contains("::ops::range::") => "a range".to_owned(),
        "me" | "world" | "()" => format!("`{kind}`"),
        "params" | "state" => format!("`me.{kind}`"),
        "a string" => kind.to_owned(),
        kind if kind.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}"),
        kind => format!("a {kind}"),
    };
    kinds.split(", ").map(readable).collect::<Vec<_>>().join(", ")
}

/// Help wherever `()` is used as if it were a value.
pub(super) const NOTHING_HELP: &str = "`()` means that there is nothing, such as no agent nearby or no goal left: test for it with `!= ()`";

fn strip_position(message: &str) -> &str {
    message.split(" (line ").next().unwrap_or(message)
}

pub(super) fn lowercase(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
