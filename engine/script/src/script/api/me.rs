//! `me`, the agent whose turn it is: its params, its state, and the primitives that steer it.

use std::any::TypeId;

use rhai::{Array, Dynamic, INT, ImmutableString, NativeCallContext};

use super::others::position;
use super::surroundings::{field_named, path_named};
use super::{
    AgentHandle, ApiBuilder, FieldHandle, MeHandle, NeighborhoodHandle, ParamsHandle, PathHandle,
    StateHandle, finite, number,
};
use crate::diag::WrongArguments;
use crate::math::Vec2;
use crate::script::problem::{self, Problem, Result};
use crate::script::trace::CallSite;
use crate::script::turn::{self, ScriptTurn};
use crate::script::{limits, meter, value};
use crate::steer::{
    self, Arg, Cause, ExplainedCall, Flow, ForceKind, ParamKind, Primitive, SeenNeighbors,
};
use crate::world::{Me, Neighborhood, Progress, PublicType, Value, Values};

pub(super) fn add(api: &mut ApiBuilder) {
    me(api);
    params_and_state(api);
    nearest(api);
    for primitive in steer::PRIMITIVES {
        for given in primitive.required()..=primitive.params.len() {
            let mut types = vec![TypeId::of::<MeHandle>()];
            types.resize(1 + given, TypeId::of::<Dynamic>());
            api.raw_with_context(primitive.name, &types, |context, arguments| {
                call(primitive, &arguments[1..], context)
            });
        }
    }
    for combinator in steer::COMBINATORS {
        for given in combinator.required()..=combinator.params.len() {
            let mut types = vec![TypeId::of::<Array>()];
            types.resize(given, TypeId::of::<Dynamic>());
            api.raw(combinator.name, &types, |arguments| combine(combinator, arguments));
        }
    }
}

fn me(api: &mut ApiBuilder) {
    api.name_type::<MeHandle>();
    api.module.set_setter_fn("vel", |_: &mut MeHandle, vel: Dynamic| {
        let Some(vel) = value::vector(&vel) else {
            return Err(Problem::new(format!(
                "`me.vel` must be a vector, but is {}",
                value::kind(&vel)
            ))
            .into());
        };
        turn::with(|turn| {
            turn.vel = vel;
            Ok(())
        })
    });
    for name in ["==", "!="] {
        let same = name == "==";
        api.function(name, move |_: MeHandle, other: AgentHandle| {
            turn::with(|turn| Ok((turn.me().agent().id() == other.0) == same))
        });
        api.function(name, move |other: AgentHandle, _: MeHandle| {
            turn::with(|turn| Ok((turn.me().agent().id() == other.0) == same))
        });
    }
}

fn params_and_state(api: &mut ApiBuilder) {
    api.name_type::<ParamsHandle>();
    api.name_type::<StateHandle>();
    for name in ["to_debug", "to_string"] {
        api.function(name, |_: &mut StateHandle| turn::with(|turn| shown(&turn.state)));
        api.function(name, |_: &mut ParamsHandle| {
            turn::with(|turn| shown(&turn.me().agent().params()))
        });
        api.function(name, |_: &mut MeHandle| {
            turn::with(|turn| {
                let me = turn.me();
                Ok(format!("agent {} ({})", me.agent().id(), me.group().name))
            })
        });
    }
    api.property("params", |_: &mut MeHandle| Ok(ParamsHandle));
    api.property("state", |_: &mut MeHandle| Ok(StateHandle));
    // Rhai ends `me.state.x = 1` by assigning `me.state`. The state is already changed then.
    api.module.set_setter_fn("state", |_: &mut MeHandle, _: StateHandle| Ok(()));
    api.module.set_setter_fn("params", |_: &mut MeHandle, _: ParamsHandle| Ok(()));
    api.module
        .set_indexer_get_fn(|_: &mut ParamsHandle, name: ImmutableString| param(name.as_str()));
    api.module.set_indexer_set_fn(
        |_: &mut ParamsHandle, name: ImmutableString, _: Dynamic| -> Result<()> {
            Err(Problem::from(problem::param_set(&name)).into())
        },
    );
    api.module
        .set_indexer_get_fn(|_: &mut StateHandle, name: ImmutableString| state(name.as_str()));
    api.module.set_indexer_set_fn(|_: &mut StateHandle, name: ImmutableString, new: Dynamic| {
        set_state(name.as_str(), &new)
    });
}

