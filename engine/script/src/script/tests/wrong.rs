//! Tests of error messages, and of valid scripts that must not give one.

use super::*;
use crate::cases;

/// Returns the messages of a script in the first tick. Lines `// script: NAME` start other scripts.
fn messages(text: &str) -> String {
    let (main, others) = text.split_once("// script: ").unwrap_or((text, ""));
    let others = others.split("// script: ").filter_map(|other| other.split_once('\n'));
    let library = scripts(&[("main", main)].into_iter().chain(others).collect::<Vec<_>>());
    match Behavior::compile("main", &library) {
        Err(errors) => cases::rendered(&errors),
        Ok(_) => ticks(&library, 1).map_or_else(|fault| fault + "\n", |_| String::new()),
    }
}

#[test]
fn messages_of_scripts_in_their_first_tick() {
    cases::compare("tick", |_, case| messages(case));
}

#[test]
fn a_wrong_call_shows_how_the_function_is_called() {
    use crate::script::api::signatures;
    assert_eq!(signatures("lerp", "a vector"), ["from.lerp(to, share)"]);
    assert_eq!(signatures("random", ""), ["me.random()", "me.random(low, high)"]);
    assert_eq!(signatures("contains", "an array"), ["array.contains(value)"]);
    assert_eq!(signatures("length", "a string"), ["v.length()"]);
}

#[test]
fn a_variable_can_have_the_name_of_a_constant() {
    one_tick(
        "const A = [1];
        fn change(A) { A[0] = 2; A }
        fn steer(me) {
            let f = |A| { A[0] = 4; A };
            change([3]);
            f.call([5]);
            let A = [1];
            A[0] = 3;
            for A in [[1], [2]] { A[0] = 3; }
            vec(A[0], 0)
        }",
    )
    .unwrap();
}

#[test]
fn reading_parts_of_properties_is_not_an_assignment() {
    let reads = "me.pos.to_string(); me.pos.length(); world.obstacles.len(); world.size.x;
        me.heading.rotated(1).x; world.obstacles[0].center.x; me.neighbors(50).center.x;
        me.path.name.len(); me.nearest().pos.dot(me.pos); `${me.pos} ${me.nearest()} ${me.goal}`;
        world.obstacles.filter(|o| o.radius > 1).map(|o| o.center); me.group.contains(\"x\");";
    one_tick(&format!("fn steer(me) {{ {reads} vec(0, 0) }}")).unwrap();
    assert_eq!(
        one_tick("fn steer(me) { me.vel.x = 3; me.vel.y = 4; vec(0, 0) }"),
        Ok(Vec2::new(3.0, 4.0))
    );
}

#[test]
fn one_value_of_the_state_can_be_set_often() {
    one_tick("fn steer(me) { for i in 0..100000 { me.state.k = i; } vec(0, 0) }").unwrap();
}

proptest::proptest! {
    /// A script that Rhai can parse has no bracket error.
    #[test]
    fn valid_scripts_have_no_bracket_errors(
        parts in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::prelude::Just("(1)"), proptest::prelude::Just("[1, 'a']"),
                proptest::prelude::Just("\"a ( b\""), proptest::prelude::Just("\"a \\\" {\""),
                proptest::prelude::Just("'('"), proptest::prelude::Just("'\\''"),
                proptest::prelude::Just("/* ( \" */ 1"), proptest::prelude::Just("1 // ( \"\n"),
                proptest::prelude::Just("#\" \" ( \"#"), proptest::prelude::Just("##\" \"# ( \"##"),
                proptest::prelude::Just("`a ( ${[1]} {`"), proptest::prelude::Just("\"a\"\"(\""),
                proptest::prelude::Just("`\\${ (`"), proptest::prelude::Just("`${`${1}`}`"),
                proptest::prelude::Just("`a``(`"), proptest::prelude::Just("\"\""),
                proptest::prelude::Just("`\\`"), proptest::prelude::Just("#{a: 1}"),
                proptest::prelude::Just("`${#{a: `}`}.a}`"), proptest::prelude::Just("\"a\\\n  (\""),
            ],
            0..5,
        ),
    ) {
        use crate::diag::brackets;
        use crate::tokens::Language;
        let list = format!("[{}]", parts.join(", "));
        let read = crate::script::api::engine().compile_expression(&list);
        proptest::prop_assert!(read.is_ok(), "{list}: {read:?}");
        let source = Source::new("a", list);
        proptest::prop_assert_eq!(brackets::unclosed(&source, Language::Rhai), None);
    }
}
