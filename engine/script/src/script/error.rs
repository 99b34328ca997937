//! Errors of scripts at runtime: every error of Rhai and of the functions that scripts call becomes a [`Diagnostic`]
//! here.
//!
//! A message must never show the name of a Rust type, or a position that is not in one of the user's files.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{EvalAltResult, Position};

use super::api::define::{Function, FunctionParam};
use super::parse_error::{changed_element, parse_error_in, unknown_variable};
use super::problem::{
    ADD_VECTOR, NOTHING_HELP, PARTS_OF_NEIGHBORS, Problem, TO_INTEGER, adds_number_to_vector,
    lowercase, mismatch, no_this, not_iterable, outside_array,
};
use super::sources::{OTHER_AGENT, Sources};
use super::value::kind_of_name;
use super::{api, handles, limits, meter, synonyms, value};
use crate::diag::{Code, Diagnostic, Remedies, Remedy, WrongArguments, nearest, reference_words};
use crate::steer::{self, ParamKind, Primitive};

/// Returns the error of `map.name += value` where the map has no such element, which is the same to Rhai as one that is
/// `()`.
fn missing_element(name: &str) -> Diagnostic {
    Diagnostic::error(format!("the map has no element `{name}`, or the element is `()`"))
        .code(Code::UnknownName)
        .help(format!("set its first value where the map begins: `#{{{name}: 0}}`"))
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

/// Returns the error of a closure that uses a variable while it is being changed.
fn in_use() -> Diagnostic {
    Diagnostic::error("a closure uses a variable that is being changed outside the closure")
        .code(Code::WrongArguments)
        .help("use a copy in the closure: write `let copy = list;` before it")
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
            let found = runtime_error_in(inner, file, sources);
            // A native function does not know where it was called.
            match inner.position().is_none() {
                true => sources.at(found, file, *call),
                false => found,
            }
        }
        E::ErrorInModule(name, inner, _) => runtime_error_in(inner, Some(name), sources),
        E::ErrorParsing(kind, position) => parse_error_in(kind, *position, file, sources),
        E::ErrorRuntime(value, _) => match value.clone().try_cast::<Problem>() {
            Some(problem) => at(problem.into_diagnostic()),
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
        E::ErrorStackOverflow(_) => at(limits::too_many_calls()),
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

/// The prefix of the names of closures.
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
        } else if kinds.contains("a neighborhood") && !name.contains(['<', '>']) {
            diagnostic.help(PARTS_OF_NEIGHBORS)
        } else if adds_number_to_vector(name, kinds.split(", ")) {
            diagnostic.help(ADD_VECTOR)
        } else if kinds.contains("an agent") && ["+", "-", "*", "/"].contains(&name) {
            diagnostic.help(
                "for an agent `a`, `me.to(a)` is the vector from `me` to it, and `a.pos` is its position",
            )
        } else {
            diagnostic
        };
    }
    let first = kinds.split(", ").next().unwrap_or_default();
    let of = type_name(first);
    let is_method = api::method_signature(name, first).is_some();
    if !is_method && has_own_meaning(of, name) {
        let wrong = Diagnostic::error(does_not_take(name, &kinds)).code(Code::WrongArguments);
        return meant_on(wrong, of, name);
    }
    if kinds.starts_with("an agent")
        && let Some(help) = on_me(name)
    {
        return Diagnostic::error(does_not_take(name, &kinds))
            .code(Code::WrongArguments)
            .help(help);
    }
    let given = kinds.split(", ").filter(|kind| !kind.is_empty()).map(Some);
    let given: Vec<Option<&str>> = given.collect();
    if let Some(primitive) = steer::find(name) {
        if let Some(wrong) = wrong_beside_others(name, &given) {
            return wrong;
        }
        let usage = primitive.how_to_call();
        let wrong = forces_not_in_array(primitive, &given)
            .unwrap_or_else(|| Diagnostic::error(does_not_take(name, &kinds)));
        let agent = given.iter().position(|kind| *kind == Some("`me`"));
        let counts = primitive.required() + 1..=primitive.params.len() + 1;
        let is_call = !primitive.is_combinator() && counts.contains(&given.len());
        let wrong = match agent.filter(|_| is_call) {
            Some(agent) => wrong.arguments(WrongArguments::Agent(agent)),
            None => wrong,
        };
        return wrong.code(Code::WrongArguments).help(usage);
    }
    if api::names().any(|known| known == name) {
        let mut diagnostic = wrong_for_definitions(name, &given)
            .unwrap_or_else(|| Diagnostic::error(does_not_take(name, &kinds)))
            .code(Code::WrongArguments);
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
    if name == "range" {
        let mut wrong = Diagnostic::error("there is no function `range`")
            .code(Code::UnknownName)
            .help("write `0..3` for the integers 0, 1 and 2");
        wrong.arguments = Some(WrongArguments::UpTo);
        return wrong;
    }
    let mut unknown = unknown_function(name, Some(of), api::names());
    // It exists, since it was looked for before the script ran.
    if !first.is_empty() {
        unknown.message = format!("{first} has no function `{name}`");
    }
    unknown
}

