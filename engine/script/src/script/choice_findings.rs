//! Warnings about choices that scripts make: states and functions of machines that cannot be meant.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, Position, Stmt};

use super::choice_kind::ChoiceKind;
use super::choices::{Choice, PREFIXES, is_generated, next_states, sets, string_at};
use super::compile::Script;
use super::reach;
use crate::diag::{Code, Diagnostic, nearest};

/// Returns warnings about choices: states that nothing leads to, functions that are not part of a machine because of
/// their name, and names that no choice has.
pub(super) fn findings(script: &Script) -> Vec<Diagnostic> {
    let all = reach::all(script);
    let mut found = Vec::new();
    for one in &all {
        let machines: Vec<&Choice> =
            one.choices.iter().filter(|choice| choice.kind == ChoiceKind::Machine).collect();
        if !machines.is_empty() {
            let states = machines.iter().flat_map(|machine| wrong_states(one, machine));
            let mut here: Vec<Diagnostic> = states.chain(misnamed(one, &machines)).collect();
            // The functions of a script are in no order.
            here.sort_by_key(|one| one.place.as_ref().map(|place| place.span.start));
            found.extend(here);
            found.extend(machines.iter().flat_map(|machine| unreachable(one, machine)));
        }
        for asked in one.choices.iter().filter(|choice| choice.kind == ChoiceKind::TimeIn) {
            let names: BTreeSet<&str> = all
                .iter()
                .flat_map(|script| &script.choices)
                .filter(|choice| choice.kind != ChoiceKind::TimeIn)
                .map(|choice| choice.name.as_str())
                .collect();
            if !names.contains(asked.name.as_str()) {
                let wrong = Diagnostic::warning(format!("no choice has the name `{}`", asked.name));
                let wrong = wrong.suggest(&asked.name, names);
                found.push(one.sources().place(wrong, asked.position));
            }
        }
    }
    found
}

/// Returns a warning for each assignment that sets the state of a machine to a value that is none of its states.
fn wrong_states(script: &Script, machine: &Choice) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    each_assigned(script, machine, |value| {
        let is_state = match value {
            Expr::StringConstant(name, _) => machine.options.iter().any(|state| *name == **state),
            _ => !matches!(
                value,
                Expr::IntegerConstant(..)
                    | Expr::FloatConstant(..)
                    | Expr::BoolConstant(..)
                    | Expr::DynamicConstant(..)
                    | Expr::Array(..)
                    | Expr::Map(..)
            ),
        };
        if !is_state {
            let states = machine.options.iter().map(String::as_str);
            let wrong = match value {
                Expr::StringConstant(name, _) => Diagnostic::warning(format!(
                    "the machine `{}` has no state `{name}`",
                    machine.name
                ))
                .suggest(name, states),
                _ => {
                    let known: Vec<String> = states.map(|state| format!("\"{state}\"")).collect();
                    let what = format!("this is no state of the machine `{}`", machine.name);
                    Diagnostic::warning(what).help(format!("its states are {}", known.join(", ")))
                }
            };
            found.push(script.sources().place(wrong.code(Code::UnknownName), value.position()));
        }
    });
    found
}

/// Calls a function with each value that the script itself assigns to the state of a machine.
fn each_assigned(script: &Script, machine: &Choice, mut see: impl FnMut(&Expr)) {
    script.ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && sets(&assignment.1.lhs, &machine.name)
            && !is_generated(assignment.1.lhs.position(), &script.source)
        {
            see(&assignment.1.rhs);
        }
        true
    });
}

/// Returns a warning for each state of a machine that nothing leads to.
fn unreachable(script: &Script, machine: &Choice) -> Vec<Diagnostic> {
    let mut reached = vec![machine.options[0].clone()];
    let mut is_known = true;
    each_assigned(script, machine, |value| match value {
        Expr::StringConstant(name, _) => reached.push(name.to_string()),
        _ => is_known = false,
    });
    let mut seen = 0;
    while let Some(state) = reached.get(seen).cloned() {
        seen += 1;
        let (next, are_all) = next_states(&script.ast, &state);
        is_known &= are_all;
        for (name, _) in next {
            if !reached.contains(&name) {
                reached.push(name);
            }
        }
    }
    let lost = machine.options.iter().zip(&machine.places);
    let lost = lost.filter(|(state, _)| is_known && !reached.contains(state));
    let warning = |(state, place): (&String, &Option<Position>)| {
        let what = Diagnostic::warning(format!("nothing leads to the state `{state}`"))
            .code(Code::Unreachable)
            .help(format!("return \"{state}\" from the `next_...` of another state"));
        what.at(&script.source, string_at(&script.source, place.unwrap_or(machine.position)))
    };
    lost.map(warning).collect()
}

/// Returns a warning for each function whose name is almost that of an optional function of a state.
fn misnamed(script: &Script, machines: &[&Choice]) -> Vec<Diagnostic> {
    let states: BTreeSet<&str> =
        machines.iter().flat_map(|machine| &machine.options).map(String::as_str).collect();
    let mut found = Vec::new();
    for (function, parameters) in script.functions() {
        let Some((prefix, state)) =
            PREFIXES.iter().find_map(|p| Some((p, function.strip_prefix(p)?)))
        else {
            continue;
        };
        if states.contains(state) {
            if parameters != 1 && !script.functions().any(|known| known == (function, 1)) {
                let what =
                    format!("a machine does not call `{function}`: it has {parameters} parameters");
                let what = Diagnostic::warning(what)
                    .code(Code::WrongArguments)
                    .help(format!("write `fn {function}(me)`"));
                found.push(what.at(&script.source, script.place_of(function)));
            }
            continue;
        }
        if parameters != 1 {
            continue;
        }
        if let Some(meant) = nearest(state, states.iter().copied()) {
            let what = Diagnostic::warning(format!(
                "there is no state `{state}`, so `{function}` is not called"
            ))
            .code(Code::UnknownName)
            .meant(function, &format!("{prefix}{meant}"));
            found.push(what.at(&script.source, script.place_of(function)));
        }
    }
    found
}
