//! Building a simulation in Rust, without a scenario.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Brain, Event, NoBehavior, Order, Setup, Simulation, Spawn, SpawnShape};
use crate::diag::{Diagnostic, Diagnostics};
use crate::distribution::Distribution;
use crate::geom::Shape;
use crate::math::Vec2;
use crate::world::{
    AfterGoals, Body, BodyDraw, BodyDraws, Field, FieldShape, Formation, Goal, Group, GroupId,
    Input, Layer, MAX_AMOUNT, Me, Mind, NewAgent, Obstacle, ObstacleMotion, Path, PathId,
    PublicRule, PublicType, Relation, SharedValue, Space, Value, VectorGrid, relate,
};

/// Builds a simulation: start with [`Simulation::builder`], end with [`Builder::build`].
#[derive(Clone)]
#[must_use]
pub struct Builder {
    setup: Setup,
    groups: Vec<GroupBuilder>,
}

/// Builds a group of a [`Builder`]: its first agents, their body and their behavior. Without a behavior, agents
/// keep their velocity.
#[derive(Clone)]
#[must_use]
pub struct GroupBuilder {
    group: Group,
    spawn: Spawn,
    /// The numbers of the bodies that are drawn for each agent.
    draws: Vec<BodyDraw>,
    path: Option<String>,
    /// The roles that the agents of other groups, by their names, have for those of this one.
    relations: Vec<(Relation, String)>,
    brain: Arc<dyn Brain>,
}

impl Simulation {
    /// Starts building a simulation in a space, with ticks of 1/60 s, the seed 0 and no groups.
    pub fn builder(space: Space) -> Builder {
        let setup = Setup {
            seed: 0,
            dt: Setup::DEFAULT_DT,
            order: Order::default(),
            space,
            obstacles: Vec::new(),
            absent_obstacles: Vec::new(),
            moving_obstacles: Vec::new(),
            inputs: Vec::new(),
            way_cell: None,
            paths: Vec::new(),
            fields: Vec::new(),
            layers: Vec::new(),
            shared: Vec::new(),
            groups: Vec::new(),
            events: Vec::new(),
            max_agents: Setup::DEFAULT_MAX_AGENTS,
            start: None,
        };
        Builder { setup, groups: Vec::new() }
    }
}

impl Builder {
    /// Sets the seed of all random numbers.
    pub fn seed(mut self, seed: u64) -> Self {
        self.setup.seed = seed;
        self
    }

    /// Sets the seconds per tick.
    pub fn dt(mut self, dt: f32) -> Self {
        self.setup.dt = dt;
        self
    }

    /// Sets whether agents decide together or one after another.
    pub fn order(mut self, order: Order) -> Self {
        self.setup.order = order;
        self
    }

    /// Adds an obstacle.
    pub fn obstacle(mut self, name: &str, shape: Shape) -> Self {
        self.setup.obstacles.push(Obstacle { name: name.into(), shape });
        self
    }

    /// Lets an obstacle be absent at first. An event with [`Action::SetObstacle`](super::Action::SetObstacle) can put it there.
    pub fn absent(mut self, obstacle: &str) -> Self {
        self.setup.absent_obstacles.push(obstacle.into());
        self
    }

    /// Lets an obstacle move from the beginning. An event with [`Action::MoveObstacle`](super::Action::MoveObstacle) can change that.
    pub fn moving(mut self, obstacle: &str, motion: ObstacleMotion) -> Self {
        self.setup.moving_obstacles.push((obstacle.into(), motion));
        self
    }

    /// Adds an input and the name of its key, one of [`Input::KEYS`]. It is false at first.
    pub fn input(mut self, name: &str, key: &str) -> Self {
        self.setup.inputs.push(Input::new(name, key));
        self
    }

    /// Sets the side of the cells that ways around obstacles are searched on, in world units. By default it is half the
    /// radius of the body.
    pub fn way_cell(mut self, side: f32) -> Self {
        self.setup.way_cell = Some(side);
        self
    }

    /// Adds a path.
    pub fn path(mut self, path: Path) -> Self {
        self.setup.paths.push(path);
        self
    }

    /// Adds a flow field.
    pub fn field(mut self, field: Field) -> Self {
        self.setup.fields.push(field);
        self
    }

    /// Adds a layer. The first one has the [`LayerId`](crate::world::LayerId) 0, and so on.
    pub fn layer(mut self, layer: Layer) -> Self {
        self.setup.layers.push(layer);
        self
    }

    /// Adds a shared value that agents contribute to.
    pub fn shared(mut self, value: SharedValue) -> Self {
        self.setup.shared.push(value);
        self
    }