/// Returns the error of a call of a function that takes an array of forces, with forces that are in none. `None` if its first argument is no
/// force.
fn forces_not_in_array(primitive: &Primitive, given: &[Option<&str>]) -> Option<Diagnostic> {
    let is_list = |index: usize| {
        primitive.params.get(index).is_some_and(|param| param.kind == ParamKind::Forces)
    };
    let forces = given.iter().take_while(|kind| **kind == Some("a vector")).count();
    // With a second array, it is not known which of the others belong into the first one.
    let forces = if is_list(1) { forces.min(1) } else { forces };
    let name = primitive.name;
    (is_list(0) && forces > 0).then(|| {
        Diagnostic::error(format!("`{name}` takes a list of forces, not single ones"))
            .arguments(WrongArguments::NotInArray(forces))
            .help(format!("put them into an array: `{name}([a, b])`"))
    })
}

/// Returns the name of a type in words, such as "an agent" or "`me`".
fn type_name(words: &str) -> &str {
    words.trim_start_matches("an ").trim_start_matches("a ").trim_matches('`')
}

/// Returns the error of a call with arguments of some types, `None` if one is not known, from what the functions with its name take. `None`
/// if they do not tell.
fn wrong_for_definitions(name: &str, given: &[Option<&str>]) -> Option<Diagnostic> {
    let takes = |param: &FunctionParam, given: &Option<&str>| {
        given.is_none_or(|given| api::type_words(param.kind).contains(&type_name(given)))
    };
    let mut all: Vec<&Function> = api::functions(name).collect();
    let is_on_first = |one: &&Function| {
        one.is_method() && given.first().is_some_and(|first| takes(&one.params[0], first))
    };
    if all.iter().any(is_on_first) {
        all.retain(is_on_first);
    } else if given.first().is_some_and(Option::is_some) {
        // What is known is about other values before the dot.
        all.retain(|one| !one.is_method());
    }
    let receivers = usize::from(all.iter().any(|one| one.is_method()));
    let is_mixed = all.iter().any(|one| usize::from(one.is_method()) != receivers);
    if all.is_empty() || is_mixed || given.len() < receivers || api::is_by_hand(name) {
        return None;
    }
    let counts = all.iter().map(|one| one.params.len() - receivers).collect();
    if let Some(wrong) = wrong_count(name, &counts, given.len() - receivers, receivers) {
        return Some(wrong);
    }
    all.retain(|one| one.params.len() == given.len());
    let is_wrong =
        |index: &usize| !all.iter().any(|one| takes(&one.params[*index], &given[*index]));
    let index = (receivers..given.len()).find(is_wrong)?;
    let mut wanted: Vec<String> = Vec::new();
    for function in &all {
        let kind = lowercase(function.params[index].kind.doc().trim().trim_end_matches('.'));
        if !wanted.contains(&kind) {
            wanted.push(kind);
        }
    }
    let (what, found) = (all[0].argument_name(index), given[index]?);
    let wrong = format!("{what} must be {}, but is {found}", wanted.join(" or "));
    Some(Diagnostic::error(wrong).arguments(WrongArguments::One(index)))
}

