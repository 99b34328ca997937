//! Tests of explanations: shares of primitives, and the causes of what a script computes itself.

use super::*;
use crate::math::{self, Vec2};
use crate::sim::{ExplainedCall, ExplainedVariable, Explanation};
use crate::steer::Cause;
use crate::world::{AgentId, GroupId, Layer};

/// Returns the explanation of the first turn of the hero; `None` if the turn fails.
fn explanation(body: &str) -> Option<Explanation> {
    let script = format!("fn steer(me) {{ {body} }}");
    let simulation =
        start(&scripts(&[("main", &script)])).unwrap_or_else(|error| panic!("{error}"));
    simulation.explain(AgentId(0)).unwrap()
}

fn explained(body: &str) -> Explanation {
    explanation(body).unwrap_or_else(|| panic!("there is no explanation of {body}"))
}

fn words(causes: &[Cause]) -> Vec<String> {
    causes.iter().map(Cause::to_string).collect()
}

fn rest(body: &str) -> Vec<String> {
    words(&explained(body).rest_causes)
}

#[test]
fn agents_that_a_force_is_computed_from_are_causes() {
    let near = "let it = me.nearest(\"others\"); if it == () { return vec(0, 0); }";
    let cause = ["agent 2 (others), 5 away"];
    for force in ["2 * me.to(it)", "it.vel - me.pos + it.pos", "vec(me.distance(it), 1)"] {
        assert_eq!(rest(&format!("{near} {force}")), cause, "{force}");
    }
    assert_eq!(
        rest("-me.neighbors(12).mean_offset.normalized() * 3"),
        ["2 neighbors, nearest agent 2, 5 away"]
    );
    let wall = "world.obstacle(\"pillar\").normal(me.pos) * 4";
    assert_eq!(rest(wall), ["obstacle `pillar`, 25 away"]);
    assert_eq!(rest("vec(1, 2)"), [""; 0]);
}

#[test]
fn agents_that_a_condition_depends_on_are_causes() {
    let near = "let it = me.nearest(\"others\");";
    let cause = ["agent 2 (others), 5 away"];
    let turn = "let x = if me.to(it).y > 0 { 3 } else { 4 }; vec(x, x)";
    assert_eq!(rest(&format!("{near} if it == () {{ return vec(0, 0); }} {turn}")), cause);
    // An agent that a loop skips is not a cause.
    let first = "for it in me.neighbors(12) { if it.id == 2 { return vec(1, 1); } } vec(0, 0)";
    assert_eq!(rest(first), cause);
    let absent = "if me.nearest(\"others\", 1) != () { return vec(5, 5); } vec(1, 1)";
    assert_eq!(rest(absent), [""; 0]);
}

#[test]
fn closures_keep_shares_and_causes() {
    let near = "let near = me.neighbors(12);";
    let flee = "near.map(|it| 0.5 * me.flee(it.pos)).reduce(|sum, force| sum + force, vec(0, 0))";
    let all = explained(&format!("{near} {flee}"));
    assert!(all.has_shares() && !all.has_rest(), "{all:?}");
    let shares: Vec<_> = all.calls.iter().map(|call| (call.share, 0.5 * call.raw)).collect();
    assert_eq!(shares.len(), 2);
    assert!(shares.iter().all(|(share, half)| (*share - *half).length() < 1e-4), "{shares:?}");
    let away =
        "near.filter(|it| it.id == 2).map(|it| me.to(it)).reduce(|sum, to| sum - to, vec(0, 0))";
    assert_eq!(rest(&format!("{near} {away}")), ["agent 2 (others), 5 away"]);
}

#[test]
fn a_velocity_that_is_set_has_its_own_causes() {
    let all = explained("me.vel = 0.1 * me.to(me.neighbors(12).nearest); me.seek(vec(10, 30))");
    assert_eq!(words(&all.vel_causes), ["agent 2 (others), 5 away"]);
    assert!(all.vel_change != Vec2::ZERO);
    assert_eq!(words(&all.rest_causes), [""; 0], "the force is that of `seek`");
    let none = explained("me.vel = me.vel; vec(1, 0)");
    assert_eq!((none.vel_change, words(&none.vel_causes)), (Vec2::ZERO, vec![]));
}

