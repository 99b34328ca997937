//! Limits of numbers of things, where an input would be too long to keep as a file.

use super::*;

#[test]
fn events_may_bring_as_many_agents_as_the_limit_says() {
    for (count, is_fine) in [(1669, true), (1670, false)] {
        let spawn = format!("events: [Every(ticks: 1, do: Spawn(group: \"ä\", count: {count}))],");
        let group = "count: 0, spawn: Disc(center: (1, 1), radius: 1)";
        assert_eq!(parse(&one_group("size: (9, 9)", &spawn, group)).is_ok(), is_fine, "{count}");
    }
}

#[test]
fn there_may_be_as_many_obstacles_as_the_limit_says() {
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
fn there_is_an_end_to_errors() {
    let push = "At(tick: 1, do: Push(group: \"x\", velocity: (0, 0))),";
    let found = parse(&full_with("events: [", &format!("events: [{}", push.repeat(1000))));
    assert_eq!(found.unwrap_err().len(), 50);
}
