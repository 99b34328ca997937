//! Which params are weights of forces.

use super::scripts;
use crate::script::Behavior;

/// Returns which of the params from `a` to `d` are weights.
fn weights(script: &str) -> String {
    let behavior = Behavior::compile("main", &scripts(&[("main", script)]));
    let behavior = behavior.unwrap_or_else(|all| panic!("{script}\n{}", all[0].render(false)));
    let mentions = behavior.mentions();
    ["a", "b", "c", "d"].into_iter().filter(|param| mentions.is_weight(param)).collect()
}

/// Returns which params are weights in the body of `steer`.
fn in_steer(body: &str) -> String {
    weights(&format!("fn steer(me) {{ let p = me.params; {body} }}"))
}

#[test]
fn a_weight_multiplies_what_is_added_to_the_result() {
    let cases = [
        ("p.a * me.wander() + me.seek(vec(1, 2)) * me.params.b", "ab"),
        ("(p.a * me.wander()).limit(3) - 2 * (me.vel * p.b / 3)", "ab"),
        ("let force = vec(0, 0); force += p.a * me.wander(); force", "a"),
        ("let force = me.wander(); force *= p.a; return force;", "a"),
        ("if me.speed > 1 { p.a * me.wander() } else { -(p.b * me.vel) }", "ab"),
        ("switch me.index { 1 => p.a * me.wander(), _ => p.b * me.vel }", "ab"),
        ("prioritize([p.a * me.wander(), me.contain(3) * p.b])", "ab"),
        ("weighted_sum([me.wander(), me.contain(3)], [p.a, 2 * p.b])", "ab"),
        // The velocity can be set, too.
        ("me.vel += p.a * me.wander(); vec(0, 0)", "a"),
        // A variable that does nothing else.
        ("let w = p.a; w * me.wander() + w * me.vel", "a"),
        ("let w = p.a; w * me.separation(w)", ""),
        // It is also something else.
        ("p.a * me.separation(p.a)", ""),
        ("p.a * me.wander() + p.b * me.vel / p.b", "a"),
    ];
    for (body, expected) in cases {
        assert_eq!(in_steer(body), expected, "{body}");
    }
}

/// A chance to have children had the switch of a weight.
#[test]
fn a_factor_of_something_else_is_no_weight() {
    let cases = [
        "if me.random() < p.a * world.dt { me.leave(); } me.wander()",
        "if p.a * me.speed > 1 && 2 * p.b == 1 { me.wander() } else { me.vel }",
        "me.separation(p.a * me.radius)",
        "me.state.energy = p.a * world.dt; me.wander()",
        "me.vel.with_length(p.a * me.max_speed)",
        "let way = p.a * me.vel; me.wander()",
        "let far = me.pos + p.a * me.vel; (far - vec(1, 2)).normalized()",
        "let look = p.a * me.speed; let far = me.pos + look * me.heading; me.seek(far)",
        "vec(max(p.a * me.speed, 0), 0)",
    ];
    for body in cases {
        assert_eq!(in_steer(body), "", "{body}");
    }
    assert_eq!(
        weights("fn init(me) { me.vel = me.params.a * me.heading; } fn steer(me) { me.wander() }"),
        ""
    );
}

#[test]
fn weights_in_other_functions_count_if_their_results_are_used() {
    let functions = "fn push(me, force) { me.params.a * force + apart(me) }
        fn apart(me) { me.params.b * me.separation(8) }
        fn chance(me) { me.params.c * world.dt }";
    let of = |steer: &str| weights(&format!("{functions} fn steer(me) {{ {steer} }}"));
    assert_eq!(of("push(me, me.params.d * me.wander())"), "abd");
    assert_eq!(of("apart(me)"), "b");
    assert_eq!(of("if chance(me) > me.random() { me.vel } else { me.wander() }"), "");
    let machine = "fn steer(me) { me.machine(\"mode\", [\"one\", \"two\"]) }
        fn one(me) { me.params.a * me.wander() }
        fn two(me) { me.params.b * me.vel }
        fn next_one(me) { if me.params.c * world.dt > 1 { return \"two\"; } }";
    assert_eq!(weights(machine), "ab");
}
