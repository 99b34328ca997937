//! Tests of causes: what a primitive reacted to.

use super::*;
use crate::steer::Cause;
use crate::world::AgentId;

/// Returns the cause of each call of a primitive by the hero in its first turn, in words.
fn causes(body: &str) -> Vec<Option<String>> {
    let script = format!("fn steer(me) {{ {body} }}");
    let simulation =
        start(&scripts(&[("main", &script)])).unwrap_or_else(|error| panic!("{error}"));
    let explanation = simulation.explain(AgentId(0)).unwrap();
    let explanation = explanation.unwrap_or_else(|| panic!("there is no explanation of {body}"));
    explanation.calls.iter().map(|call| call.cause.as_ref().map(Cause::to_string)).collect()
}

fn cause(body: &str) -> String {
    match &causes(body)[..] {
        [Some(one)] => one.clone(),
        others => panic!("{body}: {others:?}"),
    }
}

#[test]
fn an_agent_is_named_with_its_group_and_distance() {
    for call in [
        "pursue(it)",
        "evade(it)",
        "follow_leader(it, 2, 3)",
        // For these, an agent stands for its position or its velocity.
        "seek(it)",
        "arrive(it, 3)",
        "flee(it)",
        "match_velocity(it)",
    ] {
        let body = format!(
            "let it = me.nearest(\"others\"); if it == () {{ return vec(0, 0); }} me.{call}"
        );
        assert_eq!(cause(&body), "agent 2 (others), 5 away", "{call}");
    }
}

#[test]
fn each_round_of_a_loop_has_its_own_cause() {
    let body = "let sum = vec(0, 0); for it in me.neighbors(12) { sum += me.flee(it); } sum";
    let of = |id, far| Some(format!("agent {id} (others), {far} away"));
    assert_eq!(causes(body), [of(1, 10), of(2, 5)]);
}

#[test]
fn a_point_is_named_with_its_distance() {
    for call in ["seek(vec(10, 30))", "arrive(vec(10, 30), 4)", "flee(vec(10, 30))"] {
        assert_eq!(cause(&format!("me.{call}")), "the point (10, 30), 30 away");
    }
    let goal = "if me.goal == () { return vec(0, 0); } me.arrive(me.goal, 4)";
    assert_eq!(cause(goal), "the point (10, 50), 50 away");
}

#[test]
fn a_neighborhood_is_named_by_its_count_and_nearest_agent() {
    for name in ["separation", "alignment", "cohesion"] {
        let of = |near: &str| cause(&format!("me.{name}({near})"));
        assert_eq!(of("12"), "2 neighbors, nearest agent 2, 5 away");
        assert_eq!(of("5.5"), "1 neighbor, agent 2, 5 away");
        assert_eq!(of("me.neighbors(12).ahead()"), "1 neighbor, agent 1, 10 away");
        assert_eq!(of("2"), "no neighbors");
    }
}

#[test]
fn the_cause_of_queue_is_the_agent_in_front() {
    let waits = "me.queue(vec(5, 0), 8, 4)";
    assert_eq!(cause(waits), "1 neighbor, agent 1, 10 away");
    assert_eq!(cause("me.queue(vec(5, 0), 3, 1)"), "no neighbors");
    // Here the given agent stands for a force, so it is not a cause.
    let given = "let it = me.nearest(\"others\"); if it == () { return vec(0, 0); } ";
    assert_eq!(cause(&format!("{given} me.queue(it, 8, 4)")), "1 neighbor, agent 1, 10 away");
}

#[test]
fn the_cause_of_avoid_obstacles_is_the_obstacle_ahead() {
    assert_eq!(cause("me.avoid_obstacles(30)"), "obstacle `pillar`, 24 ahead");
    assert_eq!(cause("me.avoid_obstacles(30, 4)"), "obstacle `pillar`, 20 ahead");
    assert_eq!(cause("me.avoid_obstacles(2, 25)"), "obstacle `pillar`, which it touches");
    assert_eq!(cause("me.avoid_obstacles()"), "nothing ahead");
}

#[test]
fn the_edge_of_the_world_is_named_by_its_coordinates() {
    assert_eq!(cause("me.contain(15)"), "the edge of the world at x = 0 and y = 0");
    assert_eq!(cause("me.contain(2)"), "the edge of the world at y = 0");
    assert_eq!(cause("me.contain()"), "nothing ahead");
}

#[test]
fn a_path_is_named_by_its_waypoint_or_its_nearest_point() {
    assert_eq!(cause("me.follow_path()"), "waypoint 0 of path `round`, 10 away");
    assert_eq!(cause("me.stay_on_path(\"round\", 0)"), "path `round` at (10, 0), 0 away");
}

#[test]
fn the_waypoint_named_is_the_one_before_the_turn() {
    let script = scripts(&[("main", "fn steer(me) { me.follow_path() }")]);
    let mut simulation = start(&script).unwrap();
    let mut numbers = Vec::new();
    for _ in 0..10 {
        let all = simulation.explain(AgentId(0)).unwrap().unwrap();
        let Some(Cause::Waypoint { number, at, .. }) = all.calls[0].cause else {
            panic!("{all:?}");
        };
        assert_eq!(number, simulation.minds().progress(0)[0].waypoint);
        assert_eq!(at, simulation.world().paths[0].points[number as usize]);
        simulation.step().unwrap();
        numbers.push(number);
    }
    numbers.dedup();
    assert_eq!(numbers, [0, 1]);
}

#[test]
fn primitives_that_depend_on_the_agent_alone_have_no_cause() {
    assert_eq!(causes("me.wander()"), [None]);
    assert_eq!(causes("me.match_velocity(vec(1, 2))"), [None]);
    let all = "prioritize([me.contain(), me.wander(), me.seek(vec(1, 0))])";
    assert_eq!(
        causes(all),
        [Some("nothing ahead".into()), None, Some("the point (1, 0), 9 away".into())]
    );
}
