use super::*;
use crate::distribution::Distribution;
use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::{self, Vec2};
use crate::sim::{
    Action, Condition, Event, EventTime, HowMany, Order, PushTime, SharedTest, SpawnShape,
};
use crate::world::{
    AfterGoals, AgentShape, AgentSign, Appearance, Body, BodyDraw, ColorRule, Drive, Edge,
    FieldShape, Goal, GroupId, Input, NewAgent, Noise, ObstacleMotion, ParamRange, PathId,
    PathMode, Relation, Rgb, ShapeCorners, SharedRule, SharedValue, SignSize, Space, Value,
    VectorGrid,
};

const fn v(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

const CORNER: Goal = Goal { at: v(5.0, 5.0), radius: 1.0 };

#[test]
fn the_full_example_is_read_as_it_is_written() {
    let scenario = parse(FULL).unwrap();
    assert_eq!(scenario.name, "Nächtliche Wache");
    assert_eq!(scenario.ticks, 1800);
    let setup = &scenario.setup;
    assert_eq!((setup.seed, setup.dt, setup.order), (7, 0.016_666_667, Order::Sequential));
    assert_eq!(setup.space, Space { edge: Edge::Wrap, min: v(-10.0, 0.0), size: v(810.0, 600.0) });
    let names: Vec<_> = setup.obstacles.iter().map(|o| &*o.name).collect();
    assert_eq!(names, ["pillar", "crate", "wall", "rock", "hall", "gate"]);
    assert_eq!(setup.obstacles[0].shape, Shape::Circle { center: v(400.0, 300.0), radius: 40.0 });
    let quarter = std::f32::consts::FRAC_PI_2;
    assert_eq!(
        setup.obstacles[1].shape,
        Shape::Box(OrientedBox::new(v(10.0, 10.0), v(2.0, 1.0), quarter))
    );
    assert_eq!(
        setup.obstacles[3].shape,
        Shape::Polygon(Polygon::new(vec![Vec2::ZERO, Vec2::X, Vec2::Y]))
    );
    assert_eq!(setup.obstacles[4].shape, Shape::Room { min: v(-10.0, 0.0), max: v(800.0, 600.0) });
    assert_eq!(setup.paths[0].points[1], v(700.0, 100.0));
    assert_eq!((setup.paths[0].radius, setup.paths[0].mode), (25.0, PathMode::Loop));
}

#[test]
fn the_full_example_has_its_fields() {
    let scenario = parse(FULL).unwrap();
    let [storm, breeze, river, swirl] = &scenario.setup.fields[..] else { panic!("four fields") };
    let center = v(400.0, 300.0);
    assert_eq!(storm.shape, FieldShape::Vortex { center, radius: 60.0, strength: -1.5 });
    let center = Vec2::ZERO;
    assert_eq!(breeze.shape, FieldShape::Vortex { center, radius: 5.0, strength: 1.0 });
    let vectors = [v(1.0, 0.0), v(1.0, 0.5), v(1.0, 0.25), v(0.0, 1.0)];
    let grid = |min, cell, columns, vectors: &[Vec2]| {
        FieldShape::Grid(VectorGrid { min, cell, columns, vectors: vectors.into() })
    };
    assert_eq!(river.shape, grid(Vec2::ZERO, 100.0, 2, &vectors));
    // Nine columns and seven rows cover 810 x 600.
    assert_eq!(swirl.shape, grid(v(-10.0, 0.0), 90.0, 9, &[Vec2::ZERO; 63]));
    let [script] = &scenario.field_scripts[..] else { panic!("one script") };
    assert_eq!((script.field, &*script.name), (3, "night/swirl"));
    assert_eq!(&script.place.source.text[script.place.span.clone()], "\"night/swirl\"");
}

#[test]
fn the_full_example_has_its_layer() {
    let scenario = parse(FULL).unwrap();
    let [grass] = &scenario.setup.layers[..] else { panic!("one layer") };
    assert_eq!((grass.columns, grass.rows(), grass.cell, grass.min), (27, 20, 30.0, v(-10.0, 0.0)));
    assert_eq!((grass.evaporation, grass.diffusion, grass.wraps), (0.25, 12.5, true));
    assert_eq!(grass.appearance.full_at, Some(4.0));
    let at = |x, y| grass.amount(&scenario.setup.space, v(x, y));
    assert_eq!([at(50.0, 50.0), at(50.0, 350.0), at(400.0, 300.0)], [3.0, 0.0, 0.5]);
}

#[test]
fn the_full_example_has_its_groups_in_written_order() {
    let scenario = parse(FULL).unwrap();
    let groups = &scenario.setup.groups;
    let names: Vec<_> = groups.iter().map(|(group, _)| &*group.name).collect();
    assert_eq!(names, ["guard", "thief", "a grid", "a ring", "a disc", "a rect"]);
    let (guard, spawn) = &groups[0];
    let body = guard.body;
    assert_eq!([body.radius, body.mass, body.max_speed, body.max_force], [6.0, 2.0, 60.0, 120.0]);
    let params: Vec<_> = guard.params.iter().collect();
    assert_eq!(
        params,
        [
            ("alert", &Value::Float(80.0)),
            ("calm", &Value::Bool(true)),
            ("home", &Value::Vector(v(3.0, 4.5))),
            ("n", &Value::Int(-3)),
            ("word", &Value::String("x".into())),
        ]
    );
    assert_eq!(guard.path, Some(PathId(0)));
    assert_eq!(guard.after_goals, AfterGoals::Stop);
    let color = Some(Rgb { red: 230, green: 159, blue: 0 });
    let red = |red| Rgb { red, green: 0, blue: 0 };
    let colors = vec![(Value::Float(0.0), red(0)), (Value::Float(2.5), red(255))];
    let appearance = Appearance {
        color,
        color_by: Some(ColorRule { state: "heat".into(), colors }),
        shape: AgentShape::Person,
        size: None,
        draw_order: 0,
        label: Some("mood".into()),
        signs: vec![
            AgentSign::Line { to: "aim".into() },
            AgentSign::Circle { radius: SignSize::Fixed(30.0) },
            AgentSign::Cone {
                radius: SignSize::Named("alert".into()),
                angle_deg: SignSize::Fixed(90.0),
            },
        ],
        ranges: [
            ("alert", ParamRange { min: 10.0, max: 200.0, is_log: true, is_integer: false }),
            ("n", ParamRange { min: -9.0, max: 9.0, is_log: false, is_integer: true }),
        ]
        .map(|(param, range)| (param.into(), range))
        .into(),
    };
    assert_eq!(guard.appearance, appearance);
    let sneak = &groups[1].0.appearance;
    assert_eq!((sneak.size, sneak.draw_order, sneak.size_of(3.0)), (Some(8.0), 2, 8.0));
    // Counter-clockwise.
    let corners = [v(1.5, 0.0), v(-1.0, 0.7), v(-1.0, -0.7)];
    assert_eq!(sneak.shape, AgentShape::Polygon(ShapeCorners(corners.into())));
    assert_eq!((sneak.shape.reach(), AgentShape::Car.reach()), (1.5, 1.0));
    let related = |group: usize, relation| groups[group].0.relations.groups(relation);
    assert_eq!(related(0, Relation::Prey), [GroupId(1)]);
    assert_eq!(related(1, Relation::Predator), [GroupId(0)], "in both directions");
    assert_eq!(related(0, Relation::Ally), [GroupId(0), GroupId(2)], "in the order of the groups");
    assert_eq!(related(2, Relation::Ally), [GroupId(0)]);
    assert_eq!(related(2, Relation::Prey), []);
    assert_eq!(guard.goals.len(), 1);
    assert_eq!(guard.goals[0][0].at, v(780.0, 590.0));
    assert_eq!((spawn.count, spawn.vel, spawn.heading), (2, v(1.0, 2.0), Some(Vec2::NEG_X)));
    assert_eq!(scenario.behaviors[0].as_ref().unwrap().name, "night/patrol", "one for each group");
    let place = &scenario.behaviors[0].as_ref().unwrap().place;
    assert_eq!(&place.source.text[place.span.clone()], "\"night/patrol\"");
    assert_eq!(scenario.behaviors.len(), 6);
    let counts: Vec<_> = groups.iter().map(|(_, spawn)| spawn.count).collect();
    assert_eq!(counts, [2, 3, 3, 3, 0, 3]);
    assert_eq!(groups[2].0.body.mass, 1.0);
    assert_eq!(groups[2].0.body.max_speed, f32::INFINITY);
}

#[test]
fn agents_with_equal_goals_share_a_sequence() {
    let scenario = parse(FULL).unwrap();
    let (thief, spawn) = &scenario.setup.groups[1];
    let goals: Vec<_> = thief.goals.iter().map(|goals| goals.to_vec()).collect();
    assert_eq!(goals, [vec![], vec![CORNER]]);
    let new_agent = |pos, vel, heading, sequence| NewAgent { pos, vel, heading, sequence };
    assert_eq!(
        spawn.shape,
        SpawnShape::Agents(vec![
            new_agent(v(1.0, 2.0), Vec2::Y, Some(Vec2::NEG_Y), 1),
            new_agent(v(3.0, 2.0), Vec2::ZERO, None, 0),
            new_agent(v(3.0, 4.0), Vec2::ZERO, None, 1),
        ])
    );
}

#[test]
fn agents_without_own_goals_and_velocity_take_those_of_the_group() {
    let text = one_group(
        "size: (9, 9)",
        "",
        "velocity: (1, 0), heading_deg: 90, goals: [(at: (5, 5), radius: 1)], spawn: Agents([
            (at: (1, 1)), (at: (2, 2), goals: [(at: (6, 6), radius: 1)]),
            (at: (3, 3), goals: [(at: (5, 5), radius: 1)])])",
    );
    let (group, spawn) = parse(&text).unwrap().setup.groups.remove(0);
    assert_eq!(&*group.goals[0], [CORNER]);
    assert_eq!(group.goals.len(), 2);
    let SpawnShape::Agents(agents) = spawn.shape else { panic!("agents") };
    let sequences: Vec<_> = agents.iter().map(|agent| agent.sequence).collect();
    assert_eq!(sequences, [0, 1, 0]);
    assert_eq!((agents[0].vel, agents[0].heading), (Vec2::X, Some(Vec2::Y)));
}

