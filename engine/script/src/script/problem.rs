//! Problems with something that a script does: errors of native functions, and messages that need no other information.
//! They have no place.

use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, Position};

use crate::diag::{Code, Diagnostic, Remedies, Remedy, WrongArguments};
use crate::steer::{self, Param, ParamKind};
use crate::world::{Agent, Group, PublicName, PublicType, WorldNames};

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
    arguments: Option<WrongArguments>,
}

impl Problem {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            label: String::new(),
            help: Vec::new(),
            remedies: Remedies::default(),
            code: Code::WrongArguments,
            arguments: None,
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

    /// Sets the argument that is wrong, counted from 0 with the value before the dot. Warnings about `()` are at the name of the function,
    /// and so is the error of such an argument.
    pub(super) fn argument(mut self, index: usize, value: &Dynamic) -> Self {
        self.arguments = (!value.is_unit()).then_some(WrongArguments::One(index));
        self
    }

    /// Sets which arguments are wrong.
    pub(super) fn arguments(mut self, wrong: WrongArguments) -> Self {
        self.arguments = Some(wrong);
        self
    }

    /// Sets the operand to which something must be added.
    pub(super) fn operand(mut self, is_left: bool, add: &'static str) -> Self {
        self.arguments = Some(WrongArguments::Operand { is_left, add });
        self
    }

    pub(super) fn code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Converts it to an error without a place.
    pub(super) fn into_diagnostic(self) -> Diagnostic {
        let Self { message, label, help, remedies, code, arguments } = self;
        let mut found = Diagnostic::error(message).code(code);
        (found.label, found.help, found.remedies) = (label, help, remedies);
        found.arguments = arguments;
        found
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
        let Diagnostic { message, label, help, remedies, code, arguments, .. } = found;
        Self { message, label, help, remedies, code, arguments }
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
        Self { arguments: wrong_arguments(&error), ..Self::new(error.to_string()) }
    }
}

/// Returns the arguments that the error of a call of a primitive is about. `me` is the first one, except for combinators.
fn wrong_arguments(error: &steer::CallError) -> Option<WrongArguments> {
    use steer::CallError as E;
    let (name, param) = match error {
        E::Missing { missing, .. } if missing == "`neighbors`" => {
            return Some(WrongArguments::NoNeighbors);
        }
        E::Count { primitive, .. } => (primitive, None),
        E::Kind { primitive, param, .. }
        | E::Range { primitive, param, .. }
        | E::Infinite { primitive, param, .. }
        | E::Length { primitive, param, .. }
        | E::Slots { primitive, param, .. } => (primitive, Some(param)),
        // The argument is missing.
        _ => return None,
    };
    let primitive = steer::find(name)?;
    let me = usize::from(!primitive.is_combinator());
    match (error, param) {
        (E::Count { given, .. }, _) => {
            let most = primitive.params.len();
            (*given > most).then_some(WrongArguments::From(most + me))
        }
        (_, Some(name)) => {
            let index = primitive.params.iter().position(|param| {
                param.name == *name
                    || (*name == Param::RADIUS && param.kind == ParamKind::Neighbors)
            })?;
            Some(WrongArguments::One(index + me))
        }
        _ => None,
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
        ("a neighborhood", "a boolean") => {
            wrong.help("to test whether there are any, compare their number: `.count > 0`")
        }
        _ => wrong,
    }
}

/// Help for a float where an integer is expected.
pub(super) const TO_INTEGER: &str = "to get an integer from a float, write `.to_int()` behind it";

/// The same where something is divided. [`Sources::at`] takes it if there is a division in the line.
pub(super) const DIVIDED_TO_INTEGER: &str =
    "`/` always gives a float; to get an integer, write `(a / b).to_int()`";

/// Returns the error of reading state that was never set.
pub(super) fn unset_state<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error(format!("`me.state.{name}` is read before it is set"))
        .code(Code::UnsetState)
        .suggest(name, known)
        .help("set its first value in `fn init(me)`")
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

/// Returns the error of a `for` loop over something without elements.
pub(super) fn not_iterable() -> Diagnostic {
    Diagnostic::error("a `for` loop cannot iterate over this")
        .code(Code::WrongType)
        .help("it can iterate over neighborhoods, arrays and ranges: to count to a number `n`, write `0..n`")
}