/// Returns the error of a call of which some arguments are wrong themselves, from the types of the others. The values before the dot are among
/// the arguments.
pub(super) fn wrong_beside_others(name: &str, given: &[Option<&str>]) -> Option<Diagnostic> {
    let wrong = match steer::find(name) {
        Some(primitive) => {
            let count = given.len().saturating_sub(usize::from(!primitive.is_combinator()));
            let is_right = (primitive.required()..=primitive.params.len()).contains(&count);
            if is_right || given.first() != Some(&Some("`me`")) {
                return None;
            }
            let wrong = Problem::from(primitive.wrong_count(count)).into_diagnostic();
            return Some(wrong.help(primitive.how_to_call()));
        }
        None => wrong_for_definitions(name, given)?,
    };
    let first = given.first().copied().flatten().unwrap_or_default();
    Some(with_usage(wrong.code(Code::WrongArguments), name, first))
}

/// Returns the error of a call with a number of arguments that is not among those that the function takes. `receivers` is the number of values
/// before the dot, which do not count.
pub(super) fn wrong_count(
    name: &str,
    takes: &BTreeSet<usize>,
    given: usize,
    receivers: usize,
) -> Option<Diagnostic> {
    let most = *takes.last().filter(|_| !takes.contains(&given))?;
    let counts: Vec<String> = takes.iter().map(ToString::to_string).collect();
    let takes = match (most, &counts[..]) {
        (0, _) => "no arguments".to_owned(),
        (1, [_]) => "1 argument".to_owned(),
        (1, _) => "at most 1 argument".to_owned(),
        _ => format!("{} arguments", counts.join(" or ")),
    };
    let wrong = Diagnostic::error(format!("`{name}` takes {takes}, but got {given}"));
    let wrong = wrong.code(Code::WrongArguments);
    Some(match given > most {
        true => wrong.arguments(WrongArguments::From(most + receivers)),
        false => wrong,
    })
}

/// Adds how to call a function, with a first argument of a type.
fn with_usage(wrong: Diagnostic, name: &str, first: &str) -> Diagnostic {
    let signatures = api::signatures(name, first);
    let signatures: Vec<String> = signatures.iter().map(|one| format!("`{one}`")).collect();
    let wrong = match signatures.split_last() {
        None => wrong,
        Some((only, [])) => wrong.help(format!("call it as {only}")),
        Some((last, rest)) => wrong.help(format!("call it as {} or {last}", rest.join(", "))),
    };
    // The first argument stands where the agent should.
    let lacks_me = matches!(first, "an integer" | "a float" | "a string")
        && !signatures.is_empty()
        && signatures.iter().all(|one| one.starts_with("`me."));
    let wrong = match lacks_me {
        true => {
            wrong.remedy(Remedy::Name { written: name.to_owned(), meant: format!("me.{name}") })
        }
        false => wrong,
    };
    // Other tools choose the group in the same call.
    match name {
        "neighbors" => wrong.help("`me.neighbors(radius).of(\"name\")` has only those of a group"),
        _ => wrong,
    }
}

/// Help with a function that is called on another agent, if only `me` has it and it takes another agent: write
/// `me.distance(other)`. In a message with a place, [`Sources::at`] replaces `other` by what the script calls the
/// agent.
fn on_me(name: &str) -> Option<String> {
    let is_primitive = steer::find(name).is_some_and(|primitive| {
        primitive.required() == 1
            && matches!(primitive.params[0].kind, ParamKind::Agent | ParamKind::Point)
    });
    (is_primitive || api::asks_about_another(name))
        .then(|| format!("`{name}` is a function of `me`: write `me.{name}{OTHER_AGENT}`"))
}