#[test]
fn the_full_example_has_its_events() {
    let events = parse(FULL).unwrap().setup.events;
    assert_eq!(
        events[0],
        Event {
            when: EventTime::At(120),
            action: Action::Push {
                group: GroupId(1),
                velocity: v(-12.5, 0.0),
                when: PushTime::BeforeDecision,
            }
        }
    );
    assert_eq!(events[1].when, EventTime::Every { ticks: 60, from: 60, until: u64::MAX });
    assert_eq!(events[1].action, Action::Spawn { group: GroupId(4), count: 1 });
    assert_eq!(events[2].when, EventTime::Every { ticks: 60, from: 0, until: 1000 });
    assert_eq!(events[3].action, Action::Remove { group: GroupId(0), count: None });
    assert_eq!(
        events[4].action,
        Action::Set { group: GroupId(0), param: "alert".into(), value: Value::Float(10.0) }
    );
    assert!(matches!(&events[5].action, Action::SetGoals { goals, .. } if goals.len() == 1));
    assert_eq!(events[7].action, Action::SetObstacle { obstacle: "gate".into(), present: true });
    let center = v(60.0, 70.0);
    let condition = Condition::Inside {
        group: GroupId(1),
        area: Shape::Circle { center, radius: 30.0 },
        agents: HowMany::AtLeast(1),
    };
    assert_eq!(events[8].action, Action::Input { name: "use".into(), down: true });
    let stop = Action::MoveObstacle { obstacle: "rock".into(), motion: ObstacleMotion::Stop };
    assert_eq!(events[6].action, stop);
    assert_eq!(events[9].when, EventTime::When { condition, again: false });
    let condition = Condition::Near { between: [GroupId(0), GroupId(1)], distance: 1.5 };
    assert_eq!(events[12].when, EventTime::When { condition, again: true });
    let reached = Condition::Reached { group: GroupId(0), agents: HowMany::AtLeast(2) };
    assert_eq!(events[13].when, EventTime::When { condition: reached, again: false });
    let setup = parse(FULL).unwrap().setup;
    assert_eq!(setup.absent_obstacles, ["gate".into()]);
    let moving = [
        ("pillar", ObstacleMotion::Velocity(v(1.0, -0.5))),
        ("crate", ObstacleMotion::Along { path: "line".into(), speed: 5.0 }),
        ("rock", ObstacleMotion::To { at: v(90.0, 80.0), speed: 3.0 }),
    ];
    assert_eq!(setup.moving_obstacles, moving.map(|(name, motion)| (name.into(), motion)));
    assert_eq!(setup.inputs, [Input::new("use", "space"), Input::new("left", "a")]);
    let shared = setup.shared;
    assert_eq!(shared.len(), 6);
    let food = SharedValue::new("food", SharedRule::Sum, true, Value::Float(0.5));
    let last = SharedValue::new("last", SharedRule::Latest, false, Value::Vector(Vec2::Y));
    assert_eq!((&shared[0], &shared[5]), (&food, &last));
    let condition = Condition::Shared { name: "food".into(), is: SharedTest::AtLeast(2.5) };
    let event = &events[events.len() - 4];
    assert_eq!(event.when, EventTime::When { condition, again: false });
    let action = Action::SetShared { name: "alarm".into(), value: Value::Bool(false) };
    assert_eq!(event.action, action);
}