    /// Adds a group. The first one has the [`GroupId`](crate::world::GroupId) 0, and so on.
    pub fn group(mut self, group: GroupBuilder) -> Self {
        self.groups.push(group);
        self
    }

    /// Adds an event.
    pub fn event(mut self, event: Event) -> Self {
        self.setup.events.push(event);
        self
    }

    /// Checks everything and makes the simulation at tick 0.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, or the error of a behavior that fails to prepare an agent.
    pub fn build(self) -> Result<Simulation, Diagnostics> {
        let Self { mut setup, groups } = self;
        let mut wrong = wrong_setup(&setup, &groups);
        let mut brains = Vec::with_capacity(groups.len());
        let mut relations = Vec::new();
        for GroupBuilder { mut group, mut spawn, draws, path, relations: declared, brain } in groups
        {
            let problems = draws.iter().filter_map(BodyDraw::problem);
            wrong.extend(problems.map(|mut problem| {
                problem.message = format!("group `{}`: {}", group.name, problem.message);
                problem
            }));
            if !draws.is_empty() {
                let body = |body: &Body| BodyDraws { body: *body, draws: draws.clone() };
                group.body_draws = group.all_bodies().iter().map(body).collect();
            }
            wrong.extend(wrong_group(&group, &spawn));
            if let Some(name) = path {
                let mut paths = setup.paths.iter().zip(0..);
                group.path = paths.find(|(path, _)| *path.name == name).map(|(_, id)| PathId(id));
                if group.path.is_none() {
                    let names = setup.paths.iter().map(|path| &*path.name);
                    let missing = format!("group `{}`: there is no path `{name}`", group.name);
                    wrong.push(Diagnostic::error(missing).suggest(&name, names));
                }
            }
            relations.push(declared);
            if spawn.count == 0 && spawn.shape.is_empty() {
                // All its agents are added later, but a list of points must not be empty.
                spawn.shape = SpawnShape::Points(vec![Vec2::ZERO]);
            }
            setup.groups.push((group, spawn));
            brains.push(brain);
        }
        wrong.extend(wrong_relations(&mut setup, relations));
        if !wrong.is_empty() {
            return Err(wrong.into());
        }
        let events = setup.events.clone();
        let simulation = Simulation::new(setup, brains)?;
        let is_possible = |event: &&Event| event.action.is_possible_in(simulation.world());
        let impossible = events.iter().filter(|event| !is_possible(event));
        let wrong: Diagnostics = impossible
            .map(|event| {
                Diagnostic::error(format!(
                    "there is no such group, param, obstacle or input: {:?}",
                    event.action
                ))
            })
            .collect();
        if wrong.is_empty() { Ok(simulation) } else { Err(wrong) }
    }
}

impl GroupBuilder {
    /// Starts building a group without agents, whose bodies are points without limits.
    pub fn new(name: &str) -> Self {
        let group = Group { name: name.into(), ..Group::default() };
        let shape = SpawnShape::Points(Vec::new());
        let spawn = Spawn { shape, count: 0, vel: Vec2::ZERO, heading: None };
        let brain = Arc::new(NoBehavior);
        Self { group, spawn, draws: Vec::new(), path: None, relations: Vec::new(), brain }
    }

    /// Sets where the first agents are placed, and their number.
    pub fn spawn(mut self, shape: SpawnShape, count: u32) -> Self {
        self.spawn.shape = shape;
        self.spawn.count = count;
        self
    }

    /// Sets the first agents one by one.
    pub fn agents(self, agents: impl Into<Vec<NewAgent>>) -> Self {
        let agents = agents.into();
        let count = agents.len() as u32;
        self.spawn(SpawnShape::Agents(agents), count)
    }

    /// Sets the first velocity of agents, in world units per second.
    pub fn velocity(mut self, velocity: Vec2) -> Self {
        self.spawn.vel = velocity;
        self
    }

    /// Sets the first heading of agents. The default is the direction of their velocity.
    pub fn heading(mut self, heading: Vec2) -> Self {
        self.spawn.heading = Some(heading);
        self
    }

    /// Sets the body of all agents.
    pub fn body(mut self, body: Body) -> Self {
        self.group.body = body;
        self
    }

    /// Sets the bodies of the agents one by one. After the last body the list repeats.
    pub fn bodies(mut self, bodies: impl Into<Vec<Body>>) -> Self {
        self.group.bodies = bodies.into();
        self
    }

