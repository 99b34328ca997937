//! `me`: the agent whose turn it is, and the primitives that steer it.

use std::any::TypeId;

use rhai::{Array, Dynamic, INT, ImmutableString, NativeCallContext, Position};

use super::others::{agent_at, group_named, point, position};
use super::surroundings::{Way, path_named};
use super::{Builder, Nearby, Other, finite, number};
use crate::math::{self, Vec2};
use crate::script::error::{self, Problem, Result};
use crate::script::tape::Made;
use crate::script::turn::{self, Turn};
use crate::script::{limits, meter, value};
use crate::steer::{self, Arg, Cause, Kind, Primitive, Sight};
use crate::world::{Me, Neighborhood, Progress, Value, Values};

/// The agent whose turn it is: `me`.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Itself;

/// The parameters of its group: `me.params`.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Params;

/// What it remembers: `me.state`.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct State;

pub(super) fn add(api: &mut Builder) {
    itself(api);
    memory(api);
    perception(api);
    for primitive in steer::PRIMITIVES {
        for given in primitive.required()..=primitive.params.len() {
            let mut types = vec![TypeId::of::<Itself>()];
            types.resize(1 + given, TypeId::of::<Dynamic>());
            api.placed(primitive.name, &types, |context, arguments| {
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

fn itself(api: &mut Builder) {
    fn property<R: rhai::Variant + Clone>(
        api: &mut Builder,
        name: &'static str,
        get: fn(&Me<'_>) -> R,
    ) {
        api.property(name, move |_: &mut Itself| turn::with(|turn| Ok(get(&turn.me()))));
    }
    api.kind::<Itself>();
    property(api, "id", |me| INT::from(me.agent().id()));
    property(api, "index", |me| INT::from(me.agent().index()));
    property(api, "group", |me| ImmutableString::from(me.group().name.as_ref()));
    property(api, "pos", |me| me.pos());
    property(api, "vel", |me| me.vel());
    property(api, "heading", |me| me.heading());
    api.property("speed", |_: &mut Itself| {
        turn::with(|turn| Ok(math::length(turn.vel))).map(turn::number)
    });
    property(api, "radius", |me| me.body().radius);
    property(api, "mass", |me| me.body().mass);
    property(api, "max_speed", |me| me.body().max_speed);
    property(api, "max_force", |me| me.body().max_force);
    property(api, "goal", |me| me.goal().map_or(Dynamic::UNIT, |goal| Dynamic::from(goal.at)));
    property(api, "goal_radius", |me| me.goal().map_or(Dynamic::UNIT, |goal| goal.radius.into()));
    property(api, "path", |me| {
        me.group().path.map_or(Dynamic::UNIT, |path| Dynamic::from(Way(path)))
    });
    api.property("waypoint", |_: &mut Itself| {
        turn::with(|turn| {
            Ok(turn.me().group().path.map_or(Dynamic::UNIT, |path| {
                Dynamic::from(turn.world.path(path).waypoint(turn.progress[path.0 as usize]))
            }))
        })
    });
    api.module.set_setter_fn("vel", |_: &mut Itself, vel: Dynamic| {
        let Some(vel) = vel.read_lock::<Vec2>().map(|vel| *vel) else {
            return Err(Problem::new(format!(
                "`me.vel` must be a vector, and is {}",
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
        api.function(name, move |_: Itself, other: Other| {
            turn::with(|turn| Ok((turn.me().agent().id() == other.0) == same))
        });
        api.function(name, move |other: Other, _: Itself| {
            turn::with(|turn| Ok((turn.me().agent().id() == other.0) == same))
        });
    }
}

fn memory(api: &mut Builder) {
    api.kind::<Params>();
    api.kind::<State>();
    for name in ["to_debug", "to_string"] {
        api.function(name, |_: &mut State| turn::with(|turn| written(&turn.state)));
        api.function(name, |_: &mut Params| turn::with(|turn| written(&turn.me().group().params)));
        api.function(name, |_: &mut Itself| {
            turn::with(|turn| {
                let me = turn.me();
                Ok(format!("agent {} ({})", me.agent().id(), me.group().name))
            })
        });
    }
    api.property("params", |_: &mut Itself| Ok(Params));
    api.property("state", |_: &mut Itself| Ok(State));
    // `me.state.x = 1` ends with putting the state back, which it never left.
    api.module.set_setter_fn("state", |_: &mut Itself, _: State| Ok(()));
    api.module.set_setter_fn("params", |_: &mut Itself, _: Params| Ok(()));
    api.module.set_indexer_get_fn(|_: &mut Params, name: ImmutableString| {
        turn::with(|turn| {
            let params = &turn.me().group().params;
            params.get(&name).map(given).transpose()?.ok_or_else(|| {
                Problem::new(format!("group `{}` has no param `{name}`", turn.me().group().name))
                    .suggest(&name, params.names())
                    .help("params are declared in the scenario, as `params: { \"name\": 1.0 }`")
                    .into()
            })
        })
    });
    api.module.set_indexer_set_fn(
        |_: &mut Params, name: ImmutableString, _: Dynamic| -> Result<()> {
            Err(Problem::from(error::param_set(&name)).into())
        },
    );
    api.module.set_indexer_get_fn(|_: &mut State, name: ImmutableString| {
        turn::with(|turn| {
            turn.state
                .get(&name)
                .map(given)
                .transpose()?
                .ok_or_else(|| Problem::from(error::unset_state(&name, turn.state.names())).into())
        })
    });
    api.module
        .set_indexer_set_fn(|_: &mut State, name: ImmutableString, new: Dynamic| {
            let new = value::from_script(&new)?;
            spend_on_copy(&new)?;
            turn::with(|turn| {
                let old = turn.state.get(&name).map_or(0, Value::elements);
                // Only what grows has to be counted.
                if new.elements() > old {
                    let others: usize = turn.state.iter().map(|(_, value)| value.elements()).sum();
                    let agents = turn.world.agents.len();
                    let most = limits::remembered(agents);
                    if others - old + new.elements() > most {
                        return Err(Problem::new("the agent remembers too much")
                            .help(format!(
                                "all of `me.state` together may have {most} elements in a world of {agents} agents"
                            ))
                            .into());
                    }
                }
                turn.state.set(&name, new);
                Ok(())
            })
        });
}

/// Writes out all that is kept.
fn written(values: &Values) -> Result<String> {
    meter::spend(values.iter().map(|(_, value)| value.elements()).sum())?;
    Ok(values.to_string())
}

/// Copying so many elements takes as long as a step.
const ELEMENTS_PER_STEP: usize = 4;

/// Gives a script a value that the engine keeps.
fn given(value: &Value) -> Result<Dynamic> {
    spend_on_copy(value)?;
    Ok(value::to_script(value))
}

/// Counts the copying of arrays and maps.
fn spend_on_copy(value: &Value) -> Result<()> {
    match value {
        Value::List(_) | Value::Map(_) => {
            let elements = value.elements();
            meter::has_seen(elements);
            meter::spend(elements / ELEMENTS_PER_STEP)
        }
        _ => Ok(()),
    }
}

fn perception(api: &mut Builder) {
    api.function("neighbors", |_: Itself| Nearby(Neighborhood::within(f32::INFINITY)));
    api.open::<Itself>("neighbors", 1, |arguments| {
        within("neighbors", arguments[1]).map(|which| Dynamic::from(Nearby(which)))
    });
    api.function("nearest", |_: Itself| {
        turn::ask(|turn| Ok(nearest(turn, &Neighborhood::within(f32::INFINITY))))
    });
    api.open::<Itself>("nearest", 1, |arguments| {
        turn::ask(|turn| {
            let which = match super::name(arguments[1]) {
                Some(group) => {
                    Neighborhood::within(f32::INFINITY).of(group_named(&turn.world, &group)?)
                }
                None => within("nearest", arguments[1])?,
            };
            Ok(nearest(turn, &which))
        })
    });
    api.open::<Itself>("nearest", 2, |arguments| {
        turn::ask(|turn| {
            let Some(group) = super::name(arguments[1]) else {
                return Err(Problem::new(format!(
                    "`nearest` takes a group and a radius, and got {} first",
                    value::kind(arguments[1])
                ))
                .help("call it as `me.nearest(group, radius)`")
                .into());
            };
            let group = group_named(&turn.world, &group)?;
            Ok(nearest(turn, &within("nearest", arguments[2])?.of(group)))
        })
    });
    api.open::<Itself>("to", 1, |arguments| offset("to", arguments[1]).map(Dynamic::from));
    api.open::<Itself>("distance", 1, |arguments| {
        let distance = math::length(offset("distance", arguments[1])?);
        Ok(turn::number(distance).into())
    });
    api.function("random", |_: Itself| turn::with(|turn| Ok(turn.draw())));
    api.open::<Itself>("random", 2, |arguments| {
        let (low, high) = (number("random", arguments[1])?, number("random", arguments[2])?);
        turn::with(|turn| Ok((low + (high - low) * turn.draw()).into()))
    });
}

/// The neighbourhood of a radius that a script gives.
fn within(function: &str, radius: &Dynamic) -> Result<Neighborhood> {
    let radius = number(function, radius)?;
    if radius >= 0.0 {
        return Ok(Neighborhood::within(radius));
    }
    Err(Problem::new(format!("{function}: the radius must be a number from 0, and is {radius}"))
        .into())
}

fn nearest(turn: &Turn, which: &Neighborhood) -> Dynamic {
    agent_at(&turn.world, turn.me().summary(which).nearest.map(|(row, _)| row))
}

/// The way to a point or an agent.
fn offset(function: &str, target: &Dynamic) -> Result<Vec2> {
    turn::with(|turn| Ok(turn.me().to(point(turn, function, target)?)))
}

/// Applies a primitive to what a script gives it.
fn call(
    primitive: &'static Primitive,
    given: &[&mut Dynamic],
    context: Option<&NativeCallContext<'_>>,
) -> Result<Dynamic> {
    turn::ask(|turn| {
        if let Some(tape) = &mut turn.tape
            && let Some((answer, progress)) = tape.answer(primitive)
        {
            if let Some(progress) = progress {
                turn.progress.copy_from_slice(progress);
            }
            return Ok(Dynamic::from(answer));
        }
        // The progress is changed while the rest of the turn is looked at.
        let mut progress = std::mem::take(&mut turn.progress);
        let done = apply(primitive, turn, &mut progress, given, context);
        turn.progress = progress;
        let force = match (done, &mut turn.tape) {
            (Ok((force, Some(made))), Some(tape)) => {
                tape.note(made);
                force
            }
            (Ok((force, _)), _) => force,
            (Err(error), tape) => {
                if let Some(tape) = tape {
                    tape.note_failure(primitive);
                }
                return Err(error);
            }
        };
        finite(force).map(Dynamic::from)
    })
}

/// What a primitive answers, and the call as a note, if the turn is noted down.
fn apply(
    primitive: &'static Primitive,
    turn: &Turn,
    progress: &mut [Progress],
    given: &[&mut Dynamic],
    context: Option<&NativeCallContext<'_>>,
) -> Result<(Vec2, Option<Made>)> {
    let me = turn.me().with_progress(progress);
    let args = arguments(primitive, turn, given, &[])?;
    let args = &args[..given.len()];
    let made = turn.tape.as_ref().map(|_| Made {
        primitive,
        source: context.and_then(|context| context.call_source().map(str::to_owned)),
        position: context.map_or(Position::NONE, NativeCallContext::call_position),
        cause: whom(primitive, turn, &me, given, args),
        sight: args.iter().find_map(|arg| match arg {
            Arg::Neighbors(which) => Some(Sight::of(&me, which)),
            _ => None,
        }),
        vel: turn.vel,
        answer: Vec2::ZERO,
        progress: None,
    });
    let answer = primitive.call(&me, args)?;
    let made = made.map(|made| Made {
        answer,
        progress: primitive.moves_progress.then(|| progress.to_vec()),
        ..made
    });
    Ok((answer, made))
}

/// Because of whom a primitive is called.
fn whom<'w>(
    primitive: &'static Primitive,
    turn: &Turn,
    me: &Me<'w>,
    given: &[&mut Dynamic],
    args: &[Arg<'w>],
) -> Option<Cause> {
    let cause = primitive.because(me, args);
    if !matches!(cause, None | Some(Cause::Point { .. })) {
        return cause;
    }
    // The primitive knows of a vector only; the call, whose it is.
    let whose = given.iter().find_map(|value| {
        let id = value.read_lock::<Other>()?.0;
        turn.agent(id).ok()
    });
    whose.map(|other| Cause::agent(me, other)).or(cause)
}

/// Applies a combinator to what a script gives it.
fn combine(combinator: &'static Primitive, given: &[&mut Dynamic]) -> Result<Dynamic> {
    let forces = forces(combinator, given)?;
    turn::with(|turn| {
        let args = arguments(combinator, turn, given, &forces)?;
        let args = &args[..given.len()];
        let most = match args.get(1) {
            Some(Arg::Number(most)) => *most,
            _ => turn.me().body().max_force,
        };
        let sum = combinator.call(&turn.me(), args)?;
        let scales = || steer::scales(combinator, &forces, most).unwrap_or_default();
        let sum = match &mut turn.tape {
            Some(tape) => tape.sum(&forces, sum, scales),
            None => sum,
        };
        finite(sum).map(Dynamic::from)
    })
}

/// What a script gives, as arguments; the rest of them are no matter.
fn arguments<'t>(
    primitive: &'static Primitive,
    turn: &'t Turn,
    given: &[&mut Dynamic],
    forces: &'t [Vec2],
) -> Result<[Arg<'t>; steer::MOST_PARAMS]> {
    let mut args = [Arg::Number(0.0); steer::MOST_PARAMS];
    for (i, value) in given.iter().enumerate() {
        args[i] = match primitive.params[i].kind {
            Kind::Forces => Arg::Forces(forces),
            kind => argument(turn, kind, value)?.ok_or_else(|| wrong_kind(primitive, i, value))?,
        };
    }
    Ok(args)
}

/// A script's value as an argument of a kind; `None` if it is of another.
fn argument<'t>(turn: &'t Turn, kind: Kind, value: &Dynamic) -> Result<Option<Arg<'t>>> {
    Ok(match kind {
        Kind::Number => value::number(value).map(Arg::Number),
        Kind::Point => position(turn, value)?.map(Arg::Vector),
        Kind::Vector => match value.read_lock::<Other>() {
            Some(other) => Some(Arg::Vector(turn.agent(other.0)?.vel())),
            None => value.read_lock::<Vec2>().map(|v| Arg::Vector(*v)),
        },
        Kind::Agent => match value.read_lock::<Other>() {
            Some(other) => Some(Arg::Agent(turn.agent(other.0)?)),
            None => None,
        },
        Kind::Neighbors => match value.read_lock::<Nearby>() {
            Some(near) => Some(Arg::Neighbors(near.0)),
            None => value::number(value).map(|radius| Arg::Neighbors(Neighborhood::within(radius))),
        },
        Kind::Path => match super::name(value) {
            Some(name) => Some(Arg::Path(path_named(turn, &name)?)),
            None => value.read_lock::<Way>().map(|way| Arg::Path(way.0)),
        },
        Kind::Forces => None,
    })
}

/// The list of forces that a combinator is given, if it is one.
fn forces(primitive: &'static Primitive, given: &[&mut Dynamic]) -> Result<Vec<Vec2>> {
    let mut forces = Vec::new();
    for (param, value) in primitive.params.iter().zip(given) {
        if param.kind == Kind::Forces
            && let Some(list) = value.read_lock::<Array>()
        {
            for (place, item) in list.iter().enumerate() {
                let Some(force) = item.read_lock::<Vec2>() else {
                    let found = value::kind(item);
                    return Err(Problem::new(format!(
                        "{}: element {place} must be a vector, and is {found}",
                        primitive.name
                    ))
                    .into());
                };
                forces.push(*force);
            }
        }
    }
    Ok(forces)
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
    let problem =
        Problem::new(error.to_string()).help(format!("call it as `{}`", primitive.usage()));
    if let Some(hint) = value::hint_of_point(value) {
        return problem.help(hint).into();
    }
    if value.is_unit() {
        return problem
            .help("`()` stands for something that is not there; test for it with `!= ()`")
            .into();
    }
    problem.into()
}