#[test]
fn most_fields_may_be_left_out() {
    let text =
        "(world: (size: (9, 8)), groups: {\"a\": (behavior: \"b\", spawn: Points([(1, 2)]))})";
    let scenario = parse(text).unwrap();
    let setup = &scenario.setup;
    assert_eq!((scenario.name.as_str(), scenario.ticks), ("", 600));
    assert_eq!((setup.seed, setup.dt, setup.order), (0, 1.0 / 60.0, Order::Synchronous));
    assert_eq!((setup.space.min, setup.space.edge), (Vec2::ZERO, Edge::Open));
    assert_eq!(setup.groups[0].1.count, 1);
    assert_eq!(setup.groups[0].0.body.radius, 0.0);
    assert!(scenario.warnings.is_empty());
}

#[test]
fn places_of_values_exclude_comments() {
    let text = one_group(
        "size: (9, 9)",
        "",
        "spawn: Points([(1, 1)]), path: // the way
        /* round */ \"x\" // and on
        ",
    );
    let found = parse(&text).unwrap_err();
    let place = found[0].place.as_ref().unwrap();
    assert_eq!(&text[place.span.clone()], "\"x\"");
}

#[test]
fn params_can_be_set() {
    let mut scenario = parse(FULL).unwrap();
    for (param, value, expected) in [
        ("alert", "5", Value::Float(5.0)),
        ("n", "5", Value::Int(5)),
        ("n", "2.5", Value::Float(2.5)),
        ("calm", "false", Value::Bool(false)),
        ("home", "(1, -2)", Value::Vector(v(1.0, -2.0))),
        ("word", "two words", Value::String("two words".into())),
        ("word", "\"(1, 2)\"", Value::String("(1, 2)".into())),
        ("word", "7", Value::String("7".into())),
    ] {
        scenario.set_param("guard", param, value).unwrap();
        assert_eq!(scenario.setup.groups[0].0.params.get(param), Some(&expected));
    }
}

