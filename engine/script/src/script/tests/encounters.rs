//! Tests of encounters with agents and obstacles, of neighborhoods around points and as lists, and of missing forces.

use super::*;

#[test]
fn encounters_are_predicted_with_constant_velocities() {
    // Agent 1 is 10 ahead with speed 1. With speed 3, the hero approaches by 2 per second.
    let catching_up = |what: &str| {
        value(&format!(
            "{{ me.vel = vec(3, 0); let other = world.agent(\"hero\"); for one in me.neighbors(20) {{ if one.id == 1 {{ other = one; }} }} {what} }}"
        ))
    };
    for (expression, expected) in [
        ("me.time_to_collision(other)", 4.0),
        ("me.time_to_nearest_approach(other)", 5.0),
        ("me.distance_at_nearest_approach(other)", 0.0),
        ("me.distance_at_nearest_approach(me.nearest(\"others\", 6))", 5.0),
        ("if me.time_to_collision(me.nearest(\"others\", 6)) == () { 1 } else { 2 }", 1.0),
    ] {
        assert_eq!(catching_up(expression).x, expected, "{expression}");
    }
    let as_fast = "me.time_to_collision(me.nearest(\"others\")) == ()";
    assert_eq!(value(as_fast).x, 1.0);
    assert_eq!(value("me.time_to_nearest_approach(me.nearest())").x, 0.0);
    assert_eq!(value("me.distance_at_nearest_approach(me.nearest())").x, 5.0);
}

#[test]
fn free_distance_and_ray_find_obstacles() {
    for (expression, x, y) in [
        ("me.free_distance(vec(2, 0), 100)", 24.0, 0.0),
        ("me.free_distance(vec(2, 0), 3)", 6.0, 0.0),
        ("me.free_distance(vec(-2, 0), 3.5)", 7.0, 0.0),
        ("me.free_distance(vec(0, 0), 3)", 0.0, 0.0),
        ("world.ray(me, vec(50, 0))", 35.0, 0.0),
        ("world.ray(vec(50, 0), me.pos)", 45.0, 0.0),
        ("world.ray(vec(40, 1), me)", 40.0, 1.0),
        ("world.ray(me, me.nearest()) == ()", 1.0, 0.0),
    ] {
        assert_eq!(value(expression), Vec2::new(x, y), "{expression}");
    }
}

#[test]
fn world_agent_returns_the_only_agent_of_a_group() {
    assert_eq!(value("world.agent(\"hero\").pos"), Vec2::new(10.0, 0.0));
    assert_eq!(value("world.agent(\"hero\") == me").x, 1.0);
}

#[test]
fn a_neighborhood_around_a_point_is_that_of_an_agent_there() {
    for (expression, x, y) in [
        // The hero itself is 2 away and does not count.
        ("me.neighbors(6).around(vec(10, 2)).count", 1.0, 0.0),
        ("me.neighbors(6).around(vec(10, 8)).center", 10.0, 5.0),
        ("me.neighbors(6).around(vec(10, 8)).mean_offset", 0.0, -3.0),
        ("me.neighbors(100).around(vec(19, 1)).nearest.id", 1.0, 0.0),
        ("me.neighbors().of(\"others\").around(vec(80, 90)).nearest.id", 3.0, 0.0),
        ("me.neighbors(6).around(vec(10, 8)).mean_velocity", 1.0, 0.0),
        ("me.neighbors(6).around(vec(0, 5)).count", 0.0, 0.0),
        ("me.neighbors(6).around(vec(0, 5)).center", 0.0, 5.0),
        ("if me.neighbors(6).around(vec(0, 5)).nearest == () { 7 } else { 8 }", 7.0, 0.0),
        // The agent at the point is itself a neighbor.
        ("me.neighbors(12).around(me.nearest()).count", 2.0, 0.0),
        ("me.neighbors(12).around(me.nearest()).nearest.id", 2.0, 0.0),
        // Ahead is along the heading, as seen from there.
        ("me.neighbors(30).around(vec(15, 5)).ahead().count", 1.0, 0.0),
        ("me.neighbors(30).ahead().around(vec(25, 5)).count", 0.0, 0.0),
        ("me.separation(me.neighbors(6).around(vec(10, 8)))", -1.0, 10.0),
    ] {
        assert_eq!(value(expression), Vec2::new(x, y), "{expression}");
    }
}