/// Says that a function does not take arguments of these types. `me` is before the dot.
fn does_not_take(name: &str, kinds: &str) -> String {
    match kinds.strip_prefix("`me`, ").unwrap_or(kinds) {
        "" => format!("`{name}` got no arguments"),
        "`me`" => format!("`{name}` got no arguments"),
        kinds => format!("`{name}` does not take {kinds}"),
    }
}

/// Returns the error of a call of a function that a script does not define with a number of arguments that it does not take, from the numbers
/// that it takes with the values before the dot.
pub(super) fn wrong_number_of_arguments(
    name: &str,
    takes: &BTreeSet<usize>,
    given: usize,
    receivers: usize,
) -> Option<Diagnostic> {
    let takes = takes.iter().filter_map(|count| count.checked_sub(receivers)).collect();
    Some(with_usage(wrong_count(name, &takes, given, receivers)?, name, ""))
}

/// Returns the error of a call of `debug` with none or several values.
pub(super) fn debug_of_several(values: usize) -> Diagnostic {
    Diagnostic::error(format!("`debug` shows one value, but got {values}"))
        .code(Code::WrongArguments)
        .help("call it as `debug(value)`; an array shows several: `debug([a, b])`")
}

/// Returns the error of calling a function that does not exist. `receiver` is the type of the value before the dot,
/// empty if it is not known; `None` without a dot.
pub(super) fn unknown_function<'a>(
    name: &str,
    receiver: Option<&str>,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let unknown =
        Diagnostic::error(format!("there is no function `{name}`")).code(Code::UnknownName);
    if let Some(of) = receiver.filter(|of| has_own_meaning(of, name)) {
        return meant_on(unknown, of, name);
    }
    if let Some(sign) = synonyms::sign_instead_of(name).filter(|_| receiver.is_some()) {
        return unknown.help(format!("write `a {sign} b`"));
    }
    let instead = match receiver {
        Some(_) => synonyms::instead_of_property(name),
        None => synonyms::instead_of(name),
    };
    if let Some(instead) = instead {
        return unknown.meant(name, instead);
    }
    if api::GLOBALS.contains(&name) {
        return without_parentheses(unknown, name);
    }
    // The meaning of the name depends on the value before the dot.
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
        let help = format!(
            "`{name}` is a property of {}, and is written without parentheses",
            owners.replace(", ", " and ")
        );
        let unknown = unknown.help(help);
        // On other values, something else is meant.
        return if by_type.is_empty() { as_property(unknown, name, name) } else { unknown };
    }
    if !by_type.is_empty() {
        return unknown;
    }
    let unknown = unknown.suggest(name, known);
    if !unknown.help.is_empty() {
        return unknown;
    }
    let listed = format!("{} lists all functions", reference_words());
    unknown.help(match receiver {
        Some(_) => listed,
        None => format!("{listed}; one of your own begins with `fn {name}(me) {{`"),
    })
}

/// Adds to the error of calling a property like a function how to write it.
fn without_parentheses(error: Diagnostic, name: &str) -> Diagnostic {
    let help = format!("`{name}` is not a function: write it without parentheses");
    as_property(error.help(help), name, name)
}

/// Adds the fix that writes a property in place of a call.
fn as_property(error: Diagnostic, written: &str, meant: &str) -> Diagnostic {
    error.remedy(Remedy::Property { written: written.to_owned(), meant: meant.to_owned() })
}

fn is_property_of(of: &str, name: &str) -> bool {
    api::properties(of).any(|known| known == name)
}

/// Returns whether a name that is no function of a type means something there: a property, or a function by another name.
fn has_own_meaning(of: &str, name: &str) -> bool {
    is_property_of(of, name) || synonyms::instead_on(of, name).is_some()
}

