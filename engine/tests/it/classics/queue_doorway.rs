//! Queue through a doorway: four rooms, each with a crowd.

use std::collections::BTreeMap;

use super::*;

/// Offset of the room, and whether it has a brake, a cut of the velocity, and separation.
const ROOMS: [(f64, f64, bool, bool, bool); 4] = [
    (0.0, 0.0, false, true, false),
    (450.0, 0.0, true, false, false),
    (0.0, 260.0, true, true, true),
    (450.0, 260.0, false, false, false),
];
const EACH: u32 = 20;

fn room_of(id: u32) -> usize {
    (id / EACH) as usize
}

/// Returns a goal with its radius: first the doorway, then the point behind it.
fn goal(room: usize, number: usize) -> (DVec2, f64) {
    let (x, y, ..) = ROOMS[room];
    [(at(x + 300.0, y + 125.0), 20.0), (at(x + 420.0, y + 125.0), 30.0)][number]
}

/// Returns the push of all walls: vertical lines with two sides.
fn walls(p: DVec2) -> DVec2 {
    let mut push = DVec2::ZERO;
    for (x, y, ..) in ROOMS {
        for (low, high) in [(10.0, 100.0), (150.0, 240.0)] {
            let nearest = at(x + 300.0, p.y.clamp(y + low, y + high));
            let distance = p.distance(nearest);
            if distance < 20.0 {
                push += n(p - nearest) * 6.0 * (1.0 - distance / 20.0);
            }
        }
    }
    push
}

fn frame(all: &mut Vec<Mover>, reached: &mut BTreeMap<u32, usize>) {
    all.retain(|me| {
        let done = reached.entry(me.id).or_default();
        let (target, radius) = goal(room_of(me.id), *done);
        *done += usize::from(target.distance(me.p) < radius);
        *done < 2
    });
    let (max_speed, max_force, ahead, queue_radius) = (2.0, 0.4, 30.0, 30.0);
    for i in 0..all.len() {
        let mut me = all[i];
        let (_, _, has_brake, has_cut, has_separation) = ROOMS[room_of(me.id)];
        let of_the_room = |other: &&Mover| other.id != me.id && room_of(other.id) == room_of(me.id);
        let others: Vec<&Mover> = all.iter().filter(of_the_room).collect();
        let (target, _) = goal(room_of(me.id), reached[&me.id]);
        let mut force = n(target - me.p) * max_speed - me.v + walls(me.p);
        let q = me.p + n(me.v) * ahead;
        if let Some(first) = others.iter().find(|other| other.p.distance(q) <= queue_radius) {
            let mut brake = DVec2::ZERO;
            if has_brake {
                brake = -0.8 * force - me.v;
            }
            if has_separation {
                let ways = others.iter().map(|other| other.p - me.p);
                brake += n(-ways.filter(|way| way.length() <= 24.0).sum::<DVec2>()) * 2.0;
            }
            if has_cut && first.p.distance(me.p) <= queue_radius {
                me.v *= 0.3;
            }
            force += brake;
        }
        me.v = trunc(me.v + trunc(force, max_force), max_speed);
        me.p += me.v;
        all[i] = me;
    }
}

#[test]
fn follows_its_rules() {
    let mut reached = BTreeMap::new();
    follows("queue_doorway", FRAMES, |_, all| frame(all, &mut reached));
}

const FRAMES: u64 = 200;

/// In the scrum, agents overlap; the real queue keeps them apart, and all of them still get through.
#[test]
fn a_queue_has_less_overlap_than_a_scrum() {
    let mut simulation = open("queue_doorway");
    // The number of overlapping pairs in all frames, and the first frame in which a room is empty.
    let (mut overlaps, mut empty) = ([0; 4], [0; 4]);
    for number in 0..1500 {
        step(&mut simulation);
        let all = movers(&simulation);
        for (i, one) in all.iter().enumerate() {
            empty[room_of(one.id)] = number + 1;
            let others = all[..i].iter().filter(|other| room_of(other.id) == room_of(one.id));
            overlaps[room_of(one.id)] +=
                others.filter(|other| other.p.distance(one.p) < 16.0).count();
        }
    }
    report(&format!("overlaps {overlaps:?}, empty at frame {empty:?}"));
    let [_, brake_only, real, scrum] = overlaps;
    assert!(real * 20 < scrum && brake_only * 20 < scrum, "{overlaps:?}");
    assert!(empty.iter().all(|&frame| frame < 1500), "all get through: {empty:?}");
    assert!(empty[3] < empty[2], "a scrum is fast: {empty:?}");
}