/// Returns a param of the group of the agent.
pub(super) fn param(name: &str) -> Result<Dynamic> {
    turn::with(|turn| {
        let (params, agent) = (&turn.me().group().params, turn.me().agent());
        let value = match params.get(name) {
            Some(Value::Drawn(_)) => agent.param(name).as_ref().map(copy_to_script),
            value => value.map(copy_to_script),
        };
        value.transpose()?.ok_or_else(|| {
            Problem::new(format!("group `{}` has no param `{name}`", turn.me().group().name))
                .suggest(name, params.names())
                .help(format!("declare it in the scenario: `params: {{ \"{name}\": 1.0 }}`"))
                .into()
        })
    })
}

/// Returns a state of the agent.
pub(super) fn state(name: &str) -> Result<Dynamic> {
    turn::with(|turn| {
        turn.state
            .get(name)
            .map(copy_to_script)
            .transpose()?
            .ok_or_else(|| Problem::from(problem::unset_state(name, turn.state.names())).into())
    })
}

/// Sets a state of the agent.
pub(super) fn set_state(name: &str, written: &Dynamic) -> Result<()> {
    let new = value::from_script(written)?;
    spend_on_copy(&new)?;
    turn::with(|turn| {
        let new = fit_own(turn, name, new, written)?;
        let old = turn.state.get(name).map_or(0, Value::elements);
        // A value that does not grow needs no check.
        if new.elements() > old {
            let others: usize = turn.state.iter().map(|(_, value)| value.elements()).sum();
            let agents = turn.world.agents.len();
            let most = limits::max_state_elements(agents);
            if others - old + new.elements() > most {
                return Err(Problem::new("`me.state` holds too much")
                    .help(format!("it can hold {most} elements in a world of {agents} agents"))
                    .into());
            }
        }
        turn.state.set(name, new);
        Ok(())
    })
}

/// Returns a value as the agent's own state keeps it: a public state keeps its type.
fn fit_own(turn: &ScriptTurn, name: &str, new: Value, written: &Dynamic) -> Result<Value> {
    let group = turn.me().group();
    let Some(ty) = group.public.get(name).and_then(PublicType::of) else { return Ok(new) };
    ty.fit(new).ok_or_else(|| {
        Problem::from(problem::wrong_public_type(name, ty, &value::kind(written))).into()
    })
}

/// Returns params or state as a string.
fn shown(values: &Values) -> Result<String> {
    meter::spend(values.iter().map(|(_, value)| value.elements()).sum())?;
    Ok(values.to_string())
}

/// Number of elements whose copying counts as one step.
const ELEMENTS_PER_STEP: usize = 4;

/// Copies a param or a value of the state for a script.
pub(super) fn copy_to_script(value: &Value) -> Result<Dynamic> {
    spend_on_copy(value)?;
    Ok(value::to_script(value))
}

/// Counts the steps for copying an array or a map.
fn spend_on_copy(value: &Value) -> Result<()> {
    match value {
        Value::List(_) | Value::Map(_) => {
            let elements = value.elements();
            meter::note_elements(elements);
            meter::spend_on_copy(elements / ELEMENTS_PER_STEP)
        }
        _ => Ok(()),
    }
}

/// Adds variants of `nearest` that report calls that fit no definition.
fn nearest(api: &mut ApiBuilder) {
    api.untyped::<MeHandle>("nearest", 1, |arguments| {
        number("nearest", arguments[1], 1).map(|_| Dynamic::UNIT)
    });
    api.untyped::<MeHandle>("nearest", 2, |arguments| {
        if super::name(arguments[1]).is_some() {
            return number("nearest", arguments[2], 2).map(|_| Dynamic::UNIT);
        }
        let problem = Problem::new(format!(
            "`nearest` takes a group and a radius, but the first argument is {}",
            value::kind(arguments[1])
        ));
        let problem = problem.argument(1, arguments[1]);
        Err(problem.help("call it as `me.nearest(group, radius)`").into())
    });
}

