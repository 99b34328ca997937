//! For the shipped scenarios, an explanation names what a person would name who looks at the picture.

use flockwork_engine::sim::{ExplainedCall, NextTurn, Simulation};
use flockwork_engine::steer::Cause;
use flockwork_engine::world::AgentId;

use crate::support::{ShippedScripts, open, parse, start, step};

/// A scenario at a tick.
fn at(name: &str, tick: u64) -> Simulation {
    let mut simulation = open(name);
    while simulation.world().tick < tick {
        step(&mut simulation);
    }
    simulation
}

fn next_turn(simulation: &Simulation, id: u32) -> NextTurn {
    simulation.next_turn(AgentId(id)).unwrap().unwrap()
}

/// Returns the name of what the agent mostly follows, and its causes as text.
fn dominant(turn: &NextTurn) -> (String, String) {
    let why = turn.decision.as_ref().unwrap().explanation.as_ref();
    let why = why.unwrap();
    let words = |causes: &[Cause]| {
        let words: Vec<String> = causes.iter().map(Cause::to_string).collect();
        words.join("; ")
    };
    match why.dominant() {
        Some(call) => {
            let ExplainedCall { cause, depends_on, .. } = call;
            let all = [cause.as_slice(), depends_on].concat();
            (call.primitive.name.to_owned(), words(&all))
        }
        None if why.force == flockwork_engine::math::Vec2::ZERO => {
            ("velocity".into(), words(&why.vel_causes))
        }
        None => ("rest".into(), words(&why.rest_causes)),
    }
}