/// Returns the error of a call of `print`.
pub(super) fn no_print() -> Diagnostic {
    let debug = Remedy::Name { written: "print".to_owned(), meant: "debug".to_owned() };
    Diagnostic::error("scripts cannot print")
        .help("use `debug(...)`: it shows the value with the agent and the tick")
        .remedy(debug)
}

/// Returns the error of a word that Rhai keeps for itself.
pub(super) fn reserved_word(name: &str) -> Diagnostic {
    Diagnostic::error(format!(
        "`{name}` cannot be used as a name: the script language keeps this word for itself"
    ))
}

/// Returns the help for a reserved word of which nobody knows what it stands for.
pub(super) fn another_name(name: &str) -> String {
    format!("choose another name, such as `my_{name}`")
}

/// Returns the error of setting a state of another agent.
pub(super) fn state_of_other_set(name: &str) -> Diagnostic {
    Diagnostic::error("a script cannot set the state of another agent")
        .code(Code::ReadOnly)
        .help(format!(
            "each agent sets its own: `me.state.{name}`, which others can read as `other.state.{name}` if it is public"
        ))
}

/// Returns the error of reading a state of another agent, if it is known, that is not public.
pub(super) fn no_public_state(
    name: &str,
    agent: Option<Agent<'_>>,
    names: &[PublicName],
) -> Diagnostic {
    let is_anywhere = names.iter().any(|known| *known.name == *name);
    let agent = agent.filter(|_| is_anywhere);
    let wrong = match agent {
        Some(agent) => format!("group `{}` has no public state `{name}`", agent.group().name),
        None => format!("no group has a public state `{name}`"),
    };
    let of_group = |known: &&PublicName| {
        agent.is_none_or(|agent| known.groups[usize::from(agent.group_id().0)])
    };
    Diagnostic::error(wrong)
        .code(Code::UnknownName)
        .suggest(name, names.iter().filter(of_group).map(|known| &*known.name))
        .help(format!("declare it in the scenario: `public: {{ \"{name}\": false }}`"))
}

/// Returns the error of setting an input.
pub(super) fn input_set(name: &str) -> Diagnostic {
    Diagnostic::error(format!("a script cannot set the input `{name}`"))
        .code(Code::ReadOnly)
        .help("inputs come from keys of the window, and from events with `Input`")
}

/// Returns the error of reading an input that the scenario does not declare.
pub(super) fn no_input(name: &str, names: &WorldNames) -> Diagnostic {
    Diagnostic::error(format!("there is no input `{name}`"))
        .code(Code::UnknownName)
        .suggest(name, names.inputs().iter().map(|known| &**known))
        .help(format!("declare it in the scenario: `inputs: {{ \"{name}\": Key(\"space\") }}`"))
}

/// Returns the error of telling a group, or anyone, what no state of it can take.
pub(super) fn nobody_hears(name: &str, group: Option<&Group>, names: &[PublicName]) -> Diagnostic {
    let wrong = match group {
        Some(group) => format!("group `{}` has no public state `{name}`", group.name),
        None => format!("no group has a public state `{name}`"),
    };
    Diagnostic::error(wrong)
        .code(Code::UnknownName)
        .suggest(name, names.iter().map(|known| &*known.name))
        .help(format!("declare it for those who are to hear it: `public: {{ \"{name}\": false }}`"))
}

/// Returns the index of a number of the public state of a group, in which it has the type `ty`.
///
/// # Errors
///
/// If the group does not declare it, or with another type.
pub(super) fn own_number(
    function: &str,
    name: &str,
    ty: Option<PublicType>,
    names: &[PublicName],
) -> std::result::Result<u16, Diagnostic> {
    let index = (0..).zip(names).find(|(_, known)| *known.name == *name).map(|(index, _)| index);
    match (ty, index) {
        (Some(PublicType::Number), Some(index)) => Ok(index),
        (Some(ty), _) => {
            let wrong = format!(
                "`{function}` adds to a number, but the public state `{name}` is {}",
                ty.description()
            );
            Err(Diagnostic::error(wrong))
        }
        (None, _) => {
            let numbers = names.iter().filter(|known| known.ty == PublicType::Number);
            let wrong = format!(
                "`{function}` adds to a public number, but the group does not declare `{name}`"
            );
            Err(Diagnostic::error(wrong)
                .code(Code::UnknownName)
                .suggest(name, numbers.map(|known| &*known.name))
                .help(format!("declare it in the group: `public: {{\"{name}\": 0}}`")))
        }
    }
}