/// Calls a primitive with the arguments of a script.
fn call(
    primitive: &'static Primitive,
    given: &[&mut Dynamic],
    context: Option<&NativeCallContext<'_>>,
) -> Result<Dynamic> {
    if primitive.searches_way {
        meter::count_way(turn::with(|turn| Ok(turn.me().way_cells()))?)?;
    }
    turn::query(|turn| {
        // The primitive changes the progress and reads the rest of the turn.
        let mut progress = std::mem::take(&mut turn.progress);
        let done = apply(primitive, turn, &mut progress, given);
        turn.progress = progress;
        let (force, call) = done?;
        let force = finite(force)?;
        if let (Some(record), Some(call), Some(context)) = (&mut turn.record, call, context) {
            let site = CallSite::new(context);
            if let Some(trace) = &mut record.trace {
                trace.add_call(&call, site.clone());
            }
            record.calls.push((call, site));
        }
        Ok(Dynamic::from(force))
    })
}

/// Returns the result of a primitive and, if the turn is recorded, the call.
fn apply(
    primitive: &'static Primitive,
    turn: &ScriptTurn,
    progress: &mut [Progress],
    given: &[&mut Dynamic],
) -> Result<(Vec2, Option<ExplainedCall>)> {
    let me = turn.me().with_progress(progress);
    let args = arguments(primitive, turn, given, &[])?;
    let args = &args[..given.len()];
    let cause = turn.record.as_ref().map(|_| cause_of(primitive, turn, &me, given, args));
    let raw = primitive.call(&me, args).map_err(Problem::from)?;
    let call = cause.map(|cause| {
        let seen = args.iter().find_map(|arg| match arg {
            Arg::Neighbors(which) => Some(SeenNeighbors::new(&me, which)),
            _ => None,
        });
        ExplainedCall::without_share(primitive, cause, seen, turn.vel, raw)
    });
    Ok((raw, call))
}

/// Returns what a primitive reacts to.
fn cause_of<'w>(
    primitive: &'static Primitive,
    turn: &ScriptTurn,
    me: &Me<'w>,
    given: &[&mut Dynamic],
    args: &[Arg<'w>],
) -> Option<Cause> {
    let cause = primitive.cause(me, args);
    if !matches!(cause, None | Some(Cause::Point { .. })) {
        return cause;
    }
    // The primitive got a position only; the argument of the call says whose position it is.
    let whose = given.iter().find_map(|value| {
        let id = value.read_lock::<AgentHandle>()?.0;
        turn.agent(id).ok()
    });
    whose.map(|other| Cause::agent(me, other)).or(cause)
}

/// Calls a combinator with the arguments of a script.
fn combine(combinator: &'static Primitive, given: &[&mut Dynamic]) -> Result<Dynamic> {
    let lists = lists(combinator, given)?;
    turn::with(|turn| {
        let args = arguments(combinator, turn, given, &lists)?;
        let result = combinator.call(&turn.me(), &args[..given.len()]).map_err(Problem::from)?;
        let result = finite(result)?;
        Ok(match combinator.force_kind {
            ForceKind::Index => Dynamic::from_int(result.x as INT),
            _ => Dynamic::from(result),
        })
    })
}

/// A list among the arguments of a combinator.
enum List {
    Vectors(Vec<Vec2>),
    Numbers(Vec<f32>),
    /// The argument is not a list.
    None,
}

/// Converts the arguments of a script. Elements after the last given argument have no meaning.
fn arguments<'t>(
    primitive: &'static Primitive,
    turn: &'t ScriptTurn,
    given: &[&mut Dynamic],
    lists: &'t [List],
) -> Result<[Arg<'t>; steer::MAX_PARAMS]> {
    let mut args = [Arg::Number(0.0); steer::MAX_PARAMS];
    for (i, value) in given.iter().enumerate() {
        let param = &primitive.params[i];
        args[i] = match param.kind {
            ParamKind::Forces | ParamKind::Numbers => match &lists[i] {
                List::Vectors(all) => Arg::Forces(all),
                List::Numbers(all) => Arg::Numbers(all),
                List::None => Arg::Forces(&[]),
            },
            ParamKind::Slots => {
                let given = value::number(value).ok_or_else(|| wrong_kind(primitive, i, value))?;
                Arg::Slots(primitive.slots(param, given).map_err(Problem::from)?)
            }
            kind => argument(turn, kind, value)?.ok_or_else(|| wrong_kind(primitive, i, value))?,
        };
    }
    Ok(args)
}

