//! Tests of queries of the world.

use super::*;
use crate::geom;
use crate::math;
use crate::math::random::Use;
use crate::world::{Input, ObstacleId, ObstacleMotion};

#[test]
fn numbers_of_agents_are_those_of_the_world() {
    let all = [
        AgentNumber::PosX,
        AgentNumber::PosY,
        AgentNumber::VelX,
        AgentNumber::VelY,
        AgentNumber::HeadingX,
        AgentNumber::HeadingY,
        AgentNumber::Speed,
        AgentNumber::Radius,
        AgentNumber::Mass,
        AgentNumber::MaxSpeed,
        AgentNumber::MaxForce,
    ];
    let expected = |me: &Me<'_>| {
        let body = me.body();
        [
            me.pos().x,
            me.pos().y,
            me.vel().x,
            me.vel().y,
            me.heading().x,
            me.heading().y,
            math::length(me.vel()),
            body.radius,
            body.mass,
            body.max_speed,
            body.max_force,
        ]
    };
    let integer = [AgentInteger::Id, AgentInteger::Index, AgentInteger::Row, AgentInteger::Group];
    let expected_whole = |me: &Me<'_>| {
        let (id, index) = (me.agent().id(), me.agent().index());
        let group = me.group_id().0;
        [id.0.into(), index.into(), me.row() as i64, group.into()]
    };
    let world = full(Edge::Wrap);
    for (place, what) in all.into_iter().enumerate() {
        let (to, row) = (F(1), I(1));
        let own =
            program(vec![every(OpKind::Own(what), (), F(0)), every(OpKind::Other(what), row, to)]);
        let other = |lane: usize| (lane * 7 + 3) % world.agents.len();
        let machine = run_filled(&own, &world, 100, |banks| {
            for lane in 0..LANES {
                banks.set_integer(row, lane, other(lane) as i64);
            }
            banks.set_integer(row, 5, -1);
            banks.set_integer(row, 6, 1 << 40);
        });
        for lane in (0..100).filter(|lane| ![5, 6].contains(lane)) {
            let me = expected(&world.me(lane))[place];
            assert_eq!(machine.banks.number(F(0), lane), me, "{what:?}");
            let other = expected(&world.me(other(lane)))[place];
            assert_eq!(machine.banks.number(to, lane), other, "{what:?}");
        }
    }
    for (place, what) in integer.into_iter().enumerate() {
        let (to, row) = (I(0), I(1));
        let program = program(vec![
            every(OpKind::OwnI(AgentInteger::Row), (), row),
            every(OpKind::OwnI(what), (), to),
            every(OpKind::OtherI(what), row, I(2)),
        ]);
        each_lane(&world, &program, |machine, me, lane| {
            let expected = expected_whole(me)[place];
            assert_eq!(machine.banks.integer(to, lane), expected, "{what:?}");
            assert_eq!(machine.banks.integer(I(2), lane), expected, "{what:?}");
        });
    }
}

#[test]
fn a_velocity_that_was_set_is_the_velocity_of_the_agent() {
    let world = full(Edge::Open);
    let vel = V(F(0), F(1));
    let program = Program {
        vel: Some(vel),
        ..program(vec![
            every(OpKind::Own(AgentNumber::VelX), (), F(2)),
            every(OpKind::Own(AgentNumber::Speed), (), F(3)),
            every(OpKind::Own(AgentNumber::VelY), (), F(4)),
            every(OpKind::Binary(Binary::Add), (vel.0, vel.0), F(5)),
            every(OpKind::BlendF, (F(5), LIVE), vel.0),
        ])
    };
    let velocities = [Vec2::new(3.0, 4.0), Vec2::new(-5.0, 12.0)];
    let mut machine: Machine = Machine::default();
    machine.fit(&program);
    let block = Block {
        slots: &[9, 4].map(|row| world.agents.motions.slot(row) as u32),
        velocities: &velocities,
        mind: &|_| unreachable!("nothing is remembered"),
    };
    machine.run(&program, &[lanes_of(&world, block.slots.len())], block);
    for (lane, own) in velocities.into_iter().enumerate() {
        assert_eq!(machine.banks.vector(V(F(2), F(4)), lane), own);
        assert_eq!(machine.banks.number(F(3), lane), own.length());
        assert_eq!(machine.vel(&program, lane), Vec2::new(2.0 * own.x, own.y));
        assert_eq!(machine.force(&program, lane), Vec2::ZERO);
    }
}

