//! Choices that are kept in `me.state`. Each calls the function that is generated for it; see `script/choices.rs`.

use std::any::TypeId;

use rhai::{Array, Dynamic, EvalAltResult, ImmutableString, Map, NativeCallContext};

use super::ApiBuilder;
use super::{MeHandle, StateHandle};
use crate::diag::Diagnostic;
use crate::script::choice_kind::ChoiceKind;
use crate::script::problem::{Problem, Result};
use crate::script::trace::CallSite;
use crate::script::{turn, value};
use crate::steer::ChoiceRule;

pub(super) fn add(api: &mut ApiBuilder) {
    for kind in ChoiceKind::ALL {
        let (least, most) = kind.arguments();
        for given in least..=most {
            let mut types = vec![TypeId::of::<MeHandle>()];
            types.resize(1 + given, TypeId::of::<Dynamic>());
            api.raw_with_context(kind.method(), &types, move |context, arguments| {
                call(kind, context, &arguments[1..])
            });
        }
    }
    api.function("contains", |_: &mut StateHandle, name: ImmutableString| {
        turn::with(|turn| Ok(turn.state.get(&name).is_some()))
    });
    let types = [TypeId::of::<Dynamic>(), TypeId::of::<ImmutableString>(), TypeId::of::<Array>()];
    api.raw("checked_state", &types, |arguments| {
        checked_state(arguments[0], arguments[1], arguments[2])
    });
}

/// Calls the function that is generated for a choice.
fn call(
    kind: ChoiceKind,
    context: Option<&NativeCallContext<'_>>,
    given: &[&mut Dynamic],
) -> Result<Dynamic> {
    let method = kind.method();
    let not_compiled = || {
        let help = format!("call it as a method of `me`: `me.{method}(\"name\", ...)`");
        Problem::new(format!(
            "`{method}` must be called with a name that is written in the call, or a `const`"
        ))
        .help(help)
    };
    let (Some(context), Some(name)) = (context, super::name(given[0])) else {
        return Err(not_compiled().into());
    };
    let mut arguments = vec![Dynamic::from(MeHandle)];
    let rule = match kind {
        ChoiceKind::TimeIn => None,
        ChoiceKind::Machine => Some(ChoiceRule::Machine { next: Vec::new() }),
        ChoiceKind::Keep => {
            let dwell = limit("keep: `dwell`", Some(&*given[2]))?;
            arguments.extend([given[1].clone(), dwell.into()]);
            Some(ChoiceRule::Keep { dwell })
        }
        ChoiceKind::Choose => {
            let margin = limit("choose: `margin`", given.get(2).map(|value| &**value))?;
            let dwell = limit("choose: `dwell`", given.get(3).map(|value| &**value))?;
            let scores = scores(given[1])?;
            arguments.extend([margin.into(), dwell.into()]);
            arguments.extend(scores.iter().map(|(_, score)| Dynamic::from(*score)));
            Some(ChoiceRule::Choose { scores, margin, dwell })
        }
    };
    let mut arguments: Vec<&mut Dynamic> = arguments.iter_mut().collect();
    let function = kind.function(&name);
    let result = context.call_fn_raw(&function, false, false, &mut arguments);
    let result = result.map_err(|error| match *error {
        EvalAltResult::ErrorFunctionNotFound(ref called, _) if called.starts_with(&function) => {
            not_compiled().into()
        }
        _ => error,
    })?;
    if let Some(rule) = rule {
        turn::with(|turn| {
            if let Some(record) = &mut turn.record {
                record.choices.push((name.to_string(), rule, CallSite::new(context)));
            }
            Ok(())
        })?;
    }
    Ok(result)
}

/// Returns a number of a choice; zero if it is not given.
fn limit(what: &str, given: Option<&Dynamic>) -> Result<f32> {
    given.map_or(Ok(0.0), |given| score(what, given))
}

fn score(what: &str, given: &Dynamic) -> Result<f32> {
    value::number(given).ok_or_else(|| {
        Problem::new(format!("{what} must be a number, but is {}", value::kind(given))).into()
    })
}

/// Returns the names and values of scores, in the order of the keys of a map or of the elements of an array.
fn scores(given: &Dynamic) -> Result<Vec<(String, f32)>> {
    let named = |name: String, given: &Dynamic| {
        let score = score(&format!("choose: the score of `{name}`"), given)?;
        Ok((name, score))
    };
    if let Some(map) = given.read_lock::<Map>() {
        return map.iter().map(|(name, given)| named(name.to_string(), given)).collect();
    }
    if let Some(array) = given.read_lock::<Array>() {
        return array.iter().enumerate().map(|(i, given)| named(i.to_string(), given)).collect();
    }
    Err(Problem::new(format!(
        "the scores must be a map or an array, but are {}",
        value::kind(given)
    ))
    .into())
}

/// Returns a value if it is the name of a state of a machine, or `()`.
fn checked_state(given: &Dynamic, subject: &Dynamic, states: &Dynamic) -> Result<Dynamic> {
    if given.is_unit() {
        return Ok(Dynamic::UNIT);
    }
    let subject = super::name(subject).unwrap_or_default();
    let Some(state) = super::name(given) else {
        return Err(Problem::from(no_state_name(&subject, &value::kind(given))).into());
    };
    let states = states.clone().into_array().unwrap_or_default();
    let states: Vec<ImmutableString> = states.iter().filter_map(super::name).collect();
    if states.contains(&state) {
        return Ok(given.clone());
    }
    Err(Problem::new(format!("{subject} \"{state}\", which is no state of this machine"))
        .suggest(&state, states.iter().map(ImmutableString::as_str))
        .into())
}

/// Returns the error of a state whose name is not a string.
pub(in crate::script) fn no_state_name(subject: &str, kind: &str) -> Diagnostic {
    Diagnostic::error(format!("{subject} {kind}, but the next state must be a name in quotes"))
        .help("return the name of the next state, or nothing to stay")
}