#[test]
fn params_that_cannot_be_set_say_why() {
    let mut scenario = parse(FULL).unwrap();
    for (group, param, value, expected) in [
        (
            "gard",
            "alert",
            "1",
            "no group `gard`; did you mean `guard`? Known are: guard, thief, a grid, a ring, a disc, a rect",
        ),
        (
            "guard",
            "allert",
            "1",
            "group `guard` has no param `allert`; did you mean `alert`? Known are: alert, calm, home, n, word",
        ),
        ("thief", "x", "1", "group `thief` has no param `x`; there are none"),
        ("guard", "alert", "true", "`guard.alert` is a number, but `true` is a boolean"),
        ("guard", "alert", "inf", "cannot read `inf` as a number for `guard.alert`"),
        ("guard", "home", "(1", "cannot read `(1` as a vector for `guard.home`"),
    ] {
        let error = scenario.set_param(group, param, value).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn the_number_of_agents_can_be_changed() {
    let text = |spawn: &str| {
        format!(
            r#"(world: (size: (9, 9)), groups: {{
                "a": (behavior: "b", count: 6, spawn: Disc(center: (0, 0), radius: 1)),
                "none": (behavior: "b", count: 0, spawn: Disc(center: (0, 0), radius: 1)),
                "c": (behavior: "b", {spawn}),
            }})"#
        )
    };
    let ring = parse(&text("count: 3, spawn: Ring(center: (0, 0), radius: 1)")).unwrap();
    for (agents, counts) in [
        (9, [6, 0, 3]),
        (1000, [666, 0, 334]),
        (10_000_000, [6_666_666, 0, 3_333_334]),
        (1, [1, 0, 1]),
    ] {
        let mut scaled = ring.clone();
        scaled.set_agents(agents).unwrap();
        let found: Vec<u32> = scaled.setup.groups.iter().map(|(_, of)| of.count).collect();
        assert_eq!(found, counts, "{agents}");
    }
    let mut listed = parse(&text("spawn: Points([(0, 0), (1, 1)])")).unwrap();
    let error = listed.set_agents(16).unwrap_err().to_string();
    assert_eq!(error, "group `c` would have 4 agents, but its spawn lists only 2");
    assert_eq!(listed.setup.groups[0].1.count, 6, "all or nothing");
    listed.set_agents(8).unwrap();
    listed.set_agents(2).unwrap();
    let mut empty = listed;
    for (_, spawn) in &mut empty.setup.groups {
        spawn.count = 0;
    }
    assert_eq!(empty.set_agents(5), Err(ScaleError::Empty));
}

