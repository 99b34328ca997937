//! Expectations: what is written, and what cannot be judged.

use super::*;
use crate::expect::Expected;
use crate::math::Vec2;
use crate::world::{Goal, GroupId, PathId};

#[test]
fn expectations_say_what_is_written() {
    let scenario = parse(FULL).unwrap();
    let all: Vec<_> = scenario.expectations.iter().map(|one| &one.what).collect();
    let (guard, thief, rect) = (GroupId(0), GroupId(1), GroupId(5));
    for (place, expected) in [
        (0, Expected::Reach { group: thief, place: None, by: Some(1500) }),
        (
            1,
            Expected::ReachAll {
                group: rect,
                place: Some(Goal { at: Vec2::ONE, radius: 9.0 }),
                by: None,
            },
        ),
        (
            2,
            Expected::NoOverlap {
                groups: Some(vec![guard, thief]),
                tolerance: 0.5,
                agents: true,
                obstacles: false,
                from: 7,
            },
        ),
        (6, Expected::MaxTurnRate { group: None, deg_per_s: 90.5, from: 8 }),
        (
            8,
            Expected::StayNearPath { group: Some(guard), path: PathId(1), distance: 30.0, from: 0 },
        ),
        (9, Expected::Progress { group: Some(guard), seconds: 3.0, distance: None, from: 0 }),
        (12, Expected::AllFinite),
    ] {
        assert_eq!(all[place], &expected);
    }
    let Expected::Script { name, every, from, .. } = all[13] else {
        panic!("{:?}", all[13]);
    };
    assert_eq!((name.as_str(), *every, *from), ("night/calm", Some(50), 50));
    assert_eq!(scenario.expectations[4].to_string(), "MaxSpeed(group: \"guard\", speed: 60.5)");
}
