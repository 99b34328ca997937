//! Tests of the queries that primitives make.

use super::*;
use crate::math::random::{Use, noise};
use crate::world::{Mind, PathId};

/// Arguments of primitives in a lane: any point, any direction, numbers that may be negative.
fn point(lane: usize) -> Vec2 {
    Vec2::new(lane as f32, 50.0 - lane as f32)
}

fn any_direction(lane: usize) -> Vec2 {
    Vec2::new(1.0, lane as f32 * 0.1 - 3.0)
}

fn number(lane: usize) -> f32 {
    (lane % 7) as f32 * 4.0
}

#[test]
fn queries_of_primitives_give_the_results_of_the_functions_of_me() {
    let world = full(Edge::Wrap);
    let (active, blocked, found, last) = (B(1), B(2), B(3), B(4));
    let (at, direction, vel) = (V(F(0), F(1)), V(F(2), F(3)), V(F(4), F(5)));
    let (x, y, which) = (F(6), F(7), I(0));
    let (normal, distance) = (V(F(8), F(9)), F(10));
    let (nearest, far) = (V(F(11), F(12)), F(13));
    let (waypoint, curve) = (V(F(14), F(15)), F(16));
    let program = Program {
        columns: (20, 4, 8),
        uses_progress: true,
        ..program(vec![
            within(active, OpKind::Blocked, (x, y, vel), blocked),
            within(active, OpKind::FirstHit, (direction, x, y), (distance, normal, found)),
            within(active, OpKind::NearestOnPath, (which, at), (nearest, far)),
            every(OpKind::Waypoint, which, (waypoint, last)),
            every(OpKind::Noise, x, curve),
        ])
    };
    let machine = run_filled(&program, &world, 100, |banks| {
        for lane in 0..LANES {
            banks.set_boolean(active, lane, lane % 5 != 0);
            banks.set_vector(at, lane, point(lane));
            banks.set_vector(direction, lane, any_direction(lane));
            banks.set_vector(vel, lane, any_direction(lane));
            banks.set_number(x, lane, number(lane));
            banks.set_number(y, lane, number(lane + 3));
            // An index without a path, in lanes that are not active.
            banks.set_integer(which, lane, if lane % 5 == 0 { 9 } else { lane as i64 % 2 });
        }
    });
    let banks = &machine.banks;
    let (mut blocks, mut hits) = (0, 0);
    for lane in (0..100).filter(|lane| lane % 5 != 0) {
        let me = Me::new(&world, lane, any_direction(lane));
        let (x, y) = (number(lane), number(lane + 3));
        assert!(!machine.is_faulted(lane));
        assert_eq!(banks.boolean(blocked, lane), me.is_blocked(x, y));
        blocks += usize::from(me.is_blocked(x, y));
        let hit = world.first_hit(me.pos(), any_direction(lane), x, y).map(|(_, hit)| hit);
        assert_eq!(banks.boolean(found, lane), hit.is_some());
        hits += usize::from(hit.is_some());
        let (hit_at, out) = hit.map_or_else(Default::default, |hit| (hit.distance, hit.normal));
        assert!(same(banks.number(distance, lane), hit_at));
        assert!(same_vector(banks.vector(normal, lane), out));
        let path = world.path(PathId(lane as u16 % 2));
        assert!(same_vector(banks.vector(nearest, lane), path.nearest(point(lane)).point));
        assert!(same(banks.number(far, lane), path.nearest(point(lane)).distance));
        assert_eq!(banks.vector(waypoint, lane), path.points[0]);
        assert!(!banks.boolean(last, lane));
        // The program runs for one group.
        if world.agents.group[lane] == GroupId(0) {
            assert!(same(banks.number(curve, lane), noise(me.random(Use::Wander), x)));
        }
    }
    assert!(blocks > 5 && hits > 5, "{blocks} {hits}");
}

#[test]
fn progress_is_a_copy_until_it_is_stored() {
    let world = full(Edge::Open);
    let (place, reached) = (I(0), B(1));
    let (first, second) = (V(F(0), F(1)), V(F(2), F(3)));
    let program = Program {
        uses_progress: true,
        ..program(vec![
            every(OpKind::ConstI(1), (), place),
            every(OpKind::Waypoint, place, (first, B(2))),
            within(reached, OpKind::Advance, place, ()),
            every(OpKind::Waypoint, place, (second, B(3))),
        ])
    };
    let moves = |lane: usize| lane.is_multiple_of(3);
    let mut machine = run_filled(&program, &world, 100, |banks| {
        for lane in 0..LANES {
            banks.set_boolean(reached, lane, moves(lane));
        }
    });
    let path = &world.paths[1];
    for lane in 0..100 {
        let mut expected = [Progress::default(); 2];
        if moves(lane) {
            expected[1] = path.next(expected[1]);
        }
        assert_eq!(machine.banks.vector(first, lane), path.points[0]);
        assert_eq!(machine.banks.vector(second, lane), path.waypoint(expected[1]));
        let (mut state, mut progress) = (Values::default(), [Progress::default(); 2]);
        let mind = Mind { state: &mut state, progress: &mut progress };
        machine.store_mind(&program, &world, lane, mind);
        assert_eq!(progress, expected);
    }
}