#[test]
fn a_rate_is_another_way_to_give_the_time_step() {
    let dt = |time: &str| {
        let text = one_group("size: (9, 9)", time, "spawn: Points([(1, 1)])");
        parse(&text).map(|scenario| scenario.setup.dt)
    };
    assert_eq!(dt("hz: 60,"), Ok(1.0 / 60.0));
    assert_eq!(dt("hz: 60,"), dt(""), "the default");
    assert_eq!(dt("hz: 0.1,"), Ok(1.0 / 0.1));
    for (time, message) in [
        ("dt: 0.1, hz: ‹10›,", "`hz` and `dt` both give the length of a tick"),
        (
            "hz: ‹1e-40›,",
            "expected at least 0.1 ticks per second, found `0.0000000000000000000000000000000000000001`",
        ),
    ] {
        let text = one_group("size: (9, 9)", time, "spawn: Points([(1, 1)])");
        let found = check(&text, Severity::Error, message);
        assert_eq!(found.related.len(), usize::from(time.starts_with("dt")));
    }
    assert!(dt("hz: 0,").is_err());
}

#[test]
fn a_behavior_and_a_goals_radius_may_be_left_out() {
    let group = "\"a\": (spawn: Points([(1, 1)]), goals: [(at: (5, 5)), (at: (6, 6), radius: 0)])";
    let text = format!("(world: (size: (9, 9)), groups: {{ {group} }})");
    let scenario = parse(&text).unwrap();
    assert_eq!(scenario.behaviors, [None]);
    let goals = &scenario.setup.groups[0].0.goals[0];
    assert_eq!(goals.iter().map(|goal| goal.radius).collect::<Vec<_>>(), [0.0, 0.0]);
    for wait in ["Reach", "ReachAll"] {
        let expect = format!("expect: [{wait}(group: ‹\"a\"›)], groups");
        let message = "agents of group `a` can never reach their last goal";
        check(&text.replace("groups", &expect), Severity::Error, message);
    }
    let reachable = text.replace("(at: (5, 5)), ", "").replace("radius: 0", "radius: 1");
    let expect = reachable.replace("groups", "expect: [Reach(group: \"a\")], groups");
    assert!(parse(&expect).is_ok());
}

#[test]
fn a_push_can_act_after_the_decision() {
    let with = |when: &str| {
        let text = full_with("velocity: (-12.5, 0))", &format!("velocity: (-12.5, 0){when})"));
        parse(&text).unwrap().setup.events[0].action.clone()
    };
    for (written, wanted) in [
        ("", PushTime::BeforeDecision),
        (", when: BeforeDecision", PushTime::BeforeDecision),
        (", when: AfterDecision", PushTime::AfterDecision),
    ] {
        assert!(matches!(with(written), Action::Push { when, .. } if when == wanted));
    }
    let group: Arc<str> = "g".into();
    let text = action_text(&with(", when: AfterDecision"), &[Arc::clone(&group), group]);
    let expected = "Push(group: \"g\", velocity: (-12.5, 0), when: AfterDecision)";
    assert_eq!(text.as_deref(), Some(expected));
}