#[test]
fn a_neighborhood_may_have_the_nearest_agents_only() {
    for (expression, number) in [
        ("me.neighbors().nearest(2).count", 2.0),
        ("me.neighbors().nearest(2.9).count", 2.0),
        ("me.neighbors().nearest(0).count", 0.0),
        ("if me.neighbors().nearest(0).nearest == () { 7 } else { 8 }", 7.0),
        ("me.neighbors().nearest(1).first.id - me.nearest().id", 0.0),
        ("me.neighbors().nearest(1).nearest.id - me.nearest().id", 0.0),
        ("me.neighbors().nearest(1000).count - me.neighbors().count", 0.0),
        ("me.neighbors().nearest(1).nearest(2).count", 2.0),
        // The order of the calls does not matter.
        ("me.neighbors(6).nearest(9).around(vec(10, 2)).count", 1.0),
        ("me.neighbors().nearest(1).around(vec(19, 1)).nearest.id", 1.0),
        ("{ let n = 0; for other in me.neighbors().nearest(2) { n += 1; } n }", 2.0),
    ] {
        assert_eq!(value(expression), Vec2::new(number, 0.0), "{expression}");
    }
}

#[test]
fn neighborhoods_read_like_arrays() {
    for (expression, expected) in [
        ("me.neighbors(20).len()", 2.0),
        ("me.neighbors(1).len()", 0.0),
        ("me.neighbors(1).is_empty()", 1.0),
        ("me.neighbors(20).is_empty()", 0.0),
        ("me.neighbors(20)[0].id", 1.0),
        ("me.neighbors(20)[1].id", 2.0),
        ("me.neighbors(20)[-1].id", 2.0),
        ("me.neighbors(20).contains(me.nearest())", 1.0),
        ("me.neighbors(1).contains(me.nearest())", 0.0),
        ("me.neighbors(20).filter(|n| n.pos.y > 1).len()", 1.0),
        ("me.neighbors(20).filter(|n| n.pos.y > 1)[0].id", 2.0),
        ("me.neighbors(20).map(|n| n.id * 10)[1]", 20.0),
        ("me.neighbors().map(|n| n.pos.x).reduce(|sum, x| sum + x, 0.0)", 120.0),
    ] {
        assert_eq!(value(expression).x, expected, "{expression}");
    }
}

#[test]
fn returning_nothing_means_no_force() {
    let still = Vec2::X;
    for (script, expected) in [
        ("fn steer(me) { }", still),
        ("fn steer(me) { () }", still),
        ("fn steer(me) { return; }", still),
        ("fn steer(me) { if me.id > 0 { vec(0, 0) } }", still),
        ("fn steer(me) { if me.id == 0 { vec(2, 4) } }", Vec2::new(2.0, 2.0)),
        ("fn steer(me) { if me.id > 0 { return; } vec(2, 4) }", Vec2::new(2.0, 2.0)),
        ("fn steer(me) { me.vel = vec(0, 3); }", Vec2::new(0.0, 3.0)),
        ("fn steer(me) { debug(me.params); if me.id > 0 { vec(0, 0) } }", still),
    ] {
        assert_eq!(one_tick(script), Ok(expected), "{script}");
    }
}

#[test]
fn unused_forces_give_a_warning() {
    let found = |script: &str| {
        let library = scripts(&[("main", script)]);
        let simulation = start(&library).unwrap();
        let behavior = Behavior::compile("main", &library).unwrap();
        let all = behavior.findings(simulation.world(), crate::world::GroupId(0), Vec::new(), &[]);
        all.iter().map(|one| (one.code, one.message.clone())).collect::<Vec<_>>()
    };
    use crate::diag::Code;
    let flee = || (Code::UnusedForce, "the force of `flee` is not used".to_owned());
    let p = "vec(1, 1)";
    assert_eq!(
        found(&format!("fn steer(me) {{ if me.speed > 1 {{ me.flee({p}) }} me.seek({p}) }}")),
        [flee()]
    );
    assert_eq!(found(&format!("fn steer(me) {{ me.flee({p}); me.seek({p}) }}")), [flee()]);
    assert_eq!(
        found(&format!("fn steer(me) {{ me.follow_path(); me.seek({p}); }}")),
        [],
        "the last line counts, with a semicolon too"
    );
    assert_eq!(
        found("fn steer(me) { me.state.n = 1; }"),
        [(Code::NeverForce, "`steer` never returns a force and never sets `me.vel`".to_owned())]
    );
    assert_eq!(found("fn steer(me) { me.vel = vec(0, 0); }"), []);
    assert_eq!(found("fn steer(me) { if me.speed > 1 { me.leave(); } }"), []);
    assert_eq!(found("fn steer(me) { if me.id == 0 { me.wander() } }"), []);
}