/// Converts a value of a script to an argument of a kind; `None` if it has another type.
fn argument<'t>(turn: &'t ScriptTurn, kind: ParamKind, value: &Dynamic) -> Result<Option<Arg<'t>>> {
    Ok(match kind {
        ParamKind::Number | ParamKind::Signed => value::number(value).map(Arg::Number),
        ParamKind::Point => position(turn, value)?.map(Arg::Vector),
        ParamKind::Vector => match value.read_lock::<AgentHandle>() {
            Some(other) => Some(Arg::Vector(turn.agent(other.0)?.vel())),
            None => value::vector(value).map(Arg::Vector),
        },
        ParamKind::Agent => match value.read_lock::<AgentHandle>() {
            Some(other) => Some(Arg::Agent(turn.agent(other.0)?)),
            None => None,
        },
        ParamKind::Neighbors => match value.read_lock::<NeighborhoodHandle>() {
            Some(near) => Some(Arg::Neighbors(near.0)),
            None => value::number(value).map(|radius| Arg::Neighbors(Neighborhood::within(radius))),
        },
        ParamKind::Path => match super::name(value) {
            Some(name) => Some(Arg::Path(path_named(turn, &name)?)),
            None => value.read_lock::<PathHandle>().map(|way| Arg::Path(way.0)),
        },
        ParamKind::Flow => {
            let field = match super::name(value) {
                Some(name) => Some(field_named(turn, &name)?),
                None => value.read_lock::<FieldHandle>().map(|field| field.0),
            };
            let vector = || value::vector(value).map(Flow::Vector);
            field.map(Flow::Field).or_else(vector).map(Arg::Flow)
        }
        ParamKind::Forces | ParamKind::Numbers | ParamKind::Slots => None,
    })
}

/// Returns the lists among the arguments of a combinator, one for each argument.
fn lists(combinator: &'static Primitive, given: &[&mut Dynamic]) -> Result<Vec<List>> {
    let list = |(i, (param, value)): (usize, (&steer::Param, &&mut Dynamic))| {
        let items = || {
            let array = value.read_lock::<Array>();
            array.map(|array| array.clone()).ok_or_else(|| wrong_kind(combinator, i, value))
        };
        Ok(match param.kind {
            ParamKind::Forces => {
                List::Vectors(elements(&items()?, value::vector, |place, found| {
                    format!("{}: element {place} must be a vector, but is {found}", combinator.name)
                })?)
            }
            ParamKind::Numbers => {
                List::Numbers(elements(&items()?, value::number, |place, found| {
                    let (name, list) = (combinator.name, param.name);
                    format!("{name}: element {place} of `{list}` must be a number, but is {found}")
                })?)
            }
            _ => List::None,
        })
    };
    combinator.params.iter().zip(given).enumerate().map(list).collect()
}

/// Returns the elements of a list, or the error for the first one of another type.
fn elements<T>(
    list: &Array,
    convert: impl Fn(&Dynamic) -> Option<T>,
    wrong: impl Fn(usize, String) -> String,
) -> Result<Vec<T>> {
    let element = |(place, item): (usize, &Dynamic)| {
        convert(item).ok_or_else(|| Problem::new(wrong(place, value::kind(item))).into())
    };
    list.iter().enumerate().map(element).collect()
}

fn wrong_kind(
    primitive: &'static Primitive,
    place: usize,
    value: &Dynamic,
) -> Box<rhai::EvalAltResult> {
    let param = &primitive.params[place];
    let error = steer::CallError::Kind {
        primitive: primitive.name,
        param: param.name,
        expected: param.kind.expected(),
        given: value::kind(value),
    };
    let me = usize::from(!primitive.is_combinator());
    let problem = Problem::new(error.to_string()).argument(place + me, value);
    let problem = problem.help(primitive.how_to_call());
    let is_number = value::number(value).is_some();
    let problem = match param.kind {
        ParamKind::Point if is_number => problem.arguments(WrongArguments::Point(place + me)),
        _ => problem,
    };
    let hint = match param.kind {
        ParamKind::Point => value::hint_of_point(value),
        _ => value::hint_of_array(value),
    };
    if let Some(hint) = hint {
        return problem.help(hint).into();
    }
    if value.is_unit() {
        return problem.help(problem::NOTHING_HELP).into();
    }
    problem.into()
}
