//! Measures of values that scripts keep: shared values, and public state of many agents.

use std::sync::Arc;

use super::density::finite;
use crate::diag::Diagnostic;
use crate::sim::Setup;
use crate::world::{GroupId, PublicName, PublicType, Value, World};

/// A measure of values that scripts keep. Booleans count as 0 and 1.
#[derive(Clone, Debug)]
pub(super) enum ValueMeasure {
    /// A shared value, by its name.
    Shared(Arc<str>),
    /// A public value of agents.
    State {
        /// The group; all groups that declare the value if it is `None`.
        group: Option<GroupId>,
        /// The name of the value.
        name: Arc<str>,
        /// How the values of the agents become one number.
        summary: Summary,
    },
}

/// How many numbers become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Summary {
    Mean,
    Sum,
    Min,
    Max,
}

impl Summary {
    const ALL: [(&str, Self); 4] =
        [("mean", Self::Mean), ("sum", Self::Sum), ("min", Self::Min), ("max", Self::Max)];
}

/// The names of values that can be measured.
#[derive(Clone, Debug, Default)]
pub(super) struct ValueNames {
    shared: Vec<(Arc<str>, PublicType)>,
    public: Vec<PublicName>,
}

impl ValueNames {
    pub(super) fn from_setup(setup: &Setup) -> Self {
        Self {
            shared: setup.shared.iter().map(|one| (Arc::clone(&one.name), one.ty())).collect(),
            public: PublicName::all(setup.groups.iter().map(|(group, _)| group)),
        }
    }

    pub(super) fn from_world(world: &World) -> Self {
        let names = world.names();
        Self { shared: names.shared().to_vec(), public: names.public().to_vec() }
    }

    /// Returns the measure of a value with a name such as `shared.food` or `sheep.state.energy.mean`. `None` if the name is not one of such a
    /// measure; an error if it is, but there is no such value.
    pub(super) fn find(
        &self,
        name: &str,
        group: impl Fn(&str) -> Result<GroupId, Diagnostic>,
    ) -> Option<Result<ValueMeasure, Diagnostic>> {
        if let Some(shared) = name.strip_prefix("shared.")
            && (group("shared").is_err() || self.shared.iter().any(|(known, _)| **known == *shared))
        {
            return Some(self.find_shared(shared));
        }
        let (before, summary) = name.rsplit_once('.')?;
        let (_, summary) = *Summary::ALL.iter().find(|(known, _)| *known == summary)?;
        let (of, state) = match before.strip_prefix("state.") {
            Some(state) => (None, state),
            None => {
                let (group, state) = before.rsplit_once(".state.")?;
                (Some(group), state)
            }
        };
        let of = match of.map(group).transpose() {
            Ok(of) => of,
            Err(unknown) => return Some(Err(unknown)),
        };
        Some(self.find_state(of, state, summary))
    }

    fn find_shared(&self, name: &str) -> Result<ValueMeasure, Diagnostic> {
        match self.shared.iter().find(|(known, _)| **known == *name) {
            Some((known, ty)) if is_number(*ty) => Ok(ValueMeasure::Shared(Arc::clone(known))),
            Some((_, ty)) => Err(not_a_number(&format!("the shared value `{name}`"), *ty)),
            None => Err(Diagnostic::error(format!("there is no shared value `{name}`"))
                .suggest(name, self.shared.iter().map(|(known, _)| &**known))),
        }
    }

    fn find_state(
        &self,
        group: Option<GroupId>,
        name: &str,
        summary: Summary,
    ) -> Result<ValueMeasure, Diagnostic> {
        let is_of = |known: &&PublicName| group.is_none_or(|of| known.groups[usize::from(of.0)]);
        let mut known = self.public.iter().filter(is_of);
        match known.clone().find(|known| *known.name == *name) {
            Some(known) if is_number(known.ty) => {
                Ok(ValueMeasure::State { group, name: Arc::clone(&known.name), summary })
            }
            Some(known) => Err(not_a_number(&format!("the public state `{name}`"), known.ty)),
            None => Err(Diagnostic::error(format!("there is no public state `{name}` to measure"))
                .suggest(name, known.by_ref().map(|known| &*known.name))),
        }
    }

    /// Returns all shared values that are numbers or booleans, and the means of public ones in the groups that declare them, with their
    /// names.
    pub(super) fn all(&self, groups: &[Arc<str>]) -> Vec<(Arc<str>, ValueMeasure)> {
        let shared = self.shared.iter().filter(|(_, ty)| is_number(*ty));
        let shared = shared.map(|(name, _)| {
            (format!("shared.{name}").into(), ValueMeasure::Shared(Arc::clone(name)))
        });
        let public = self.public.iter().filter(|known| is_number(known.ty));
        let public = public.flat_map(|known| {
            let of =
                (0..).map(GroupId).zip(groups).filter(|(id, _)| known.groups[usize::from(id.0)]);
            of.map(|(id, group)| {
                let (name, summary) = (Arc::clone(&known.name), Summary::Mean);
                let what = ValueMeasure::State { group: Some(id), name, summary };
                (format!("{group}.state.{}.mean", known.name).into(), what)
            })
        });
        shared.chain(public).collect()
    }
}

fn is_number(ty: PublicType) -> bool {
    matches!(ty, PublicType::Number | PublicType::Bool)
}

