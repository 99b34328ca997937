//! What differs between the agents of a group because it is drawn for each of them: numbers of bodies, and params.
//!
//! A number is drawn from the seed, the name of the group, the agent's index in the group and the name of the number. What is kept
//! here only saves time: it follows from the seed, the group and the number of agents that it has made.

use std::sync::Arc;

use super::{Body, BodySpec, Group, GroupId, Value, Values, World};
use crate::diag::{Code, Diagnostic};
use crate::distribution::Distribution;
use crate::math;
use crate::math::random::{Mix, Use, group_streams};
use crate::schema::{Described, ReadSetting, Shape};

/// A number of a body that is drawn for each agent.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDraw {
    /// The way to the number in a body, as scenarios name it: `["noise", "position"]`.
    pub path: Vec<Arc<str>>,
    /// What it is drawn from.
    pub of: Arc<Distribution>,
}

/// The body of an agent, with what is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyDraws {
    /// The numbers that are not drawn.
    pub body: Body,
    /// The numbers that are drawn.
    pub draws: Vec<BodyDraw>,
}

/// Numbers of params that are drawn for each agent: one column for each such param, by the agent's index in the group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamColumns(Vec<(Arc<str>, Vec<f32>)>);

impl BodyDraw {
    /// Sets the number in a body. Returns false if there is no such number, or if it cannot be that one.
    pub fn set(&self, body: &mut Body, number: f32) -> bool {
        let path: Vec<&str> = self.path.iter().map(|name| &**name).collect();
        BodySpec::set_number(body, &path, number)
    }
}

impl BodyDraw {
    /// Returns what is wrong with it: if there is no such number in a body, or if a body cannot have some of the numbers.
    pub fn problem(&self) -> Option<Diagnostic> {
        let mut body = Body::default();
        let name = self.path.join(".");
        if !self.set(&mut body, 1.0) {
            let wrong = format!("`{name}` is not a number, so it cannot be drawn for each agent");
            return Some(Diagnostic::error(wrong).code(Code::WrongType));
        }
        let bounds = self.of.bounds();
        if bounds.iter().all(|number| self.set(&mut body, *number)) {
            return None;
        }
        let expected = self.path.iter().try_fold(BodySpec::shape(), |shape, name| match shape {
            Shape::Fields(fields) => {
                fields.into_iter().find(|field| *field.name == **name).map(|field| field.shape)
            }
            _ => None,
        });
        let expected = match expected {
            Some(Shape::ValueOrVariants(words, _)) => words,
            _ => "another number".to_owned(),
        };
        let [low, high] = bounds.map(math::short);
        let wrong = format!(
            "`{name}` must be {expected}, but this distribution has numbers from {low} to {high}"
        );
        let wrong = Diagnostic::error(wrong).code(Code::OutOfRange);
        let may_have_bounds = self.of.parts().any(|(_, name, _)| name.ends_with("Normal"));
        Some(if may_have_bounds {
            wrong.help("give it bounds: `within: (low, high)`")
        } else {
            wrong
        })
    }
}

impl BodyDraws {
    /// Returns a body in the middle of all.
    pub fn middle(&self) -> Body {
        let mut body = self.body;
        for draw in &self.draws {
            draw.set(&mut body, draw.of.middle());
        }
        body
    }

    /// Returns the body of an agent, from its random stream.
    fn draw(&self, agent: Mix) -> Body {
        let mut body = self.body;
        for draw in &self.draws {
            let name = format!("body.{}", draw.path.join("."));
            let is_set = draw.set(&mut body, draw.of.draw(agent, &name));
            debug_assert!(
                is_set,
                "numbers that no body can have are errors of the scenario: {name}"
            );
        }
        body
    }
}

impl Group {
    /// Returns whether numbers of its bodies or params are drawn for each agent.
    pub fn draws_numbers(&self) -> bool {
        !self.body_draws.is_empty() || self.drawn_params().next().is_some()
    }

    /// Returns the params that are drawn for each agent, with what they are drawn from.
    fn drawn_params(&self) -> impl Iterator<Item = (&str, &Arc<Distribution>)> {
        self.params.iter().filter_map(|(name, value)| match value {
            Value::Drawn(distribution) => Some((name, distribution)),
            _ => None,
        })
    }