    /// Lets a number of the bodies be drawn for each agent, by its name in scenarios: `max_speed` or `noise.position`.
    pub fn draw_body(mut self, number: &str, of: Distribution) -> Self {
        let path = number.split('.').map(Arc::from).collect();
        self.draws.push(BodyDraw { path, of: Arc::new(of) });
        self
    }

    /// Sets a param: what scripts read as `me.params`. A [`Distribution`] gives each agent a number of its own.
    pub fn param(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.group.params.set(name, value.into());
        self
    }

    /// Declares a value of its agents' states that other agents may read, as it is at first.
    pub fn public(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.group.public.set(name, value.into());
        self
    }

    /// Declares a value of the agents' states that others may read, as [`GroupBuilder::public`], and how what others tell is combined with
    /// it.
    pub fn public_rule(self, name: &str, value: impl Into<Value>, rule: PublicRule) -> Self {
        let mut this = self.public(name, value);
        this.group.public_rules.insert(name.into(), rule);
        this
    }

    /// Changes the group in a way that no other method has.
    pub fn with(mut self, change: impl FnOnce(&mut Group)) -> Self {
        change(&mut self.group);
        self
    }

    /// Sets the path that agents follow, by its name.
    pub fn path(mut self, name: &str) -> Self {
        self.path = Some(name.to_owned());
        self
    }

    /// Sets the formation of the agents.
    pub fn formation(mut self, formation: Formation) -> Self {
        self.group.formation = Some(formation);
        self
    }

    /// Declares what the agents of another group, by its name, are for those of this one. It then also holds the other
    /// way around: if the other group is prey, this group is one of its predators.
    pub fn relation(mut self, relation: Relation, other: &str) -> Self {
        self.relations.push((relation, other.to_owned()));
        self
    }

    /// Adds a sequence of goals. Agents follow the first sequence unless they are made with another one.
    pub fn goals(mut self, goals: impl Into<Arc<[Goal]>>) -> Self {
        self.group.goals.push(goals.into());
        self
    }

    /// Sets what agents do after their last goal.
    pub fn after_goals(mut self, after_goals: AfterGoals) -> Self {
        self.group.after_goals = after_goals;
        self
    }

    /// Sets the behavior to a function from what an agent perceives to the force it wants.
    pub fn steer(self, steer: impl Fn(&Me<'_>, Mind<'_>) -> Vec2 + Send + Sync + 'static) -> Self {
        self.brain(Arc::new(steer))
    }

    /// Sets the behavior to a compiled script or any other [`Brain`].
    pub fn brain(mut self, brain: Arc<dyn Brain>) -> Self {
        self.brain = brain;
        self
    }
}

/// Relates the groups, and returns what is wrong with that. There is one list for each group.
fn wrong_relations(setup: &mut Setup, declared: Vec<Vec<(Relation, String)>>) -> Vec<Diagnostic> {
    let mut groups: Vec<Group> = setup.groups.iter().map(|(group, _)| group.clone()).collect();
    let mut wrong = Vec::new();
    for (group, declared) in (0..).zip(declared) {
        for (relation, name) in declared {
            let mut others = groups.iter().zip(0..);
            if let Some((_, other)) = others.find(|(other, _)| *other.name == name) {
                relate(&mut groups, GroupId(group), relation, GroupId(other));
                continue;
            }
            let names = groups.iter().map(|group| &*group.name);
            let of = &groups[usize::from(group)].name;
            let missing = Diagnostic::error(format!("group `{of}`: there is no group `{name}`"));
            wrong.push(missing.suggest(&name, names));
        }
    }
    for ((group, _), related) in setup.groups.iter_mut().zip(groups) {
        *group = related;
    }
    wrong
}