fn not_a_number(what: &str, ty: PublicType) -> Diagnostic {
    Diagnostic::error(format!("{what} is {}", ty.description()))
        .help("only numbers and booleans can be measured")
}

impl ValueMeasure {
    /// Returns its present value. `None` if there are no agents with such a value.
    pub(super) fn take(&self, world: &World) -> Option<f32> {
        match self {
            Self::Shared(name) => number(world.shared_value(name)?),
            Self::State { group, name, summary } => {
                let agents = world.iter().filter(|one| group.is_none_or(|of| one.group_id() == of));
                let values = agents.filter_map(|agent| number(&agent.state(name)?));
                let (mut count, mut sum) = (0u64, 0.0f64);
                let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
                for value in values {
                    count += 1;
                    sum += f64::from(value);
                    if value < least {
                        least = value;
                    }
                    if value > most {
                        most = value;
                    }
                }
                (count > 0).then(|| match summary {
                    Summary::Mean => finite(sum / count as f64),
                    Summary::Sum => finite(sum),
                    Summary::Min => least,
                    Summary::Max => most,
                })
            }
        }
    }
}

fn number(value: &Value) -> Option<f32> {
    match value {
        Value::Bool(x) => Some(f32::from(u8::from(*x))),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::math::Vec2;
    use crate::sim::{Action, Event, EventTime, GroupBuilder, Simulation, SpawnShape};
    use crate::trace::{MeasureNames, RunMeasures};
    use crate::world::{Edge, Me, Mind, SharedRule, SharedValue, Space, Value};

    /// Agents whose level is their index.
    fn level(me: &Me<'_>, mind: Mind<'_>) -> Vec2 {
        let index = me.world().agents.index[me.row()];
        mind.state.set("level", Value::Float(index as f32 + 1.0));
        mind.state.set("odd", Value::Bool(index % 2 == 1));
        Vec2::ZERO
    }

    #[test]
    fn values_births_and_deaths_are_measured() {
        let at = SpawnShape::Ring { center: Vec2::splat(50.0), radius: 9.0 };
        let group = |name: &str, count| {
            let group = GroupBuilder::new(name).spawn(at.clone(), count).steer(level);
            group.public("level", 0).public("odd", false).public("aim", Value::Vector(Vec2::X))
        };
        let event = |tick, action| Event { when: EventTime::At(tick), action };
        let [cats, dogs] = [0, 1].map(crate::world::GroupId);
        let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let mut simulation = Simulation::builder(space)
            .group(group("a cat", 4))
            .group(group("dog", 2))
            .shared(SharedValue::new("food", SharedRule::Sum, false, Value::Int(7)))
            .shared(SharedValue::new("alarm", SharedRule::Any, false, Value::Bool(true)))
            .shared(SharedValue::new("word", SharedRule::Latest, false, Value::String("a".into())))
            .event(event(1, Action::Spawn { group: cats, count: 3 }))
            .event(event(1, Action::Remove { group: cats, count: Some(2) }))
            .event(event(1, Action::Remove { group: dogs, count: None }))
            .build()
            .unwrap();
        let names = MeasureNames::from_world(simulation.world());
        let wanted = [
            "shared.food",
            "shared.alarm",
            "state.level.sum",
            "a cat.state.level.mean",
            "a cat.state.level.min",
            "a cat.state.level.max",
            "a cat.state.odd.mean",
            "dog.state.level.max",
            "births",
            "deaths",
            "a cat.births",
            "a cat.deaths",
            "dog.births",
            "dog.deaths",
        ];
        let measures = wanted.iter().map(|name| names.find(name).unwrap()).collect();
        let mut measures = RunMeasures::new(&simulation, measures);
        for _ in 0..3 {
            simulation.step().unwrap();
            measures.add_tick(&simulation);
        }
        let values = measures.take(&simulation).unwrap();
        let found: Vec<Option<f32>> =
            values.into_iter().map(|value| value.map(f32::from)).collect();
        // The cats 2 to 6 are left.
        let expected = [7.0, 1.0, 25.0, 5.0, 3.0, 7.0, 0.4, f32::NAN, 3.0, 4.0, 3.0, 2.0, 0.0, 2.0];
        let expected = expected.map(|x: f32| Some(x).filter(|x| !x.is_nan()));
        assert_eq!(found, expected);
        let listed: Vec<String> =
            names.of_values().iter().map(|one| one.name().to_owned()).collect();
        let expected = [
            "shared.alarm",
            "shared.food",
            "a cat.state.level.mean",
            "dog.state.level.mean",
            "a cat.state.odd.mean",
            "dog.state.odd.mean",
        ];
        assert_eq!(listed, expected);
        for (name, message) in [
            ("shared.foot", "there is no shared value `foot`"),
            ("shared.word", "the shared value `word` is a string"),
            ("a cat.state.levels.mean", "there is no public state `levels` to measure"),
            ("cat.state.level.mean", "there is no group `cat` to measure"),
            ("state.aim.mean", "the public state `aim` is a vector"),
            ("a cat.state.level.median", "there is no group `a cat.state.level` to measure"),
        ] {
            let wrong = names.find(name).unwrap_err().to_string();
            assert!(wrong.contains(message), "{wrong}");
        }
    }
}
