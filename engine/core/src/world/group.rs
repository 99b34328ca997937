//! Groups: agents that share a behavior, a body and params.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::drawn::{BodyDraws, ParamColumns};
use super::{
    Appearance, Body, Formation, GroupId, Path, PathId, PublicRule, Relation, Relations, Value,
    Values,
};
use crate::math::{self, Vec2};
use crate::schema::{SettingText, described};

/// A place that an agent is to reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Its position, in world units.
    pub at: Vec2,
    /// The agent has reached the goal when it is strictly nearer than this, in world units. With 0 it never does.
    pub radius: f32,
}

described! {
    /// What happens to an agent that has reached its last goal.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
    #[serde(rename = "after_goals")]
    pub enum AfterGoals {
        /// Its script keeps steering it; its goal is `()`.
        #[default]
        Stay,
        /// It stops where it is, and its script is not called again. Other agents still see it.
        Stop,
        /// It is removed from the world.
        Remove,
    }
}

/// Agents that share a behavior, and what they have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// The body of its agents, unless `bodies` is used.
    pub body: Body,
    /// The body of each agent, by its index in the group; after the last body comes the first again. Empty if all
    /// agents have `body`. See [`Group::body_of`].
    pub bodies: Vec<Body>,
    /// If numbers of its bodies are drawn for each agent: the body of each agent with its draws, by its index in the group; after
    /// the last comes the first again. Then `bodies` follows from it. Empty if nothing is drawn.
    pub body_draws: Vec<BodyDraws>,
    /// The values that its scripts read as `me.params`.
    pub params: Values,
    /// The numbers of the params that are drawn for each agent. They follow from the params.
    #[doc(hidden)]
    pub param_columns: ParamColumns,
    /// The values of its agents' states that other agents may read, as they are at first.
    pub public: Values,
    /// What the public state of each agent begins with where that differs from `public`, by its index in the group; after the last
    /// agent comes the first again. Empty if it never differs.
    pub own_public: Vec<Values>,
    /// For some of these values, how what others tell is combined with them.
    pub public_rules: BTreeMap<Arc<str>, PublicRule>,
    /// The path its agents follow, if any, unless `paths` is used.
    pub path: Option<PathId>,
    /// The path of each agent, by its index in the group; after the last comes the first again. Empty if all agents have `path`. See
    /// [`Group::path_of`].
    pub paths: Vec<PathId>,
    /// Which groups are its prey, its predators and its allies.
    pub relations: Relations,
    /// The groups whose agents its agents can capture.
    pub captures: Vec<GroupId>,
    /// Where its agents belong relative to an anchor, if they keep a formation.
    pub formation: Option<Formation>,
    /// Sequences of goals. Each agent follows one of them.
    pub goals: Vec<Arc<[Goal]>>,
    /// The fate of an agent after its last goal.
    pub after_goals: AfterGoals,
    /// How its agents are drawn.
    pub appearance: Appearance,
    /// How many agents were ever created in this group.
    pub made: u32,
}

impl Group {
    /// Returns the group without anything that can change during a run, and without what no run depends on.
    pub fn fixed(&self) -> Self {
        Self {
            params: Values::default(),
            param_columns: ParamColumns::default(),
            // They follow from the draws and from what has been made.
            bodies: if self.body_draws.is_empty() { self.bodies.clone() } else { Vec::new() },
            goals: Vec::new(),
            appearance: Appearance::default(),
            made: 0,
            ..self.clone()
        }
    }

