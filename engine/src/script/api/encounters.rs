//! What scripts ask about meeting others and obstacles, and about places where the agent is not.

use rhai::{Dynamic, ImmutableString};

use super::others::{agent_at, group_named, point};
use super::surroundings::Surroundings;
use super::{Builder, Itself, Nearby, Other, finite, number};
use crate::math::Vec2;
use crate::script::error::Problem;
use crate::script::{turn, value};
use crate::world::{Agent, Me};

pub(super) fn add(api: &mut Builder) {
    about_other(api, "time_to_collision", |me, other| me.time_to_collision(other));
    about_other(api, "time_to_nearest_approach", |me, other| Some(me.nearest_approach(other).time));
    about_other(api, "distance_at_nearest_approach", |me, other| {
        Some(me.nearest_approach(other).distance)
    });
    api.open::<Itself>("free_distance", 2, |arguments| {
        let Some(velocity) = arguments[1].read_lock::<Vec2>().map(|velocity| *velocity) else {
            return Err(Problem::new(format!(
                "the first argument of `free_distance` must be a vector, and is {}",
                value::kind(arguments[1])
            ))
            .into());
        };
        let horizon = number("free_distance", arguments[2])?;
        if horizon.is_nan() || horizon < 0.0 {
            return Err(Problem::new(format!(
                "free_distance: the horizon must be a number from 0, and is {horizon}"
            ))
            .into());
        }
        let free = turn::ask(|turn| Ok(turn.me().free_distance(velocity, horizon)))?;
        Ok(turn::number(free).into())
    });
    api.open::<Surroundings>("ray", 2, |arguments| {
        let hit = turn::ask(|turn| {
            let from = point(turn, "ray", arguments[1])?;
            Ok(turn.world.ray(from, point(turn, "ray", arguments[2])?))
        })?;
        if turn::truth(hit.is_some()) {
            finite(hit.unwrap_or_default()).map(Dynamic::from)
        } else {
            Ok(Dynamic::UNIT)
        }
    });
    api.function("agent", |_: Surroundings, name: ImmutableString| {
        turn::ask(|turn| {
            let group = group_named(&turn.world, &name)?;
            match turn.world.only(group) {
                Ok(row) => Ok(agent_at(&turn.world, Some(row))),
                Err(count) => Err(Problem::new(format!(
                    "`world.agent` needs a group of one agent, and `{name}` has {count}"
                ))
                .help("for the nearest of a group, or `()`, use `me.nearest(\"group\")`")
                .into()),
            }
        })
    });
    api.open::<Nearby>("around", 1, |arguments| {
        let near = arguments[0].clone().try_cast::<Nearby>();
        turn::with(|turn| {
            let point = point(turn, "around", arguments[1])?;
            let near = near.ok_or_else(|| Problem::new("called on something else"))?;
            Ok(Dynamic::from(Nearby(near.0.around(point))))
        })
    });
}

/// A function of `me` about another agent: a number, or `()`.
fn about_other(
    api: &mut Builder,
    name: &'static str,
    answer: fn(&Me<'_>, Agent<'_>) -> Option<f32>,
) {
    api.open::<Itself>(name, 1, move |arguments| {
        let Some(other) = arguments[1].read_lock::<Other>().map(|other| *other) else {
            let wrong = format!(
                "the argument of `{name}` must be an agent, and is {}",
                value::kind(arguments[1])
            );
            return Err(Problem::new(wrong).into());
        };
        let answer = turn::with(|turn| Ok(answer(&turn.me(), turn.agent(other.0)?)))?;
        if turn::truth(answer.is_some()) {
            Ok(turn::number(answer.unwrap_or_default()).into())
        } else {
            Ok(Dynamic::UNIT)
        }
    });
}