#[test]
fn a_change_of_velocity_is_split_into_shares_of_primitives() {
    let body = "let seek = me.seek(vec(10, 30)); me.vel += 0.5 * seek; me.vel += me.flee(vec(0, 9)).limit(2); vec(0, 0)";
    let all = explained(body);
    let [seek, flee] = &all.calls[..] else { panic!("{all:?}") };
    let near = |a: Vec2, b: Vec2| (a - b).length() < 1e-4;
    assert!(near(seek.vel_share, 0.5 * seek.raw), "{all:?}");
    assert!(near(flee.vel_share, math::limit(flee.raw, 2.0)), "{all:?}");
    assert!(near(all.vel_change, seek.vel_share + flee.vel_share), "{all:?}");
    assert!(!all.has_vel_rest() && all.vel_causes.is_empty(), "{all:?}");
    assert_eq!((seek.share, flee.share, all.force), (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO));
    assert_eq!(all.dominant().map(|call| call.primitive.name), Some("seek"));
    let shares = all.shares();
    let parts: Vec<_> = shares.iter().filter_map(|share| share.fraction).collect();
    assert!((parts.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{parts:?}");
    assert!(shares.iter().all(|share| share.is_of_velocity), "{shares:?}");
    let both = explained("me.vel += me.seek(vec(10, 30)); me.flee(vec(0, 9))");
    let kinds: Vec<_> =
        both.shares().iter().map(|share| (share.name(), share.is_of_velocity)).collect();
    assert_eq!(kinds, [("seek", true), ("flee", false)]);
}

/// Returns the name, the share of the force and that of the velocity of each variable.
fn variables(body: &str) -> Vec<(String, Vec2, Vec2)> {
    let all = explained(body);
    let parts = all.calls.iter().map(|call| call.share);
    let parts = parts.chain(all.variables.iter().map(|one| one.share)).chain(all.unnamed_rest());
    let sum: Vec2 = parts.sum();
    assert!((sum - all.force).length() <= 1e-4 * (1.0 + all.force.length()), "{body}: {all:?}");
    let variable = |one: &ExplainedVariable| (one.name.clone(), one.share, one.vel_share);
    all.variables.iter().map(variable).collect()
}

/// Returns the same without the velocity.
fn named(body: &str) -> Vec<(String, Vec2)> {
    let all = variables(body).into_iter();
    all.map(|(name, share, vel)| (name, share + vel)).collect()
}

/// Asserts the variables of a body, with the shares that other bodies compute.
fn assert_named<const N: usize>(body: &str, expected: [(&str, &str); N]) {
    let all = named(body);
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, expected.map(|(name, _)| name), "{body}");
    for ((_, share), (name, value)) in all.iter().zip(expected) {
        let expected = explained(value).force;
        assert!((*share - expected).length() < 1e-4, "{body}: {name} is {share}, not {expected}");
    }
}

/// `boids_three_rules` computes its rules itself: the whole force was one `rest`.
#[test]
fn what_a_script_computes_has_the_names_of_its_variables() {
    let both = "let a = 0.5 * me.pos; let b = 3 * me.heading;";
    let sum = format!("{both} 2 * a - b + me.seek(vec(9, 9))");
    assert_named(&sum, [("a", "me.pos"), ("b", "-3 * me.heading")]);
    assert_eq!(explained(&sum).unnamed_rest(), None);
    assert_eq!(explained(&sum).variables[0].weight, Some(2.0));
    let more = "let a = 0.5 * me.pos; a + vec(0, 5)";
    assert_named(more, [("a", "0.5 * me.pos")]);
    assert_eq!(explained(more).unnamed_rest(), Some(Vec2::new(0.0, 5.0)));
    // A sum keeps its parts, also if it has a name, and gets its own name for what is added.
    assert_named(
        "let f = 0 * me.pos; let a = 0.5 * me.pos; f += a; f -= 2 * me.heading; f",
        [("f", "-2 * me.heading"), ("a", "0.5 * me.pos")],
    );
    let named_sum = format!("{both} let f = a + b; f * 2");
    assert_named(&named_sum, [("a", "me.pos"), ("b", "6 * me.heading")]);
    // A part that is zero now is listed, so that the list stays the same from tick to tick; calls alone are none.
    assert_named("let none = me.neighbors(0.01).mean_offset; 2 * none", [("none", "vec(0, 0)")]);
    assert_named("let f = me.seek(vec(9, 9)) + me.flee(vec(1, 1)); 2 * f", []);
    // A loop makes one part and not many.
    let all = explained("let f = vec(0, 0); for it in me.neighbors(12) { f += me.to(it); } f");
    assert_eq!((all.variables.len(), all.variables[0].share), (1, all.force));
    assert!(!all.variables[0].causes.is_empty());
}

/// Constants have one column for all who use them: a name that was given to one was seen in other vectors.
#[test]
fn constants_have_no_names() {
    assert_named("let a = vec(me.pos.x, 2); 2 * a", [("a", "vec(2 * me.pos.x, 0)")]);
    assert!(named("let a = vec(1, 2); let b = 2 * a; b + vec(0, 2)").is_empty());
}

#[test]
fn an_offset_is_not_told_as_the_difference_of_two_points() {
    let offset = "let to = me.pos + vec(5, 6); let here = me.pos; let gap = to - here; 0.5 * gap";
    assert_named(offset, [("gap", "vec(2.5, 3)")]);
    assert_eq!(explained(offset).unnamed_rest(), None);
    // Points that primitives get have no share.
    assert_named("let to = me.pos + vec(5, 6); let f = me.seek(to); f", []);
}

#[test]
fn functions_of_the_script_name_what_they_return() {
    let body = "let f = me.seek(vec(9, 9)) + push(me); f } fn push(me) { 2 * me.heading";
    assert_named(body, [("push", "2 * me.heading")]);
    assert_named("let f = push(me); f } fn push(me) { 2 * me.pos", [("push", "2 * me.pos")]);
    // It keeps the names that its parts have.
    let body = "pull(me, 2.0) } fn pull(me, by) { let ahead = 1.5 * me.heading; by * ahead";
    assert_named(body, [("ahead", "3 * me.heading")]);
}

#[test]
fn variables_that_change_the_velocity_have_shares_of_the_change() {
    let push = "let push = 3 * me.heading; me.vel += push; vec(0, 0)";
    assert_named(push, [("push", "3 * me.heading")]);
    let copied = "let v = me.vel; v += 3 * me.heading; me.vel = v; vec(0, 0)";
    assert_named(copied, [("v", "3 * me.heading")]);
    // What of a new velocity is the change that one part of it makes cannot be told.
    let both = "let a = 3 * me.heading; let b = 0.1 * me.pos; me.vel = a + b; vec(0, 0)";
    assert_named(both, []);
    let one = "let way = 3 * me.heading; me.vel = 2 * way; vec(0, 0)";
    assert_eq!(variables(one)[0].2, explained(one).vel_change);
    assert_eq!(explained(one).dominant_variable().map(|one| &*one.name), Some("way"));
    assert_named("me.vel = me.pos; let drag = -0.5 * me.vel; drag", [("drag", "-0.5 * me.pos")]);
}

#[test]
fn a_computed_target_names_the_agents_it_depends_on() {
    let behind = "let it = me.nearest(\"others\"); if it == () { return vec(0, 0); } \
                  me.arrive(it.pos - vec(3, 0), 4)";
    let all = explained(behind);
    assert_eq!(words(&all.calls[0].depends_on), ["agent 2 (others), 5 away"]);
    assert!(explained("me.seek(me.goal)").calls[0].depends_on.is_empty());
}

#[test]
fn seen_neighbors_are_listed_from_near_to_far() {
    let all = explained("me.separation(12)");
    let seen = all.calls[0].seen.as_ref().unwrap();
    assert_eq!((seen.count, &seen.nearest[..]), (2, &[AgentId(2), AgentId(1)][..]));
    assert_eq!(seen.neighborhood.radius, 12.0);
    assert!(explained("me.wander()").calls[0].seen.is_none());
}

/// Returns the share of each call of a primitive.
fn shares(body: &str) -> Option<Vec<(&'static str, Vec2)>> {
    let explanation = explanation(body)?;
    assert!(explanation.has_shares(), "{body} needs the interpreter");
    let share = |call: &ExplainedCall| (call.primitive.name, call.share);
    Some(explanation.calls.iter().map(share).collect())
}

#[test]
fn primitives_have_shares() {
    let alone = shares("me.seek(vec(90, 80))").unwrap();
    let [(_, seek)] = alone[..] else {
        panic!("{alone:?}");
    };
    let flee = shares("me.flee(vec(-30, 40))").unwrap()[0].1;
    let near = |explanation: Option<Vec<(&'static str, Vec2)>>, wanted: [Vec2; 2]| {
        let explanation = explanation.unwrap();
        assert_eq!(explanation.len(), 2, "{explanation:?}");
        for ((_, share), wanted) in explanation.iter().zip(wanted) {
            assert!(share.distance(wanted) < 1e-3, "{explanation:?}, and not {wanted:?}");
        }
    };
    let both = "let a = me.seek(vec(90, 80)); let b = me.flee(vec(-30, 40));";
    near(
        shares(&format!(
            "{both} debug(\"on \" + a.x); let all = [a, 0.5 * b]; let sum = vec(0, 0); for one in all {{ sum += one; }} sum"
        )),
        [seek, flee * 0.5],
    );
    near(shares(&format!("{both} a - 0.5 * b")), [seek, flee * -0.5]);
    near(shares(&format!("{both} -(b - a) / 2")), [seek * 0.5, flee * -0.5]);
    // Limits and unit vectors scale all forces in them.
    near(
        shares(&format!("{both} (a + b).limit(3)")),
        [seek, flee].map(|force| force * (3.0 / (seek + flee).length())),
    );
    near(
        shares(&format!("{both} a.normalized() + b.with_length(2)")),
        [seek.normalize(), flee.normalize() * 2.0],
    );
    near(
        shares(&format!("{both} a / a.length() + b * a.dot(b)")),
        [seek.normalize(), flee * seek.dot(flee)],
    );
    // A force that is not chosen has no share, even if it would be chosen without the other one.
    near(shares(&format!("{both} prioritize([a, b])")), [seek, Vec2::ZERO]);
    near(shares(&format!("{both} if a != vec(0, 0) {{ return a; }} b")), [seek, Vec2::ZERO]);
    near(
        shares(&format!("{both} weighted_sum([a, b], [2, -0.5], 1000)")),
        [seek * 2.0, flee * -0.5],
    );
    near(
        shares(&format!("{both} prioritize([a, b], {})", seek.length() + 1.0)),
        [Vec2::ZERO, flee],
    );
    near(
        shares(&format!("{both} dither([a, b], [0.5, 0.8], 0.6, 1000)")),
        [Vec2::ZERO, flee / 0.8],
    );
    // The share of the strongest interest is its part in the chosen direction.
    let world = crate::world::World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
    let way = crate::steer::context(&world.me(0), &[seek, flee * 0.1], &[seek], 0.1, 0.5, 16);
    assert!(way.length() < 0.95 * seek.length() && way.length() > 0.5 * seek.length());
    near(shares(&format!("{both} context([a, 0.1 * b], [a], 0.1, 0.5)")), [way, Vec2::ZERO]);
    let most = flee.length() + 1.0;
    near(
        shares(&format!("{both} budget([b, a], {most})")),
        [seek, flee].map(|force| {
            if force == flee { flee } else { math::limit(seek, most - flee.length()) }
        }),
    );
}

#[test]
fn the_dominant_and_the_strongest_primitive_are_named() {
    // The hero is at (10, 0) and moves to +x with speed 1, so the first primitive needs no force.
    let goes = "let way = me.seek(vec(90, 0), 1);";
    let side = "let side = me.flee(vec(10, 40));";
    for (body, goes_by, changes) in [
        (format!("{goes} way"), Some("seek"), None),
        (format!("{goes} way.limit(5)"), Some("seek"), None),
        (format!("{goes} budget([way])"), Some("seek"), None),
        (
            format!("{goes} prioritize([me.avoid_obstacles(0), way])"),
            Some("seek"),
            None,
        ),
        (
            format!("{goes} {side} way + side * 0.02"),
            Some("seek"),
            Some("flee"),
        ),
        // Two calls that almost cancel each other out: neither is on its way.
        (
            "me.seek(vec(90, 0), 2.1) + 0.4 * me.flee(vec(90, 0), 1000, 2.1)".into(),
            Some("flee"),
            Some("flee"),
        ),
        // A force that is not used is not dominant, however long it is.
        (
            format!("{goes} {side} if way.x > 0.0 {{ way + side * 0.02 }} else {{ side * 0.02 }}"),
            Some("flee"),
            Some("flee"),
        ),
        // A call without influence has no share at all, even if a limit rounds.
        (
            format!(
                "let q = me.queue(vec(3, 1), 1, 0.1); (me.seek(vec(90, 1), 1) + {side} side * 0.02).limit(0.01)"
            )
            .replace(&format!("{side} side"), "me.flee(vec(10, 40))"),
            Some("seek"),
            Some("flee"),
        ),
        // The agent steers away from what would otherwise be dominant.
        (
            "me.wander() * 0.02 - me.seek(vec(90, 0.5), 1)".into(),
            Some("wander"),
            Some("wander"),
        ),
        // `follow_path` advances the waypoint, so a later read of `me.waypoint` gives the next one.
        (
            "let f = me.follow_path(); f + (me.waypoint - me.pos) * 0.0".into(),
            Some("follow_path"),
            Some("follow_path"),
        ),
        (
            "me.vel = me.vel + me.seek(vec(10, 80)) * 0.1; let fast = me.speed; me.flee(vec(10, 40)) * fast".into(),
            Some("flee"),
            Some("flee"),
        ),
        (
            "let f = me.seek(vec(10, 80)); f * (me.distance(me.pos + f) + world.obstacle(\"pillar\").distance(me.pos + f))".into(),
            Some("seek"),
            Some("seek"),
        ),
    ] {
        let why = explained(&body);
        assert!(why.has_shares(), "{body} needs the interpreter");
        let name = |call: Option<&ExplainedCall>| call.map(|call| call.primitive.name);
        assert_eq!((name(why.dominant()), name(why.strongest())), (goes_by, changes), "{body}");
    }
}

#[test]
fn a_turn_of_the_interpreter_shows_what_its_calls_return() {
    let body = "let f = (); try { f = me.seek(()); } catch { f = me.flee(vec(10, 40)); } f - me.separation(12)";
    let why = explained(body);
    let [flee, separation] = &why.calls[..] else { panic!("{why:?}") };
    assert_eq!((flee.primitive.name, separation.primitive.name), ("flee", "separation"));
    assert_eq!(flee.raw - separation.raw, why.force);
    assert_eq!(words(flee.cause.as_slice()), ["the point (10, 40), 40 away"]);
    assert_eq!(separation.seen.as_ref().map(|seen| seen.count), Some(2));
    assert!(!why.has_shares() && !why.has_rest());
    assert!(why.dominant().is_none() && why.strongest().is_none() && why.opposing().is_none());
    let results: Vec<_> = why.shares().iter().map(|one| (one.fraction, one.force)).collect();
    assert_eq!(results, [(None, flee.raw), (None, separation.raw)]);
    // Without calls, the whole force is what the script computes.
    let none = explained("let list = []; list.push(vec(1, 2)); list[0]");
    assert!(none.has_shares() && none.has_rest());
}

#[test]
fn a_turn_with_many_calls_is_explained() {
    let body = "let f = vec(0, 0); for i in 0..400 { f += me.seek(vec(90, i)); for j in 0..20 { f += vec(0, 0); } } f";
    assert_eq!(shares(body).unwrap().len(), 400);
}

#[test]
fn values_without_a_linear_share_belong_to_the_rest() {
    let one = "let a = me.seek(vec(90, 80));";
    let a = shares(&format!("{one} a")).unwrap()[0].1;
    let share = |body: &str| {
        let explanation = shares(&format!("{one} {body}")).unwrap();
        assert_eq!(explanation.len(), 1, "{explanation:?}");
        explanation[0].1
    };
    assert_eq!(share("vec(a.x * a.x, a.y)"), Vec2::new(0.0, a.y));
    assert_eq!(share("if a.x > 0.0 { a } else { vec(9, 9) }"), a);
    assert_eq!(share("a.x = 3.0; a"), Vec2::new(0.0, a.y));
    assert_eq!(share("let v = vec(1, 2); v.y = a.y * 2; v"), Vec2::new(0.0, a.y * 2.0));
    assert_eq!(share("me.state.f = a; me.state.f"), a);
    assert_eq!(share("vec(clamp(a.x, -1e9, 1e9), 0)"), Vec2::ZERO);
    // A turn that fails has no explanation.
    assert_eq!(shares(&format!("{one} a / (a.x * 0.0)")), None);
}

#[test]
fn what_others_have_told_is_a_cause_of_forces_targets_and_states() {
    const SCRIPT: &str = "
fn steer(me) {
    if me.group == \"others\" {
        if me.id == 2 && world.tick == 1 {
            me.tell(\"hero\", \"alarm\", true);
            me.tell(\"hero\", \"spot\", me.pos);
        }
        return vec(0, 0);
    }
    me.machine(\"mode\", [\"calm\", \"chase\"])
}
fn calm(me) { if me.state.alarm { vec(1, 2) } else { vec(2, 1) } }
fn next_calm(me) { if me.state.alarm { \"chase\" } }
fn chase(me) { me.seek(me.state.spot) }";
    for order in [Order::Synchronous, Order::Sequential] {
        let mut setup = Setup { order, ..setup() };
        for (group, _) in &mut setup.groups {
            group.public.set("alarm", Value::Bool(false));
            group.public.set("spot", Value::Vector(Vec2::ZERO));
        }
        let behavior = Behavior::compile("main", &scripts(&[("main", SCRIPT)])).unwrap();
        let brain: Arc<dyn Brain> = Arc::new(behavior);
        let mut simulation = Simulation::new(setup, vec![Arc::clone(&brain), brain]).unwrap();
        simulation.note_news();
        let turn = |simulation: &Simulation| {
            let turn = simulation.next_turn(AgentId(0)).unwrap().unwrap();
            let choice = turn.choices()[0].text();
            let why = turn.decision.unwrap().explanation.unwrap();
            (choice, why.calls.iter().flat_map(|call| words(&call.depends_on)).collect::<Vec<_>>())
        };
        simulation.step().unwrap();
        let (choice, targets) = turn(&simulation);
        assert!(!choice.contains("because") && targets.is_empty(), "{choice}");
        simulation.step().unwrap();
        let (choice, targets) = turn(&simulation);
        let message = |name| format!("the message `{name}` of agent 2 (others) at tick 1");
        let because = format!("because of {}", message("alarm"));
        assert!(choice.starts_with("mode: chase from now on"), "{choice}");
        assert!(choice.ends_with(&because), "{choice}");
        assert_eq!(targets, [message("spot")]);
        // It has been told since its last turn only once.
        simulation.step().unwrap();
        let (choice, targets) = turn(&simulation);
        assert!(!choice.contains("because") && targets.is_empty(), "{choice} {targets:?}");
    }
}

#[test]
fn what_an_agent_took_and_whom_it_captured_are_causes() {
    const SCRIPT: &str = "
fn steer(me) {
    if me.group == \"others\" { return vec(0, 0); }
    if world.tick == 0 { me.capture(me.nearest(\"others\"), \"got\"); me.take(\"food\", 1, \"got\"); }
    me.seek(vec(me.state.got, 0))
}";
    for order in [Order::Synchronous, Order::Sequential] {
        let mut setup = Setup { order, ..setup() };
        let mut food = Layer::new("food", &setup.space, 50.0);
        Arc::make_mut(&mut food.amounts).fill(5.0);
        setup.layers.push(food);
        setup.groups[0].0.public.set("got", Value::Float(0.0));
        setup.groups[0].0.captures.push(GroupId(1));
        let behavior = Behavior::compile("main", &scripts(&[("main", SCRIPT)])).unwrap();
        let brain: Arc<dyn Brain> = Arc::new(behavior);
        let mut simulation = Simulation::new(setup, vec![Arc::clone(&brain), brain]).unwrap();
        simulation.note_news();
        let causes = |simulation: &Simulation| {
            let why = simulation.explain(AgentId(0)).unwrap().unwrap();
            why.calls.iter().flat_map(|call| words(&call.depends_on)).collect::<Vec<_>>()
        };
        assert!(causes(&simulation).is_empty());
        simulation.step().unwrap();
        let mut found = causes(&simulation);
        found.sort_unstable();
        let captured = "agent 2 (others), which it captured at tick 0";
        assert_eq!(found, [captured, "what it took from layer `food` at tick 0"], "{order:?}");
        simulation.step().unwrap();
        assert!(causes(&simulation).is_empty());
    }
}

#[test]
fn public_state_is_a_cause_with_its_agent() {
    let of = |body: &str| {
        let mut setup = setup();
        for (group, _) in &mut setup.groups {
            group.public.set("alarm", Value::Bool(group.name.as_ref() == "others"));
            group.public.set("level", Value::Float(2.0));
        }
        let script = format!("fn steer(me) {{ let it = me.nearest(); {body} }}");
        let behavior = Behavior::compile("main", &scripts(&[("main", &script)])).unwrap();
        let brain: Arc<dyn Brain> = Arc::new(behavior);
        let simulation = Simulation::new(setup, vec![Arc::clone(&brain), brain]).unwrap();
        let explanation = simulation.explain(AgentId(0)).unwrap();
        words(&explanation.unwrap_or_else(|| panic!("{body}")).rest_causes)
    };
    let agent = "agent 2 (others), 5 away".to_owned();
    let state = |name| format!("the state `{name}` of agent 2 (others), 5 away");
    assert_eq!(of("vec(it.state.level, 1)"), [agent.clone(), state("level")]);
    assert_eq!(of("if it.state.alarm { vec(1, 2) } else { vec(2, 1) }"), [agent, state("alarm")]);
}

/// A force that is not used has a weight of 0, or the script gives another one.
#[test]
fn a_force_without_share_is_added_with_the_weight_0_or_not_at_all() {
    for (body, is_added) in [
        ("me.wander() + (me.params.n - 3) * me.seek(vec(10, 90))", true),
        ("prioritize([vec(0, 4), me.seek(vec(10, 90))])", false),
        ("let unused = me.seek(vec(10, 90)); vec(0, 4)", false),
    ] {
        let explanation = explained(body);
        let call = explanation.calls.iter().find(|call| call.primitive.name == "seek").unwrap();
        assert_eq!((call.share, call.is_added), (Vec2::ZERO, is_added), "{body}");
    }
}