/// Adds to the error of calling a name on a value of a type, where it means something, what to write instead.
fn meant_on(error: Diagnostic, of: &str, name: &str) -> Diagnostic {
    match synonyms::instead_on(of, name).filter(|_| !is_property_of(of, name)) {
        Some(instead) if instead.ends_with(')') => error.meant(name, instead),
        Some(instead) => {
            let help = format!("write `{instead}` instead, without parentheses");
            as_property(error.help(help), name, instead)
        }
        None => without_parentheses(error, name),
    }
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
    if let Some(signature) = usage_on(of, name) {
        let unknown = unknown.help(format!("`{name}` is a function: write `{signature}`"));
        // Nobody knows the arguments.
        return match signature.ends_with("()") {
            true => {
                let call = format!("{name}()");
                unknown.remedy(Remedy::Name { written: name.to_owned(), meant: call })
            }
            false => unknown,
        };
    }
    if nearest(name, api::properties(of)).is_none() {
        if of == "me" && is_property_of("world", name) {
            return unknown.help(format!("did you mean `world.{name}`?"));
        }
        if let Some(usage) = usage_on("world", name).filter(|_| of == "me") {
            return unknown.help(format!("did you mean `{usage}`?"));
        }
        let of_methods = methods(of);
        let instead = synonyms::instead_of_mistyped(name, api::properties(of))
            .or_else(|| synonyms::instead_of_begun(name, of_methods.keys().copied()));
        if let Some(instead) = instead {
            return unknown.meant(name, instead);
        }
        let usages = mistyped_methods(&of_methods, name);
        return match &usages[..] {
            [] => with_known_properties(unknown, of, name),
            // Its arguments are known.
            [only] if only.ends_with("()") => unknown.meant(name, only),
            _ => unknown.help(format!("did you mean `{}`?", usages.join("` or `"))),
        };
    }
    with_known_properties(unknown, of, name)
}

/// Adds to the error of reading a property that does not exist which ones there are.
fn with_known_properties(unknown: Diagnostic, of: &str, name: &str) -> Diagnostic {
    let is_state = of == "me" && nearest(name, api::properties(of)).is_none();
    let help = is_state
        .then(|| format!("values that the script stores are in its state: `me.state.{name}`"));
    help.into_iter().fold(unknown, Diagnostic::help).suggest(name, api::properties(of))
}

/// Returns how a function is called on a value of a type, if it is one of those.
fn usage_on(of: &str, name: &str) -> Option<String> {
    let primitive = steer::find(name).filter(|_| of == "me").map(Primitive::shortest_usage);
    primitive.or_else(|| api::method_signature(name, &readable_kinds(of)))
}

/// Maximum number of functions that are offered for the beginning of a name.
const MAX_BEGUN: usize = 3;

/// Returns the functions of a type, and how they are called behind a dot.
fn methods(of: &str) -> BTreeMap<&'static str, String> {
    let primitives = steer::PRIMITIVES.iter().map(|primitive| primitive.name);
    let behind_dot = |usage: String| usage.split_once('.').map(|(_, behind)| behind.to_owned());
    let names: BTreeSet<&str> = api::names().chain(primitives).collect();
    let all = names.into_iter().filter_map(|name| Some((name, behind_dot(usage_on(of, name)?)?)));
    all.collect()
}

/// Returns how the functions are called that are meant by a mistyped name, or by its beginning. Empty if there are none, or too many.
fn mistyped_methods(all: &BTreeMap<&'static str, String>, name: &str) -> Vec<String> {
    if let Some(near) = nearest(name, all.keys().copied()) {
        return vec![all[near].clone()];
    }
    let begun = all.iter().filter(|(known, _)| name.len() > 2 && known.starts_with(name));
    let begun: Vec<String> = begun.map(|(_, usage)| usage.clone()).collect();
    if begun.len() > MAX_BEGUN { Vec::new() } else { begun }
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
    let name = |kind| handles::ScriptType::of_path(kind).map_or(kind, |known| known.name);
    let readable = |kind| kind_of_name(name(kind));
    kinds.split(", ").map(readable).collect::<Vec<_>>().join(", ")
}

fn strip_position(message: &str) -> &str {
    message.split(" (line ").next().unwrap_or(message)
}
