//! Limits on the number of things, for inputs that would be too long to keep as files.

use super::*;

#[test]
fn events_may_spawn_agents_up_to_the_limit() {
    for (count, is_fine) in [(1669, true), (1670, false)] {
        let spawn = format!("events: [Every(ticks: 1, do: Spawn(group: \"ä\", count: {count}))],");
        let group = "count: 0, spawn: Disc(center: (1, 1), radius: 1)";
        assert_eq!(parse(&one_group("size: (9, 9)", &spawn, group)).is_ok(), is_fine, "{count}");
    }
}

#[test]
fn obstacles_are_allowed_up_to_the_limit() {
    let many = |count: u32, limits: &str| {
        let obstacles = (0..count).map(|i| format!("\"o{i}\": Circle(center: (5, 5), radius: 1),"));
        let obstacles: String = obstacles.collect();
        format!(
            "(world: (size: (1, 1)), {limits}, obstacles: {{{obstacles}}},
                groups: {{\"a\": (behavior: \"b\", spawn: Points([(0, 0)]))}})"
        )
    };
    for (count, limits, is_fine) in [
        (10_000, "seed: 1", true),
        (10_001, "seed: 1", false),
        (10_001, "limits: (obstacles: 10001)", true),
        (65_535, "limits: (obstacles: 65535)", true),
        (65_536, "limits: (obstacles: 65535)", false),
    ] {
        assert_eq!(parse(&many(count, limits)).is_ok(), is_fine, "{count}, {limits}");
    }
}

#[test]
fn the_number_of_reported_errors_is_limited() {
    let push = "At(tick: 1, do: Push(group: \"x\", velocity: (0, 0))),";
    let found = parse(&full_with("events: [", &format!("events: [{}", push.repeat(1000))));
    assert_eq!(found.unwrap_err().len(), 50);
}