/// Returns the error of capturing an agent of another group, or of any group if it is not known, that does not allow it.
pub(super) fn no_captures(group: &str, other: Option<&str>) -> Diagnostic {
    let (whom, place) = match other {
        Some(other) => (format!("agents of group `{other}`"), format!("group `{other}`")),
        None => ("any agents".to_owned(), "the group of those whom it captures".to_owned()),
    };
    Diagnostic::error(format!("agents of group `{group}` cannot capture {whom}"))
        .code(Code::MissingPart)
        .help(format!("allow it in the scenario, in {place}: `captured_by: [\"{group}\"]`"))
}

/// Returns the error of setting a public state to a value of another type.
pub(super) fn wrong_public_type(name: &str, ty: PublicType, found: &str) -> Diagnostic {
    let wanted = ty.description();
    Diagnostic::error(format!("the public state `{name}` must be {wanted}, but is {found}"))
        .code(Code::WrongType)
        .help("the scenario declares it under `public`, and its first value there gives the type")
}

/// Returns the error of naming a shared value that the scenario does not declare.
pub(super) fn no_shared_value(name: &str, names: &[(Arc<str>, PublicType)]) -> Diagnostic {
    Diagnostic::error(format!("there is no shared value `{name}`"))
        .code(Code::UnknownName)
        .suggest(name, names.iter().map(|(known, _)| &**known))
        .help(format!("declare it in the scenario: `shared: {{ \"{name}\": Sum() }}`"))
}

/// Returns the error of setting a shared value.
pub(super) fn shared_set(name: &str) -> Diagnostic {
    Diagnostic::error(format!("a script cannot set the shared value `{name}`"))
        .code(Code::ReadOnly)
        .help(format!("an agent contributes to it: `me.share(\"{name}\", value)`"))
}

/// Returns the error of contributing a value of another type to a shared value.
pub(super) fn wrong_contribution(name: &str, ty: PublicType, found: &str) -> Diagnostic {
    let wanted = ty.description();
    Diagnostic::error(format!("the shared value `{name}` is {wanted}, but `share` got {found}"))
        .code(Code::WrongType)
        .help("the scenario declares it under `shared`")
}

/// Returns the error of contributing a number that is infinite or NaN to a shared value.
pub(super) fn contribution_not_finite(name: &str) -> Diagnostic {
    with_reason_not_finite(&format!(
        "a number that is not finite cannot be contributed to the shared value `{name}`"
    ))
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

/// Help wherever `()` is used as if it were a value.
pub(super) const NOTHING_HELP: &str = "`()` means that there is nothing, such as no agent nearby or no goal left: test it first, as in `if target != () { ... }`";

/// Help for `+` or `-` between a vector and a number.
pub(super) const ADD_VECTOR: &str =
    "a vector is added to a vector, such as `vec(1, 0)`, or scaled by a number, as in `v * 2`";

/// Returns whether an operator adds or subtracts a vector and a number.
pub(super) fn adds_number_to_vector<'k>(
    operator: &str,
    mut kinds: impl Iterator<Item = &'k str> + Clone,
) -> bool {
    let is_number = |kind| matches!(kind, "an integer" | "a float");
    matches!(operator.trim_end_matches('='), "+" | "-")
        && kinds.clone().any(|kind| kind == "a vector")
        && kinds.any(is_number)
}

/// Returns a message that begins with a lowercase letter.
pub(super) fn lowercase(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Help for an operator that takes no neighbors.
pub(super) const PARTS_OF_NEIGHBORS: &str =
    "of neighbors, `.count`, `.center`, `.mean_velocity` and `.nearest` can be computed with";
