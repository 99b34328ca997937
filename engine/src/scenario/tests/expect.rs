//! Reading expectations.

use super::*;

#[test]
fn expectations_are_read_as_they_are_written() {
    let all = parse(FULL).unwrap().expectations;
    for (place, parts, from) in [
        (0, &["GroupId(1)", "at: None", "by: Some(BoundedInt(1500))"][..], 0),
        (1, &["GroupId(5)", "Point(Vec2(1.0, 1.0))", "PositiveLength(9.0)", "by: None"], 0),
        (2, &["GroupId(0)", "GroupId(1)", "Length(0.5)", "agents: Some(true)"], 7),
        (6, &["group: None", "Length(90.5)"], 8),
        (8, &["GroupId(0)", "PathId(1)", "Length(30.0)"], 0),
        (9, &["GroupId(0)", "Positive(3.0)", "distance: None"], 0),
        (12, &["AllFinite"], 0),
        (13, &["night/calm", "BoundedInt(50)", "first: 50"], 0),
    ] {
        let (content, first) = all[place].content();
        for part in parts {
            assert!(content.contains(part), "{content}");
        }
        assert_eq!(first, from, "{content}");
    }
    assert_eq!(all[4].to_string(), "MaxSpeed(group: \"guard\", speed: 60.5)");
}
