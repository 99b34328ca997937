//! Shared params: read, set, and changed in the text.

use super::*;
use crate::world::Value;

const SHARED: &str = "(world: (size: (9, 9)),
    params: { \"alert\": 60.0, \"n\": 2 },
    groups: {
        \"a\": (spawn: Points([(1, 1)])),
        \"b\": (spawn: Points([(2, 1)]), params: { \"own\": 1 }),
        \"c\": (spawn: Points([(3, 1)]), params: {
            \"alert\": 5,   // less
        }),
        \"d\": (spawn: Points([(4, 1)]), params: {}),
    },
)";

/// The value of a param in each group.
fn params(scenario: &Scenario, name: &str) -> Vec<Option<Value>> {
    let groups = scenario.setup.groups.iter();
    groups.map(|(group, _)| group.params.get(name).cloned()).collect()
}

fn floats(scenario: &Scenario, name: &str) -> Vec<f32> {
    let number = |value: Option<Value>| match value {
        Some(Value::Float(x)) => x,
        Some(Value::Int(x)) => x as f32,
        other => panic!("{other:?}"),
    };
    params(scenario, name).into_iter().map(number).collect()
}

fn set(changes: &[(&str, f32)]) -> String {
    let changes: Vec<_> =
        changes.iter().map(|&(group, x)| (group, "alert", Value::Float(x))).collect();
    set_params(&Source::new("s.ron", SHARED), &changes, |_, _| false).unwrap()
}

#[test]
fn groups_have_the_shared_params_and_may_override_them() {
    let scenario = parse(SHARED).unwrap();
    assert_eq!(floats(&scenario, "alert"), [60.0, 60.0, 5.0, 60.0]);
    let two = Some(Value::Int(2));
    assert_eq!(params(&scenario, "n"), [two.clone(), two.clone(), two.clone(), two]);
    assert_eq!(params(&scenario, "own"), [None, Some(Value::Int(1)), None, None]);
    assert_eq!(scenario.inherited["alert"], [0, 1, 3]);
    let written: Vec<&str> =
        scenario.numbers.iter().map(|place| &place.source.text[place.span.clone()]).collect();
    assert_eq!(written, ["60.0", "2", "1", "5"], "each once");
}

#[test]
fn a_shared_param_is_set_where_it_is_not_overridden() {
    let mut scenario = parse(SHARED).unwrap();
    scenario.set_shared_param("alert", "7").unwrap();
    assert_eq!(floats(&scenario, "alert"), [7.0, 7.0, 5.0, 7.0]);
    scenario.set_param("b", "alert", "8").unwrap();
    assert_eq!(floats(&scenario, "alert"), [7.0, 8.0, 5.0, 7.0]);
    let unknown = scenario.set_shared_param("allert", "7").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the groups share no param `allert`; did you mean `alert`? Known are: alert, n"
    );
    assert!(scenario.set_shared_param("alert", "true").is_err());
}

#[test]
fn a_value_for_one_group_becomes_its_own() {
    let point = "spawn: Points([(1, 1)])";
    let own = format!("{point}, params: {{ \"alert\": 7.0 }}");
    assert_eq!(set(&[("a", 7.0)]), SHARED.replace(point, &own));
    assert_eq!(set(&[("b", 7.0)]), SHARED.replace("\"own\": 1", "\"own\": 1, \"alert\": 7.0"));
    assert_eq!(set(&[("c", 7.0)]), SHARED.replace("\"alert\": 5,", "\"alert\": 7,"));
    assert_eq!(set(&[("d", 7.0)]), SHARED.replace("params: {})", "params: { \"alert\": 7.0 })"));
    let lines =
        set_params(&Source::new("s.ron", SHARED), &[("c", "n", Value::Int(9))], |_, _| false);
    let line = "\"alert\": 5,   // less";
    assert_eq!(lines.unwrap(), SHARED.replace(line, &format!("{line}\n            \"n\": 9,")));
}

#[test]
fn a_value_for_all_groups_becomes_the_shared_value() {
    let shared = SHARED.replace("60.0", "7.0");
    assert_eq!(set(&[("a", 7.0), ("b", 7.0), ("d", 7.0)]), shared);
    let but_one = parse(&set(&[("a", 7.0), ("b", 7.0), ("d", 8.0)])).unwrap();
    assert_eq!(floats(&but_one, "alert"), [7.0, 7.0, 5.0, 8.0]);
    let more = parse(&set(&[("a", 7.0), ("b", 7.0), ("c", 1.0), ("d", 7.0)])).unwrap();
    assert_eq!(floats(&more, "alert"), [7.0, 7.0, 1.0, 7.0]);
    assert_eq!(more.inherited["alert"], [0, 1, 3]);
}

#[test]
fn groups_that_do_not_use_the_shared_value_leave_it_to_the_others() {
    let set = |groups: &[&str]| {
        let changes: Vec<_> =
            groups.iter().map(|&group| (group, "alert", Value::Float(7.0))).collect();
        let is_for_others = |group: &str, param: &str| group == "b" && param == "alert";
        set_params(&Source::new("s.ron", SHARED), &changes, is_for_others).unwrap()
    };
    let shared = SHARED.replace("60.0", "7.0");
    assert_eq!(set(&["a", "d"]), shared);
    assert_eq!(set(&["a", "b", "d"]), shared);
    assert_eq!(set(&["b"]), SHARED.replace("\"own\": 1", "\"own\": 1, \"alert\": 7.0"));
    assert!(set(&["a"]).contains("params: { \"alert\": 7.0 }"), "d has the old value");
}