    /// Draws the bodies of the agents that the group begins with in a world with a seed. Before, it has bodies in the middle of all.
    pub fn draw_bodies(&mut self, seed: u64, count: u32) {
        if !self.body_draws.is_empty() {
            self.bodies.clear();
            self.draw_missing(streams(seed, &self.name), count);
        }
    }

    /// Draws what is not known yet for a number of agents, and a body in any case, so that the group has some.
    fn draw_missing(&mut self, streams: Mix, count: u32) {
        let stream = |index: usize| streams.with(index as u64);
        if !self.body_draws.is_empty() {
            let known = self.bodies.len();
            for index in known..(count as usize).max(1) {
                let draws = &self.body_draws[index % self.body_draws.len()];
                self.bodies.push(draws.draw(stream(index)));
            }
        }
        for (name, column) in &mut self.param_columns.0 {
            let Some(Value::Drawn(distribution)) = self.params.get(name) else { continue };
            let name = param_name(name);
            let missing = column.len()..count as usize;
            column.extend(missing.map(|index| distribution.draw(stream(index), &name)));
        }
    }
}

/// Returns the common part of the streams from which the numbers of a group's agents are drawn.
fn streams(seed: u64, group: &str) -> Mix {
    group_streams(seed, group, Use::Trait)
}

fn param_name(name: &str) -> String {
    format!("params.{name}")
}

impl World {
    /// Draws the numbers of all agents again, after groups have changed.
    pub(crate) fn draw_numbers(&mut self) {
        for id in (0..self.groups.len()).map(|index| GroupId(index as u16)) {
            let group = &mut self.groups[usize::from(id.0)];
            let columns = group.drawn_params().map(|(name, _)| (Arc::from(name), Vec::new()));
            group.param_columns = ParamColumns(columns.collect());
            if !group.body_draws.is_empty() {
                group.bodies.clear();
            }
            self.draw_missing(id);
        }
    }

    /// Sets a param of a group, and draws its numbers if it has a distribution now.
    pub(crate) fn set_param(&mut self, group: GroupId, name: &str, value: Value) {
        let of = &mut self.groups[usize::from(group.0)];
        of.param_columns.0.retain(|(known, _)| **known != *name);
        if matches!(value, Value::Drawn(_)) {
            of.param_columns.0.push((name.into(), Vec::new()));
            of.param_columns.0.sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        of.params.set(name, value);
        self.draw_missing(group);
    }

    /// Draws the numbers of the agents of a group that have been made since.
    pub(super) fn draw_missing(&mut self, group: GroupId) {
        let of = &self.groups[usize::from(group.0)];
        if of.body_draws.is_empty() && of.param_columns.0.is_empty() {
            return;
        }
        let streams = streams(self.seed, &of.name);
        let of = &mut self.groups[usize::from(group.0)];
        of.draw_missing(streams, of.made);
    }

    /// Returns the param of an agent, by its group and its index in the group: where the group has a distribution, the agent's own
    /// number. `None` if the group has no such param.
    pub fn own_param(&self, group: GroupId, index: u32, name: &str) -> Option<Value> {
        let value = self.group(group).params.get(name)?;
        Some(match value {
            Value::Drawn(distribution) => {
                Value::Float(self.drawn_numbers(group, name, distribution)(index))
            }
            other => other.clone(),
        })
    }

    /// Returns the number of each agent of a group for a param that is drawn, by the agent's index in the group.
    #[doc(hidden)]
    pub fn drawn_numbers<'w>(
        &'w self,
        group: GroupId,
        name: &'w str,
        distribution: &'w Distribution,
    ) -> impl Fn(u32) -> f32 + 'w {
        let of = self.group(group);
        let mut columns = of.param_columns.0.iter();
        let column = columns.find(|(known, _)| **known == *name).map(|(_, column)| &column[..]);
        move |index| match column.and_then(|column| column.get(index as usize)) {
            Some(number) => *number,
            None => {
                let stream = streams(self.seed, &of.name).with(index.into());
                distribution.draw(stream, &param_name(name))
            }
        }
    }

    /// Returns all params of an agent, by its group and its index in the group.
    pub fn own_params(&self, group: GroupId, index: u32) -> Values {
        let of = self.group(group);
        let mut all = of.params.clone();
        for (name, distribution) in of.drawn_params() {
            all.set(name, Value::Float(self.drawn_numbers(group, name, distribution)(index)));
        }
        all
    }
}