#[test]
fn shared_numbers_are_those_of_the_world_and_the_group() {
    let mut world = full(Edge::Bounce);
    for cursor in [None, Some(Vec2::new(5.0, 6.0))] {
        world.cursor = cursor;
        world.inputs = vec![Input::new("up", "w"), Input::new("use", "e")];
        world.inputs[1].is_down = cursor.is_some();
        let at = cursor.unwrap_or_default();
        let (body, space) = (world.groups[0].body, world.space);
        let numbers = [
            (SharedNumber::Radius, body.radius),
            (SharedNumber::Mass, body.mass),
            (SharedNumber::MaxSpeed, body.max_speed),
            (SharedNumber::MaxForce, body.max_force),
            (SharedNumber::Time, world.time()),
            (SharedNumber::Dt, world.dt),
            (SharedNumber::SizeX, space.size.x),
            (SharedNumber::SizeY, space.size.y),
            (SharedNumber::MinX, space.min.x),
            (SharedNumber::MinY, space.min.y),
            (SharedNumber::MaxX, space.max().x),
            (SharedNumber::MaxY, space.max().y),
            (SharedNumber::CursorX, at.x),
            (SharedNumber::CursorY, at.y),
        ];
        for (what, expected) in numbers {
            let program = program(vec![every(OpKind::Common(what), (), F(0))]);
            each_lane(&world, &program, |machine, _, lane| {
                assert_eq!(machine.banks.number(F(0), lane), expected, "{what:?}");
            });
        }
        let of = |group| world.agents.group.iter().filter(|&&g| g == group).count();
        let integer = [
            (SharedInteger::Tick, 7),
            (SharedInteger::Count(None), world.agents.len()),
            (SharedInteger::Count(Some(GroupId(1))), of(GroupId(1))),
            (SharedInteger::Obstacles, 2),
        ];
        for (what, expected) in integer {
            let program = program(vec![
                every(OpKind::CommonI(what), (), I(0)),
                every(OpKind::HasCursor, (), B(1)),
                every(OpKind::Input(0), (), B(2)),
                every(OpKind::Input(1), (), B(3)),
            ]);
            each_lane(&world, &program, |machine, _, lane| {
                assert_eq!(machine.banks.integer(I(0), lane), expected as i64, "{what:?}");
                let read = [1, 2, 3].map(|bank| machine.banks.boolean(B(bank), lane));
                assert_eq!(read, [cursor.is_some(), false, cursor.is_some()]);
            });
        }
    }
}

#[test]
fn goals_and_offsets_are_those_of_the_agent() {
    for edge in SPACES {
        let world = full(edge);
        let (at, radius, exists, way) = (V(F(0), F(1)), F(2), B(1), V(F(3), F(4)));
        let program = program(vec![
            every(OpKind::Goal, (), (at, radius, exists)),
            every(OpKind::Offset, at, way),
            every(OpKind::number(173.0), (), F(5)),
            every(OpKind::Offset, V(F(5), F(1)), V(F(6), F(7))),
        ]);
        each_lane(&world, &program, |machine, me, lane| {
            let banks = &machine.banks;
            assert_eq!(banks.boolean(exists, lane), me.goal().is_some());
            if let Some(goal) = me.goal() {
                assert_eq!(banks.vector(at, lane), goal.at);
                assert_eq!(banks.number(radius, lane), goal.radius);
                assert_eq!(banks.vector(way, lane), me.to(goal.at));
                let far = me.to(Vec2::new(173.0, goal.at.y));
                assert_eq!(banks.vector(V(F(6), F(7)), lane), far);
            }
        });
    }
}

#[test]
fn params_must_have_their_exact_type() {
    let world = full(Edge::Open);
    let read = |name: &str, ty, to| {
        let program = Program {
            strings: vec!["all".into(), "others".into()].into(),
            params: vec![name.into()],
            ..program(vec![within(LIVE, OpKind::Param(0, ty), (), to)])
        };
        run(&program, &world, 17)
    };
    let (f, i, b, v) = (F(3), I(3), B(3), V(F(4), F(5)));
    for lane in 0..17 {
        let much = read("much", Type::Float, Columns::F(f));
        assert_eq!(much.banks.number(f, lane), 3.0);
        let many = read("many", Type::Int, Columns::I(i));
        assert_eq!(many.banks.integer(i, lane), 3);
        let flag = read("flag", Type::Bool, Columns::B(b));
        assert!(flag.banks.boolean(b, lane));
        let mode = read("mode", Type::String, Columns::I(i));
        assert_eq!(mode.banks.integer(i, lane), 1);
        let way = read("way", Type::Vector, Columns::V(v));
        assert_eq!(way.banks.vector(v, lane), Vec2::new(1.0, 2.0));
        for machine in [much, many, flag, mode, way] {
            assert!(!machine.is_faulted(lane));
        }
        for (name, ty, to) in [
            ("much", Type::Int, Columns::I(i)),
            ("many", Type::Float, Columns::F(f)),
            ("none", Type::Float, Columns::F(f)),
        ] {
            assert!(read(name, ty, to).is_faulted(lane), "{name} as {ty:?}");
        }
    }
}

