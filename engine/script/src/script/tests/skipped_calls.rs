//! Tests of the calls that a turn leaves out because of a condition.

use super::*;
use crate::world::AgentId;

/// Returns the calls that the first turn of the hero leaves out: the line of the condition from 1, the names, and why.
fn skipped_in(script: &str) -> Vec<String> {
    let simulation = start(&scripts(&[("main", script)])).unwrap_or_else(|error| panic!("{error}"));
    let turn = simulation.next_turn(AgentId(0)).unwrap().unwrap();
    let words = turn.skipped.iter().map(|calls| {
        let (line, _) = calls.condition.source.line_column(calls.condition.span.start);
        format!("{line} {}: {calls}", calls.names_in_words())
    });
    words.collect()
}

#[test]
fn a_call_behind_a_false_condition_is_told_with_its_values() {
    let script = "\
fn steer(me) {
    let near = me.neighbors(15);
    let force = me.wander();
    if near.count > 2 && me.speed < 9.0 { // me.flee(vec(0, 0))
        force += me.separation(near);
    }
    force
}";
    assert_eq!(
        skipped_in(script),
        ["4 `separation`: `near.count > 2 && me.speed < 9.0` is false, since `near.count` is 2"]
    );
    // Nothing is told of calls that are made.
    assert_eq!(skipped_in(&script.replace("> 2", "> 1")), [] as [String; 0]);
}

#[test]
fn the_branch_that_is_taken_leaves_out_the_others() {
    let script = "\
fn steer(me) {
    let near = me.neighbors(15);
    if near.count > 5 {
        me.separation(near)
    } else if near.count > 1 {
        if me.pos.x > 50 { me.cohesion(near) } else { me.wander() }
    } else if near.count == 1 {
        me.seek(vec(1, 1))
    } else {
        me.flee(vec(2, 2))
    }
}";
    assert_eq!(
        skipped_in(script),
        [
            "3 `separation`: `near.count > 5` is false, since `near.count` is 2",
            "6 `cohesion`: `me.pos.x > 50` is false, since `me.pos.x` is 10",
            "5 `seek` and `flee`: `near.count > 1` is true, since `near.count` is 2",
        ]
    );
}

#[test]
fn an_early_return_leaves_out_what_follows() {
    let script = "\
fn steer(me) {
    let near = me.neighbors(15);
    if near.count == 2 {
        let calm = me.wander();
        return calm;
    }
    if me.pos.x > 50 { return me.seek(vec(1, 1)); }
    keep_apart(me, near)
}
fn keep_apart(me, near) { me.separation(near) }
fn unused(me) { me.flee(vec(1, 1)) }
fn number(x) { x + 1 }";
    assert_eq!(
        skipped_in(script),
        [
            "3 `seek` and `keep_apart`: `near.count == 2` is true, since `near.count` is 2; the function returns there",
        ]
    );
}

#[test]
fn a_call_in_a_function_that_is_made_has_its_own_condition() {
    let script = "\
fn steer(me) {
    keep_apart(me, me.neighbors(15)) + keep_apart(me, me.neighbors(1))
}
fn keep_apart(me, near) {
    if near.count < 1 || is_calm(me) { me.separation(near) } else { me.cohesion(near) }
}
fn is_calm(me) { me.speed > 5 }";
    // The first of the two calls takes one branch, and the second one the other.
    assert_eq!(skipped_in(script), [] as [String; 0]);
    let one = script.replace(" + keep_apart(me, me.neighbors(1))", "");
    assert_eq!(
        skipped_in(&one),
        [
            "5 `separation`: `near.count < 1 || is_calm(me)` is false, since `near.count` is 2 and `is_calm(..)` is false"
        ]
    );
}
