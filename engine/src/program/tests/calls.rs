//! Calls of primitives.

use super::*;
use crate::steer::{self, Arg};
use crate::world::{Mind, Neighborhood, PathId, View};

#[test]
fn primitives_are_called_as_scripts_call_them() {
    let world = full(Edge::Wrap);
    let (to, vel, active) = (V(F(0), F(1)), V(F(2), F(3)), B(1));
    let (a, b, x) = (V(F(4), F(5)), V(F(6), F(7)), F(8));
    let near = Neighborhood::within(9.0).of(GroupId(0));
    let calls: [(&str, Vec<Given>); 7] = [
        ("seek", vec![Given::Vector(a)]),
        ("arrive", vec![Given::Vector(a), Given::Number(x)]),
        ("pursue", vec![Given::Agent(I(0))]),
        ("separation", vec![Given::Neighbors(0)]),
        ("stay_on_path", vec![Given::Path(I(1))]),
        ("prioritize", vec![Given::Forces(vec![b, a])]),
        ("budget", vec![Given::Forces(vec![a, b]), Given::Number(x)]),
    ];
    for (name, args) in calls {
        let primitive = steer::find(name).unwrap();
        let call = Call { primitive, args: args.clone(), vel, to, site: 0 };
        let program = Program {
            nears: vec![Near {
                radius: F(9),
                group: Some(GroupId(0)),
                view: Look::Fixed(View::Around),
                around: None,
                shared: false,
            }],
            ..program(vec![Op::Call { call: call.into(), active }])
        };
        let at = |lane: usize| Vec2::new(lane as f32, 50.0 - lane as f32);
        let own = |lane: usize| Vec2::new(1.0, lane as f32 * 0.1);
        // One in seven is a number that no primitive takes.
        let number = |lane: usize| (lane % 7) as f32 - 1.0;
        let machine = run_filled(&program, &world, 100, |banks| {
            for lane in 0..LANES {
                banks.set_truth(active, lane, lane % 5 != 0);
                banks.set_vector(a, lane, at(lane));
                let second = if lane % 2 == 0 { Vec2::ZERO } else { own(lane) };
                banks.set_vector(b, lane, second);
                banks.set_vector(vel, lane, own(lane));
                banks.set_number(x, lane, number(lane));
                banks.set_number(F(9), lane, 9.0);
                banks.set_whole(I(0), lane, lane as i64 + 1);
                banks.set_whole(I(1), lane, lane as i64 % 3);
            }
        });
        for lane in (0..100).filter(|lane| lane % 5 != 0) {
            let me = Me::new(&world, lane, own(lane));
            let second = if lane % 2 == 0 { Vec2::ZERO } else { own(lane) };
            let forces = [second, at(lane)];
            let swapped = [at(lane), second];
            let given: Vec<Arg<'_>> = args
                .iter()
                .map(|place| match place {
                    Given::Number(_) => Arg::Number(number(lane)),
                    Given::Vector(_) | Given::VectorOf(..) => Arg::Vector(at(lane)),
                    Given::Agent(_) => Arg::Agent(world.agent(lane + 1)),
                    Given::Neighbors(_) => Arg::Neighbors(near),
                    Given::Path(_) => Arg::Path(PathId(lane as u16 % 3)),
                    Given::Forces(_) if name == "budget" => Arg::Forces(&swapped),
                    Given::Forces(_) => Arg::Forces(&forces),
                })
                .collect();
            let none = name == "stay_on_path" && lane % 3 == 2;
            let expected = (!none).then(|| primitive.call(&me, &given).ok()).flatten();
            assert_eq!(machine.faulted(lane), expected.is_none(), "{name}, lane {lane}");
            if let Some(expected) = expected {
                let got = machine.banks.vector(to, lane);
                assert!(same_vector(got, expected), "{name}: {got}, not {expected}");
            }
        }
        for lane in (0..100).step_by(5) {
            assert!(!machine.faulted(lane), "{name}: not active");
        }
    }
}

#[test]
fn progress_is_a_copy_until_it_is_kept() {
    let mut world = full(Edge::Open);
    let (to, vel, place) = (V(F(0), F(1)), V(F(2), F(3)), I(0));
    let call = Call {
        primitive: steer::find("follow_path").unwrap(),
        args: vec![Given::Path(place)],
        vel,
        to,
        site: 0,
    };
    let program = Program {
        uses_progress: true,
        vel: Some(vel),
        ..program(vec![
            Op::ConstI { to: place, value: 1 },
            Op::Call { call: call.into(), active: LIVE },
            Op::Waypoint { to: V(F(4), F(5)), path: PathId(1) },
        ])
    };
    for row in (0..100).step_by(3) {
        // At its first waypoint.
        world.agents.pos[row] = Vec2::ZERO;
    }
    let before: Vec<[Progress; 2]> = vec![Default::default(); 100];
    let rows: Vec<u32> = (0..100).collect();
    let state = Values::default();
    let mut machine = Machine::new(&program);
    let block = Block {
        rows: &rows,
        velocities: &world.agents.vel[..100],
        mind: &|lane| (&state, &before[lane]),
    };
    machine.run(&program, &world, GroupId(0), block);
    let mut moved = 0;
    for (lane, &before) in before.iter().enumerate() {
        let mut expected = before;
        let force = steer::follow_path(
            &world.me(lane).with_progress(&mut expected),
            PathId(1),
            world.groups[0].body.max_speed,
        );
        if world.agents.group[lane] == GroupId(0) {
            assert_eq!(machine.banks.vector(to, lane), force);
        }
        let mut state = Values::default();
        let mut progress = before;
        let mind = Mind { state: &mut state, progress: &mut progress };
        machine.keep(&program, &world, lane, mind);
        assert_eq!(progress, expected);
        let waypoint = world.paths[1].waypoint(expected[1]);
        assert_eq!(machine.banks.vector(V(F(4), F(5)), lane), waypoint);
        moved += usize::from(progress != before);
    }
    assert!((30..70).contains(&moved), "{moved} have moved on");
}