#[test]
fn random_numbers_are_drawn_in_active_lanes() {
    let world = full(Edge::Open);
    let (odd, first, second) = (B(1), F(0), F(1));
    let program =
        program(vec![within(odd, OpKind::Draw, (), first), within(LIVE, OpKind::Draw, (), second)]);
    let machine = run_filled(&program, &world, 100, |banks| {
        for lane in 0..LANES {
            banks.set_boolean(odd, lane, lane % 2 == 1);
        }
    });
    for lane in (0..100).filter(|&lane| world.agents.group[lane] == GroupId(0)) {
        let stream = world.me(lane).random(Use::Script).with(world.tick);
        let draw = |k| stream.with(k).unit();
        let drawn = |to| machine.banks.number(to, lane);
        if lane % 2 == 1 {
            assert_eq!((drawn(first), drawn(second)), (draw(0), draw(1)));
        } else {
            assert_eq!((drawn(first), drawn(second)), (0.0, draw(0)));
        }
    }
}

#[test]
fn obstacles_and_paths_give_the_same_results_as_in_scripts() {
    let mut world = full(Edge::Open);
    world.set_obstacle_motion(ObstacleId(1), ObstacleMotion::Velocity(Vec2::new(3.0, -1.0)));
    let (to, which, point) = (V(F(0), F(1)), I(0), V(F(2), F(3)));
    let run =
        |op: Op, x: &dyn Fn(usize) -> f32, checked: &dyn Fn(usize, usize, Vec2) -> Option<Vec2>| {
            let program = program(vec![op, every(OpKind::PathCount, I(0), I(1))]);
            let y = |lane: usize| lane as f32 * 1.3 - 20.0;
            let place = |lane: usize| [0, 1, 2, -1][lane % 4];
            let machine = run_filled(&program, &world, 100, |banks| {
                for lane in 0..LANES {
                    banks.set_integer(which, lane, place(lane));
                    banks.set_vector(point, lane, Vec2::new(x(lane), y(lane)));
                    banks.set_boolean(B(1), lane, lane % 5 != 0);
                }
            });
            for lane in (0..100).filter(|lane| lane % 5 != 0) {
                let at = Vec2::new(x(lane), y(lane));
                let expected = usize::try_from(place(lane))
                    .ok()
                    .filter(|&place| place < 2)
                    .and_then(|place| checked(lane, place, at));
                assert_eq!(machine.is_faulted(lane), expected.is_none(), "{:?}", program.body);
                if let Some(expected) = expected {
                    assert_eq!(machine.banks.vector(to, lane), expected, "{:?}", program.body);
                    assert_eq!(machine.banks.integer(I(1), lane), 3);
                }
            }
            for lane in (0..100).step_by(5) {
                assert!(!machine.is_faulted(lane), "not active");
            }
        };
    let number = |x| Vec2::new(x, 0.0);
    let anywhere = |lane: usize| 70.0 - lane as f32;
    for ask in [
        AskObstacle::Contains,
        AskObstacle::Distance,
        AskObstacle::Closest,
        AskObstacle::Normal,
        AskObstacle::Center,
        AskObstacle::Radius,
        AskObstacle::Vel,
        AskObstacle::Present,
    ] {
        let op = within(B(1), OpKind::Obstacle(ask), (which, point), to);
        run(op, &anywhere, &|_, place, at| {
            let shape = &world.obstacles[place].shape;
            let surface = shape.surface(at);
            Some(match ask {
                AskObstacle::Contains => number(if shape.contains(at) { 1.0 } else { 0.0 }),
                AskObstacle::Distance => number(surface.distance),
                AskObstacle::Closest => surface.point,
                AskObstacle::Normal => surface.normal,
                AskObstacle::Center => [Vec2::splat(20.0), Vec2::new(25.0, 5.0)][place],
                AskObstacle::Radius => {
                    number([5.0, math::length(Vec2::new(50.0, 10.0)) * 0.5][place])
                }
                AskObstacle::Vel => [Vec2::ZERO, Vec2::new(3.0, -1.0)][place],
                AskObstacle::Present => number(1.0),
            })
        });
    }
    for ask in [
        AskPath::Closest,
        AskPath::Distance,
        AskPath::Along,
        AskPath::At,
        AskPath::Point,
        AskPath::Radius,
        AskPath::Length,
    ] {
        let op = within(B(1), OpKind::Path(ask), (which, point), to);
        let x = |lane: usize| match ask {
            AskPath::Point => lane as f32 % 7.0 - 2.0,
            AskPath::At if lane.is_multiple_of(9) => f32::NAN,
            _ => anywhere(lane),
        };
        run(op, &x, &|_, place, at| {
            let path = &world.paths[place];
            let closed = place == 1;
            let nearest = geom::nearest_on_polyline(&path.points, closed, at);
            Some(match ask {
                AskPath::Closest => nearest.point,
                AskPath::Distance => number(nearest.distance),
                AskPath::Along => number(nearest.along),
                AskPath::At => {
                    let found = geom::point_along(&path.points, closed, at.x);
                    return found.is_finite().then_some(found);
                }
                AskPath::Point => {
                    let place = at.x as i64;
                    return usize::try_from(place).ok().and_then(|k| path.points.get(k)).copied();
                }
                AskPath::Radius => number(3.0),
                AskPath::Length => number(geom::polyline_length(&path.points, closed)),
            })
        });
    }
}