    /// Returns the settings of the group on which a run depends as strings, without its params. `all` are the groups and `paths`
    /// the paths of the world.
    pub fn settings(&self, all: &[Self], paths: &[Path]) -> Vec<SettingText> {
        // Taken apart, so that no field can be forgotten.
        let Self {
            name: _,
            body,
            bodies,
            body_draws,
            params: _,
            param_columns: _,
            public,
            own_public,
            public_rules,
            path,
            paths: own_paths,
            relations,
            captures,
            formation,
            goals,
            after_goals,
            appearance: _,
            made: _,
        } = self;
        let listed = |ids: &[GroupId]| {
            let names: Vec<&str> = ids.iter().map(|id| &*all[usize::from(id.0)].name).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let related = |relation| listed(relations.groups(relation));
        let public = if public.is_empty() { "none".to_owned() } else { public.to_string() };
        let name_of = |path: &PathId| &*paths[usize::from(path.0)].name;
        let path = path.as_ref().map_or("none", name_of);
        let own_paths: Vec<&str> = own_paths.iter().map(name_of).collect();
        let rules = public_rules.iter().map(|(name, PublicRule { rule, each_tick })| {
            format!("{name}: {rule:?}{}", if *each_tick { " in each tick" } else { "" })
        });
        let rules: Vec<String> = rules.collect();
        let rules = if rules.is_empty() { "none".to_owned() } else { rules.join(", ") };
        // Drawn bodies follow from the draws and from what has been made.
        let listed_bodies = if body_draws.is_empty() { bodies.as_slice() } else { &[] };
        let mut settings = body.settings();
        settings.extend([
            SettingText { is_of_motion: true, ..SettingText::long("bodies", &listed_bodies) },
            SettingText { is_of_motion: true, ..SettingText::long("drawn bodies", body_draws) },
            SettingText::short("public", public),
            SettingText::long("public of single agents", own_public),
            SettingText::short("rules of public", rules),
            SettingText::short("path", path),
            SettingText::long("paths of single agents", &own_paths),
            SettingText::long("formation", formation),
            SettingText::short("prey", related(Relation::Prey)),
            SettingText::short("predators", related(Relation::Predator)),
            SettingText::short("allies", related(Relation::Ally)),
            SettingText::short("captures", listed(captures)),
            SettingText::long("goals", goals),
            SettingText::short("after_goals", format!("{after_goals:?}")),
        ]);
        settings
    }

    /// Returns the body of the agent with an index in the group.
    #[inline]
    pub fn body_of(&self, index: u32) -> &Body {
        own(&self.bodies, index).unwrap_or(&self.body)
    }

    /// Returns the path of the agent with an index in the group.
    #[inline]
    pub fn path_of(&self, index: u32) -> Option<PathId> {
        own(&self.paths, index).copied().or(self.path)
    }

    /// Returns whether some agent of the group has a path.
    pub fn follows(&self, path: PathId) -> bool {
        self.path == Some(path) || self.paths.contains(&path)
    }

    /// Returns what the public state with a name begins with for the agent with an index in the group.
    pub(crate) fn first_public<'g>(
        &'g self,
        name: &str,
        index: u32,
        of_group: &'g Value,
    ) -> &'g Value {
        own(&self.own_public, index).and_then(|own| own.get(name)).unwrap_or(of_group)
    }

    /// Returns all bodies that agents of the group have.
    pub fn all_bodies(&self) -> &[Body] {
        match &self.bodies[..] {
            [] => std::slice::from_ref(&self.body),
            bodies => bodies,
        }
    }

    /// Returns the largest radius of its agents, in world units.
    pub fn largest_radius(&self) -> f32 {
        let radii = self.all_bodies().iter().map(|body| body.radius);
        radii.fold(0.0, math::max)
    }
}

/// Returns what a list has for the agent with an index in its group; after the last element comes the first again.
#[inline]
fn own<T>(of_each: &[T], index: u32) -> Option<&T> {
    (!of_each.is_empty()).then(|| &of_each[index as usize % of_each.len()])
}

/// Declares that `other` is something for `group`, and with it what `group` is for `other`.
pub fn relate(groups: &mut [Group], group: GroupId, relation: Relation, other: GroupId) {
    groups[usize::from(group.0)].relations.add(relation, other);
    groups[usize::from(other.0)].relations.add(relation.inverse(), group);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::AgentShape;

    #[test]
    fn the_appearance_is_no_part_of_what_a_run_depends_on() {
        let plain = Group::default();
        let appearance = Appearance { shape: AgentShape::Car, ..Appearance::default() };
        let car = Group { appearance, ..plain.clone() };
        assert_ne!(car, plain);
        assert_eq!(car.fixed(), plain.fixed());
        let settings = |group: &Group| format!("{:?}", group.settings(&[], &[]));
        assert_eq!(settings(&car), settings(&plain));
    }
}