/// Returns what is wrong with everything except single groups.
fn wrong_setup(setup: &Setup, groups: &[GroupBuilder]) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, message: &str| {
        if !is_right {
            wrong.push(Diagnostic::error(message));
        }
    };
    let Space { min, size, .. } = setup.space;
    check(is_positive(setup.dt), "`dt` must be a finite number of seconds above 0");
    check(min.is_finite(), "the corner `min` of the space must be finite");
    check(
        is_positive(size.x) && is_positive(size.y),
        "the size of the space must be finite and above 0 in both directions",
    );
    check(setup.way_cell.is_none_or(is_positive), "`way_cell` must be finite and above 0");
    for Path { name, points, radius, .. } in &setup.paths {
        let is_line = points.len() >= 2 && points.iter().all(|point| point.is_finite());
        check(is_line, &format!("path `{name}`: it needs at least two points, all finite"));
        check(is_positive(*radius), &format!("path `{name}`: its radius must be above 0"));
    }
    for Field { name, shape } in &setup.fields {
        match shape {
            FieldShape::Vortex { center, radius, strength } => {
                let is_right = center.is_finite() && strength.is_finite() && is_positive(*radius);
                check(
                    is_right,
                    &format!("field `{name}`: a vortex needs finite numbers and a radius above 0"),
                );
            }
            FieldShape::Grid(VectorGrid { min, cell, columns, vectors }) => {
                check(
                    min.is_finite() && is_positive(*cell),
                    &format!("field `{name}`: a grid needs a finite corner and a cell above 0"),
                );
                let is_full = *columns > 0 && !vectors.is_empty() && vectors.len() % columns == 0;
                check(
                    is_full && vectors.iter().all(|vector| vector.is_finite()),
                    &format!("field `{name}`: a grid needs full rows of finite vectors"),
                );
            }
        }
    }
    for layer in &setup.layers {
        check(
            layer.is_valid(setup.dt),
            &format!(
                "layer `{}`: it needs full rows of amounts from 0 to {MAX_AMOUNT:e}, a finite corner, a cell above 0, and rates of at \
                 least 0 with which it is stable",
                layer.name
            ),
        );
    }
    for name in &setup.absent_obstacles {
        let is_known = setup.obstacles.iter().any(|one| one.name == *name);
        check(is_known, &format!("there is no obstacle `{name}` that could be absent"));
    }
    for (name, motion) in &setup.moving_obstacles {
        let is_known = setup.obstacles.iter().any(|one| one.name == *name);
        check(is_known, &format!("there is no obstacle `{name}` that could move"));
        if let ObstacleMotion::Along { path, .. } = motion {
            let is_known = setup.paths.iter().any(|one| one.name == *path);
            check(is_known, &format!("there is no path `{path}` that `{name}` could move along"));
        }
    }
    let mut keys = HashSet::new();
    for Input { name, key, .. } in &setup.inputs {
        let is_known = Input::KEYS.contains(&&**key);
        check(is_known, &format!("input `{name}`: there is no key `{key}`"));
        check(keys.insert(key), &format!("two inputs have the key `{key}`"));
    }
    for SharedValue { name, rule, start, .. } in &setup.shared {
        let ty = PublicType::of(start);
        let is_right = ty.is_some() && rule.ty().is_none_or(|of| ty == Some(of));
        check(is_right, &format!("the shared value `{name}` begins with a value of a wrong type"));
    }
    let kinds: [(&str, Vec<&str>); 7] = [
        ("groups", groups.iter().map(|one| &*one.group.name).collect()),
        ("paths", setup.paths.iter().map(|one| &*one.name).collect()),
        ("fields", setup.fields.iter().map(|one| &*one.name).collect()),
        ("layers", setup.layers.iter().map(|one| &*one.name).collect()),
        ("obstacles", setup.obstacles.iter().map(|one| &*one.name).collect()),
        ("inputs", setup.inputs.iter().map(|one| &*one.name).collect()),
        ("shared values", setup.shared.iter().map(|one| &*one.name).collect()),
    ];
    for (index, GroupBuilder { group, .. }) in groups.iter().enumerate() {
        for (name, value) in group.public.iter() {
            let mut others =
                groups[..index].iter().filter_map(|other| other.group.public.get(name));
            let is_same = |other| PublicType::of(other) == PublicType::of(value);
            check(
                others.all(is_same),
                &format!("two groups declare the public state `{name}` with different types"),
            );
        }
    }
    for (kind, names) in kinds {
        // Their indices have 16 bits.
        let is_countable = u16::try_from(names.len()).is_ok();
        check(is_countable, &format!("there are more than {} {kind}", u16::MAX));
        let mut known = HashSet::new();
        for name in names {
            check(known.insert(name), &format!("two {kind} have the name `{name}`"));
        }
    }
    wrong
}