#[test]
fn numbers_may_be_drawn_for_each_agent() {
    let fields = "params: { \"pace\": Mixture([(share: 0.25, of: Normal(mean: 1, deviation: 0.5)),\n \
        (share: 0.75, of: Table([(0, 0.5), (1, 2)]))]), \"gap\": LogNormal(median: 2, spread: 1.5, within: (1, 9)) },\n \
        body: (radius: Uniform (from: 2, to: 4) /* each */, max_speed: 9, noise: (motion: Uniform(from: 0, to: 1))), \
        spawn: Agents([(at: (1, 1)), (at: (2, 1), body: (radius: 3)), (at: (3, 1), body: (max_speed: Uniform(from: 5, to: 6)))])";
    let scenario = parse(&one_group("size: (9, 9)", "", fields)).unwrap();
    let group = &scenario.setup.groups[0].0;
    let uniform = |from, to| Distribution::uniform(from, to).unwrap();
    let normal = Distribution::normal(1.0, 0.5, None).unwrap();
    let table = Distribution::table(&[(0.0, 0.5), (1.0, 2.0)]).unwrap();
    let pace = Distribution::mixture(&[(0.25, normal), (0.75, table)]).unwrap();
    assert_eq!(group.params.get("pace"), Some(&pace.into()));
    let gap = Distribution::log_normal(2.0, 1.5, Some([1.0, 9.0])).unwrap();
    assert_eq!(group.params.get("gap"), Some(&gap.into()));
    for (_, value) in group.params.iter() {
        let written = to_ron::param(value).unwrap();
        let group = format!("params: {{ \"pace\": {written} }}, spawn: Points([(1, 1)])");
        let read = parse(&one_group("size: (9, 9)", "", &group)).unwrap();
        assert_eq!(read.setup.groups[0].0.params.get("pace"), Some(value), "{written}");
    }
    let draw = |path: &[&str], of| BodyDraw {
        path: path.iter().map(|name| Arc::from(*name)).collect(),
        of: Arc::new(of),
    };
    let radius = draw(&["radius"], uniform(2.0, 4.0));
    let noise = draw(&["noise", "motion"], uniform(0.0, 1.0));
    let speed = draw(&["max_speed"], uniform(5.0, 6.0));
    let draws: Vec<_> = group.body_draws.iter().map(|of| of.draws.clone()).collect();
    let expected = [
        vec![radius.clone(), noise.clone()],
        vec![noise.clone()],
        vec![radius.clone(), noise, speed],
    ];
    assert_eq!(draws, expected);
    let [first, second, third] = &group.bodies[..] else { panic!("a body for each agent") };
    assert!((2.0..4.0).contains(&first.radius) && (5.0..6.0).contains(&third.max_speed));
    assert_eq!((first.max_speed, second.radius, second.max_speed), (9.0, 3.0, 9.0));
    // A value on the command line is one for all, or another distribution.
    let mut scenario = scenario;
    scenario.set_param("ä", "pace", "3").unwrap();
    scenario.set_param("ä", "gap", "Uniform(from: 1, to: 2)").unwrap();
    let params = &scenario.setup.groups[0].0.params;
    assert_eq!(params.get("pace"), Some(&Value::Float(3.0)));
    assert_eq!(params.get("gap"), Some(&uniform(1.0, 2.0).into()));
    let wrong = scenario.set_param("ä", "gap", "Uniform(from: 1, to: 0)").unwrap_err().to_string();
    assert!(wrong.contains("`to` must be at least `from`"), "{wrong}");
    let wrong = scenario.set_param("ä", "gap", "Gauss(1)").unwrap_err().to_string();
    assert!(wrong.contains("unknown distribution `Gauss`"), "{wrong}");
}

#[test]
fn an_agent_may_have_a_body_of_its_own() {
    let scenario = parse(FULL).unwrap();
    let groups = &scenario.setup.groups;
    assert!(groups[0].0.bodies.is_empty());
    let thief = &groups[1].0;
    let own = Body {
        mass: 3.5,
        drive: Drive::Car { turning_radius: 8.0, reverse: true },
        max_turn_rad_per_s: math::PI / 2.0,
        max_forward_force: 50.0,
        max_braking_force: 90.0,
        max_sideways_force: 30.0,
        solid: true,
        noise: Noise { position: 0.5, velocity: 0.0, motion: 2.0 },
        ..Body::default()
    };
    assert_eq!(thief.bodies, [thief.body, thief.body, own]);
    // If there are more agents than entries, the list repeats.
    assert_eq!(*thief.body_of(5), own);
    assert_eq!(*thief.body_of(3), thief.body);
    let fast =
        "body: (max_speed: 9, max_force: 5), spawn: Agents([(at: (1, 1), body: (max_speed: 4))])";
    let scenario = parse(&one_group("size: (9, 9)", "", fast)).unwrap();
    let body = *scenario.setup.groups[0].0.body_of(0);
    assert_eq!((body.max_speed, body.max_force), (4.0, 5.0), "the rest is the group's");
    let large = fast.replace("max_speed: 4", "radius: 7.5");
    let scenario = parse(&one_group("size: (9, 9)", "", &large)).unwrap();
    assert_eq!(scenario.setup.groups[0].0.largest_radius(), 7.5);
}