#[test]
fn explanations_name_what_a_person_would_name() {
    // The expected names come from looking at the agents at that tick, not from the explanations.
    let table: &[(&str, u32, u64, &str, &str)] = &[
        // A chaser on its way to the ball, and after the gust.
        ("chase_ball", 1, 30, "seek", "agent 0 (ball)"),
        ("chase_ball", 1, 61, "seek", "agent 0 (ball)"),
        // From far away, and close behind. The puppet itself sets its velocity.
        ("arrive_puppet", 1, 30, "arrive", "agent 0 (puppet)"),
        ("arrive_puppet", 1, 100, "arrive", "agent 0 (puppet)"),
        ("arrive_puppet", 0, 30, "velocity", ""),
        // Each on its segment of the path.
        ("patrol_path", 0, 10, "follow_path", "waypoint 0 of path `narrow`"),
        ("patrol_path", 0, 40, "follow_path", "waypoint 1 of path `narrow`"),
        ("patrol_path", 2, 80, "follow_path", "waypoint 2 of path `wide`"),
        ("patrol_path", 1, 300, "follow_path", "waypoint 2 of path `middling`"),
        ("patrol_path", 4, 300, "follow_path", "waypoint 0 of path `round`"),
        // The thief on its way, with a guard behind it, and in the corner. The guard on its round, and
        // behind the thief.
        ("night_watch", 3, 1, "arrive", "the point (740, 60)"),
        ("night_watch", 3, 60, "arrive", "the point (740, 60)"),
        ("night_watch", 3, 300, "arrive", "the point (740, 60)"),
        ("night_watch", 3, 660, "evade", "agent 0 (guard)"),
        ("night_watch", 3, 1080, "evade", "agent 0 (guard)"),
        ("night_watch", 3, 786, "contain", "the edge of the world"),
        ("night_watch", 0, 300, "follow_path", "waypoint 1 of path `round`"),
        ("night_watch", 0, 1080, "pursue", "agent 3 (thief)"),
        // On a straight segment, where it needs no force at all.
        ("patrol_path", 1, 50, "follow_path", "waypoint 1 of path `middling`"),
        // A follower far behind the leader, and one that blocks it.
        ("follow_leader", 5, 5, "arrive", "agent 0 (leader)"),
        ("follow_leader", 4, 550, "flee", "agent 0 (leader)"),
        // With free space ahead, and with an obstacle ahead.
        ("crowd_obstacles", 16, 0, "seek", "the point (850, 260)"),
        ("crowd_obstacles", 16, 58, "rest", "`fir`"),
        ("crowd_obstacles", 16, 74, "rest", "`bush`"),
        ("crowd_obstacles", 14, 80, "rest", "`oak`"),
        // The crowd moves to the door. In the queue, each waits for the agent in front.
        ("queue_doorway", 70, 0, "seek", "the point (750, 385)"),
        ("queue_doorway", 46, 60, "rest", "agent 47 (queue)"),
        ("queue_doorway", 56, 200, "rest", "agent 57 (queue)"),
        // The nearest agent in front.
        ("turn_away", 3, 300, "velocity", "agent 14 (birds)"),
        ("turn_away", 11, 40, "velocity", "agent 19 (birds)"),
        ("turn_away", 16, 100, "velocity", "agent 1 (birds)"),
        // Agents very close to each other.
        ("flock", 39, 400, "separation", "nearest agent 143"),
        ("flock", 197, 200, "separation", "nearest agent 257"),
        // The script computes all three rules itself.
        ("boids_three_rules", 5, 30, "rest", "nearest agent 4"),
        ("boids_three_rules", 0, 30, "rest", "nearest agent 1"),
    ];
    let mut wrong = Vec::new();
    for &(name, id, tick, primitive, cause) in table {
        let turn = next_turn(&at(name, tick), id);
        let (named, causes) = dominant(&turn);
        if named != primitive || !causes.contains(cause) {
            wrong.push(format!(
                "{name}, tick {tick}: {primitive} because of {cause}, not\n{turn}\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// It was "because of the point (20, 50), 0 away; this needs hardly any force".
#[test]
fn an_agent_at_its_goal_is_said_to_stand_there() {
    let scene = "(world: (size: (100, 100)), groups: {\"walkers\": (behavior: \"walk\", spawn: Points([(20, 50)]), \
        goals: [(at: (20.0005, 50))], body: (max_speed: 10, max_force: 100))})";
    let table: [(&[(&str, &str)], &str); 3] = [
        (
            &[("walk", "fn steer(me) { me.arrive(me.goal, 5) }")],
            "stands at its goal, where `arrive` keeps it",
        ),
        (
            &[("walk", "fn steer(me) { me.arrive(vec(20, 50.0005), 5) }")],
            "stands at (20, 50), where `arrive` keeps it",
        ),
        (&[("walk", "fn steer(me) { me.arrive(vec(21, 50), 5) }")], "mostly follows `arrive`"),
    ];
    for (scripts, words) in table {
        let simulation = start(parse("walk", scene), &ShippedScripts(scripts));
        let headline = next_turn(&simulation, 0).headline();
        assert!(headline.contains(words), "{headline}");
    }
}

#[test]
fn the_headline_of_an_agent_on_its_way_names_its_target() {
    let headline = |name: &str, id: u32, tick: u64| next_turn(&at(name, tick), id).headline();
    let thief = headline("night_watch", 3, 60);
    let way = "agent 3 (thief) mostly follows `arrive`, because of the point (740, 60), ";
    let push = "; the strongest force comes from `wander` (59 %)";
    assert!(thief.starts_with(way) && thief.ends_with(push), "{thief}");
    let walker = headline("patrol_path", 1, 50);
    let way = "agent 1 (middling) mostly follows `follow_path`, because of waypoint 1 of path `middling`, ";
    let push = "; this needs no force";
    assert!(walker.starts_with(way) && walker.ends_with(push), "{walker}");
    // Caught: the strongest force was said to be 185 % of it.
    let bird = headline("flock", 12, 120);
    assert!(bird.starts_with("agent 12 (birds) mostly follows `alignment`, because"), "{bird}");
    assert!(
        bird.ends_with(" %: more than the whole force, since `cohesion` pulls against it)"),
        "{bird}"
    );
}

#[test]
fn only_an_agent_that_an_obstacle_keeps_from_its_target_is_told_what_finds_a_way() {
    const SCENE: &str = r#"(
        ticks: 60,
        world: (size: (100, 100), edge: Open),
        obstacles: { "wall": Box(center: (50, 50), size: (4, 60)) },
        groups: {
            "walkers": (
                behavior: "walk",
                spawn: Points([(46.9, 50)]),
                body: (radius: 1, max_speed: 10, max_force: 40, solid: true),
                goals: [(at: (80, 50), radius: 1)],
            ),
        },
    )"#;
    let table: [(&str, &[(&str, &str)]); 6] = [
        (
            "; `go_to` finds a way around obstacles",
            &[("walk", "fn steer(me) { 4 * me.arrive(me.goal, 5) }")],
        ),
        (
            "; `go_to` finds a way around obstacles",
            &[("walk", "fn steer(me) { me.vel += 0.1 * me.seek(me.goal); vec(0, 0) }")],
        ),
        // It is pushed along the wall, which does not bring it nearer.
        (
            "; `go_to` finds a way around obstacles",
            &[("walk", "fn steer(me) { me.arrive(me.goal, 5) + vec(0, 4) }")],
        ),
        // This script plans a way, but does not follow it.
        ("", &[("walk", "fn steer(me) { 4 * me.seek(me.goal) + 0.01 * me.go_to(me.goal) }")]),
        ("", &[("walk", "fn steer(me) { 4 * me.flee(vec(0, 50)) }")]),
        ("", &[("walk", "fn steer(me) { 4 * vec(10, 0) }")]),
    ];
    let headline_of = |scripts| {
        let mut simulation = start(parse("walk", SCENE), &ShippedScripts(scripts));
        for _ in 0..30 {
            step(&mut simulation);
        }
        next_turn(&simulation, 0).headline()
    };
    // More than all of the force comes from one call.
    let torn = headline_of(&[(
        "walk",
        "fn steer(me) { me.flee(vec(80, 50)) + 0.3 * me.seek(vec(80, 50)) }",
    )]);
    assert!(
        torn.contains(
            " %: more than the whole force, since `seek` pulls against it), because of the point"
        ),
        "{torn}"
    );
    // Along the wall is nearly where this one wants to go.
    let free = headline_of(&[("walk", "fn steer(me) { me.seek(vec(80, 200)) }")]);
    assert!(!free.contains("blocks it"), "{free}");
    // It never touches the wall, and never comes around it.
    let end = "; obstacle `wall` is between it and its goal: `go_to` finds a way around obstacles";
    const AVOIDS: &[(&str, &str)] =
        &[("walk", "fn steer(me) { prioritize([me.avoid_obstacles(), me.arrive(me.goal, 5)]) }")];
    let scene = SCENE.replace("solid: true", "solid: false").replace("(46.9, 50)", "(40, 50)");
    let mut simulation = start(parse("walk", &scene), &ShippedScripts(AVOIDS));
    let mut headlines = Vec::new();
    for _ in 0..30 {
        step(&mut simulation);
        headlines.push(next_turn(&simulation, 0).headline());
    }
    // Also while it goes straight towards it.
    for headline in &headlines {
        assert!(headline.ends_with(end), "{headlines:?}");
    }
    for (help, scripts) in table {
        let headline = headline_of(scripts);
        let end = format!(", but obstacle `wall` blocks it{help}");
        assert!(headline.ends_with(&end), "{headline}");
    }
}