/// Returns what is wrong with a group.
fn wrong_group(group: &Group, spawn: &Spawn) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, message: &str| {
        if !is_right {
            wrong.push(Diagnostic::error(format!("group `{}`: {message}", group.name)));
        }
    };
    for body in group.all_bodies() {
        for (name, problem) in body.problems() {
            check(false, &format!("the {name} of a body must {problem}"));
        }
    }
    let is_placed = spawn.count == 0 || !spawn.shape.is_empty();
    check(is_placed, "it has agents to spawn, but the list of their places is empty");
    check(
        spawn.shape.is_finite(),
        "the places of its spawn must be finite, and a grid needs at least one column",
    );
    let heading = spawn.heading.unwrap_or_default();
    check(spawn.vel.is_finite() && heading.is_finite(), "velocity and heading must be finite");
    let mut goals = group.goals.iter().flat_map(|goals| goals.iter());
    let is_goal = |goal: &Goal| goal.at.is_finite() && goal.radius >= 0.0;
    check(goals.all(is_goal), "the place of a goal must be finite, and its radius at least 0");
    if let Some(formation) = &group.formation {
        check(
            formation.is_valid(),
            "the spacing of a formation must be finite and above 0, and its shape defined",
        );
    }
    for (name, value) in group.params.iter() {
        check(value.is_finite(), &format!("the param `{name}` must be finite"));
    }
    for (name, value) in group.public.iter() {
        check(value.is_finite(), &format!("the public state `{name}` must be finite"));
        check(
            PublicType::of(value).is_some(),
            &format!("the public state `{name}` must not be an array or a map"),
        );
    }
    for (name, PublicRule { rule, .. }) in &group.public_rules {
        let ty = group.public.get(name).and_then(PublicType::of);
        let is_right = ty.is_some() && rule.ty().is_none_or(|of| ty == Some(of));
        check(
            is_right,
            &format!("the public state `{name}` begins with a value that its rule cannot combine"),
        );
    }
    wrong
}

fn is_positive(number: f32) -> bool {
    number > 0.0 && number.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Action, EventTime};
    use crate::world::{Edge, GroupId, PathMode};

    fn space() -> Space {
        Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) }
    }

    fn ring(name: &str, count: u32) -> GroupBuilder {
        let shape = SpawnShape::Ring { center: Vec2::splat(50.0), radius: 10.0 };
        GroupBuilder::new(name).spawn(shape, count)
    }

    #[test]
    fn a_built_simulation_runs() {
        let lane = Path {
            name: "lane".into(),
            points: vec![Vec2::ZERO, Vec2::splat(50.0)],
            radius: 2.0,
            mode: PathMode::Loop,
        };
        let goal = Goal { at: Vec2::splat(50.0), radius: 11.0 };
        let mut simulation = Simulation::builder(space())
            .seed(7)
            .dt(0.5)
            .obstacle("post", Shape::Circle { center: Vec2::ONE, radius: 1.0 })
            .path(lane)
            .group(
                ring("walkers", 3).path("lane").param("pace", 2.0).steer(|me, _| me.to(Vec2::ZERO)),
            )
            .group(ring("done", 2).goals([goal]).after_goals(AfterGoals::Remove))
            .group(
                GroupBuilder::new("later")
                    .with(|later| later.params.set("late", Value::Bool(true))),
            )
            .build()
            .unwrap();
        let world = simulation.world();
        assert_eq!((world.seed, world.dt, world.agents.len()), (7, 0.5, 5));
        assert_eq!(world.group(GroupId(0)).params.get("pace"), Some(&Value::Float(2.0)));
        assert_eq!(world.group(GroupId(2)).params.get("late"), Some(&Value::Bool(true)));
        assert_eq!(world.group(GroupId(0)).path, world.path_named("lane"));
        simulation.act(Action::Spawn { group: GroupId(2), count: 1 }).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.world().agents.id, [0, 1, 2, 5]);
        assert!(simulation.last_forces()[0].length() > 1.0);
    }

    #[test]
    fn all_errors_are_reported_together() {
        let body = Body { mass: 0.0, max_speed: f32::NAN, ..Body::default() };
        let impossible = Action::Remove { group: GroupId(9), count: None };
        let wrong = Simulation::builder(Space { size: Vec2::ZERO, ..space() })
            .dt(f32::INFINITY)
            .group(ring("a", 1).body(body).path("lame"))
            .group(ring("a", 1).param("b", f32::NAN).spawn(SpawnShape::Points(Vec::new()), 2))
            .path(Path {
                name: "lane".into(),
                points: Vec::new(),
                radius: 0.0,
                mode: PathMode::Once,
            })
            .build()
            .err()
            .unwrap()
            .to_string();
        for part in [
            "`dt` must be",
            "above 0 in both directions",
            "path `lane`: it needs at least two points",
            "path `lane`: its radius",
            "two groups have the name `a`",
            "group `a`: the mass",
            "group `a`: the max_speed",
            "there is no path `lame`",
            "did you mean `lane`?",
            "the list of their places is empty",
            "the param `b` must be finite",
        ] {
            assert!(wrong.contains(part), "{part} is missing in\n{wrong}");
        }
        let event = Event { when: EventTime::At(1), action: impossible };
        let wrong = Simulation::builder(space()).event(event).build().err().unwrap();
        assert!(wrong.to_string().contains("no such group, param, obstacle or input"), "{wrong}");
    }
}
