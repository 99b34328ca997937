//! Follow the leader: arrive behind it, keep apart, make room for it.

use super::*;
use crate::support::{ShippedScripts, parse, start, text};

/// The targets of the leader, each with the first frame, as in the scenario.
const SCHEDULE: [(u64, f64, f64); 5] = [
    (0, 600.0, 150.0),
    (180, 620.0, 480.0),
    (340, 150.0, 450.0),
    (540, 680.0, 450.0),
    (760, 400.0, 100.0),
];

fn arrive(me: &Mover, target: DVec2, max_speed: f64) -> DVec2 {
    let distance = target.distance(me.p);
    n(target - me.p) * max_speed * (distance / 50.0).min(1.0) - me.v
}

fn separation(me: &Mover, followers: &[Mover]) -> DVec2 {
    let others = followers.iter().filter(|other| other.id != me.id);
    let ways: Vec<DVec2> =
        others.map(|other| other.p - me.p).filter(|way| way.length() <= 30.0).collect();
    n(-ways.iter().sum::<DVec2>() / (ways.len().max(1) as f64))
}

fn frame(number: u64, all: &mut [Mover]) {
    let (_, x, y) = SCHEDULE[SCHEDULE.iter().rposition(|leg| leg.0 <= number).unwrap()];
    let leader = &mut all[0];
    leader.v = trunc(leader.v + trunc(arrive(leader, at(x, y), 3.0), 0.3), 3.0);
    leader.p += leader.v;
    let leader = *leader;
    let (ahead, behind) = (leader.p + n(leader.v) * 40.0, leader.p - n(leader.v) * 40.0);
    let (max_speed, max_force, sight) = (3.5, 0.5, 30.0);
    for i in 1..all.len() {
        let me = all[i];
        let mut force = arrive(&me, behind, max_speed) + separation(&me, &all[1..]);
        if ahead.distance(me.p) <= sight || leader.p.distance(me.p) <= sight {
            let future = leader.p + leader.v * (leader.p.distance(me.p) / max_speed);
            force += n(me.p - future) * max_speed - me.v;
        }
        all[i].v = trunc(me.v + trunc(force, max_force), max_speed);
        all[i].p += all[i].v;
    }
}

/// Sight and separation begin abruptly, so some starts diverge within 200 frames because of rounding alone. The start of the
/// scenario does not, and has followers in front of the leader from the first frame on.
#[test]
fn follows_its_rules() {
    follows("follow_leader", 200, |number, all| frame(number, all));
}

/// Returns how near any follower is to the leader while it moves back through them.
fn nearest(text: &str) -> f64 {
    let mut simulation = start(parse("follow_leader", text), &ShippedScripts::default());
    let mut nearest = f64::INFINITY;
    for number in 0..700 {
        step(&mut simulation);
        let all = movers(&simulation);
        assert!(all.iter().all(|one| one.p.is_finite()));
        if number >= 540 {
            let followers = all[1..].iter().map(|one| one.p.distance(all[0].p));
            nearest = followers.fold(nearest, f64::min);
        }
    }
    nearest
}

#[test]
fn followers_make_room_for_a_leader_that_turns_around() {
    let text = text("follow_leader");
    let (with, without) = (nearest(&text), nearest(&text.replace("\"sight\": 30", "\"sight\": 0")));
    report(&format!("nearest to the leader: {with} with sight, {without} without"));
    assert!(with > 2.0 * without, "{with} with sight, {without} without");
}

#[test]
fn followers_end_up_behind_the_leader() {
    let mut simulation = open("follow_leader");
    for _ in 0..130 {
        step(&mut simulation);
    }
    let all = movers(&simulation);
    let (leader, followers) = all.split_first().unwrap();
    for one in followers {
        assert!(n(leader.v).dot(one.p - leader.p) < 0.0, "{one:?} before {leader:?}");
    }
}