#[test]
fn tables_give_elements_in_range_and_fault_otherwise() {
    let program = Program {
        tables_f: vec![vec![], vec![1.5, 2.5]],
        tables_i: vec![vec![7, 8, 9]],
        ..program(vec![
            within(LIVE, OpKind::TableI(0), I(0), I(1)),
            within(B(1), OpKind::TableF(1), I(0), F(0)),
        ])
    };
    let machine = run_filled(&program, &crowd(), 6, |banks| {
        for (lane, at) in [-1, 0, 1, 2, 3, -4].into_iter().enumerate() {
            banks.set_integer(I(0), lane, at);
            banks.set_boolean(B(1), lane, lane != 3);
        }
    });
    let faulted: Vec<bool> = (0..6).map(|lane| machine.is_faulted(lane)).collect();
    assert_eq!(faulted, [false, false, false, false, true, true]);
    let banks = &machine.banks;
    // From the end.
    assert_eq!((banks.integer(I(1), 0), banks.number(F(0), 0)), (9, 2.5));
    assert_eq!((banks.integer(I(1), 1), banks.number(F(0), 1)), (7, 1.5));
    assert_eq!((banks.integer(I(1), 2), banks.number(F(0), 2)), (8, 2.5));
    assert_eq!(banks.integer(I(1), 3), 9);
}

#[test]
fn arrays_keep_what_is_stored_in_each_lane() {
    let program = Program {
        arrays_f: 2,
        arrays_i: 1,
        ..program(vec![
            within(B(1), OpKind::StoreF(1), (I(0), F(0)), ()),
            within(LIVE, OpKind::StoreI(0), (I(0), I(1)), ()),
            every(OpKind::LoadF(1), I(0), F(1)),
            every(OpKind::LoadF(0), I(0), F(2)),
            every(OpKind::LoadI(0), I(2), I(3)),
        ])
    };
    let machine = run_filled(&program, &crowd(), 4, |banks| {
        for lane in 0..4 {
            banks.set_integer(I(0), lane, lane as i64 * 3);
            banks.set_integer(I(1), lane, lane as i64 + 10);
            banks.set_integer(I(2), lane, if lane == 1 { -1 } else { lane as i64 * 3 });
            banks.set_number(F(0), lane, lane as f32 + 0.5);
            banks.set_boolean(B(1), lane, lane != 2);
        }
    });
    let banks = &machine.banks;
    let lanes = |of: fn(&Banks, usize) -> f32| [0, 1, 2, 3].map(|lane| of(banks, lane));
    assert_eq!(lanes(|banks, lane| banks.number(F(1), lane)), [0.5, 1.5, 0.0, 3.5]);
    assert_eq!(lanes(|banks, lane| banks.number(F(2), lane)), [0.0; 4]);
    assert_eq!(lanes(|banks, lane| banks.integer(I(3), lane) as f32), [10.0, 0.0, 12.0, 13.0]);
}
