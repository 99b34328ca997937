//! Tests of what scripts can read and compute.

use super::*;

#[test]
fn vectors_have_all_operators_and_integers_mix_with_floats() {
    for (expression, x, y) in [
        ("vec(1, 2) + vec(0.5, 1)", 1.5, 3.0),
        ("vec(1, 2) - vec(0.5, 1)", 0.5, 1.0),
        ("-vec(1, 2)", -1.0, -2.0),
        ("2 * vec(1, 2)", 2.0, 4.0),
        ("vec(1, 2) * 2", 2.0, 4.0),
        ("2.5 * vec(1, 2)", 2.5, 5.0),
        ("vec(1, 2) / 2", 0.5, 1.0),
        ("vec(1, 2) / 0.5", 2.0, 4.0),
        ("vec(1.5, 2)", 1.5, 2.0),
        ("vec(3, 4).length()", 5.0, 0.0),
        ("vec(3, 4).normalized()", 0.6, 0.8),
        ("vec(0, 0).normalized()", 0.0, 0.0),
        ("vec(3, 4).dot(vec(1, 2))", 11.0, 0.0),
        ("vec(3, 4).cross(vec(1, 2))", 2.0, 0.0),
        ("vec(3, 4).perp()", -4.0, 3.0),
        ("vec(0, 2).angle() / PI", 0.5, 0.0),
        ("vec(0, 0).distance(vec(3, 4))", 5.0, 0.0),
        ("vec(3, 4).limit(1)", 0.6, 0.8),
        ("vec(3, 4).limit(9.5)", 3.0, 4.0),
        ("vec(3, 4).with_length(10)", 6.0, 8.0),
        ("vec(0, 10).lerp(vec(10, 0), 0.25)", 2.5, 7.5),
        ("vec(3, 4).x + vec(3, 4).y", 7.0, 0.0),
        ("if vec(1, 2) == vec(1, 2) { 1 } else { 0 }", 1.0, 0.0),
        ("1 + 0.5", 1.5, 0.0),
        ("max(1, 2.5)", 2.5, 0.0),
        ("min(1, 2)", 1.0, 0.0),
        ("clamp(7, 0, 5.5)", 5.5, 0.0),
        ("lerp(0, 10, 0.25)", 2.5, 0.0),
        ("2 ** 3", 8.0, 0.0),
        ("2.0 ** 3", 8.0, 0.0),
        ("sqrt(16)", 4.0, 0.0),
        ("abs(-3)", 3.0, 0.0),
        ("floor(2.7)", 2.0, 0.0),
        ("to_int(2.7) + 1", 3.0, 0.0),
        ("me.arrive(vec(10, 30), 40) - me.arrive(vec(10, 30), 40.0)", 0.0, 0.0),
    ] {
        let found = value(expression);
        assert!((found - Vec2::new(x, y)).length() < 1e-6, "{expression} is {found}");
    }
}

/// Rhai's own operators treat numbers as equal that differ in the last bits, and 1e-8 as equal to 0.
#[test]
fn numbers_compare_exactly() {
    for (expression, expected) in [
        ("1e-8 > 0", 1.0),
        ("1e-8 > 0.0", 1.0),
        ("0 < 1e-8", 1.0),
        ("1e-8 == 0", 0.0),
        ("-1e-9 < 0.0", 1.0),
        ("1.0 == 1.0000001", 0.0),
        ("1.0 != 1.0000001", 1.0),
        ("1.0 < 1.0000001", 1.0),
        ("1.0 >= 1.0000001", 0.0),
        ("1.0 == 1", 1.0),
        ("1 <= 1.0", 1.0),
        ("1.0 / 0.0 > 1e30", 1.0),
        ("2 > 1", 1.0),
    ] {
        let found = value(&format!("if {expression} {{ 1 }} else {{ 0 }}"));
        assert_eq!(found.x, expected, "{expression}");
    }
}

#[test]
fn math_functions_are_the_portable_ones() {
    use crate::math;
    for (expression, expected) in [
        ("sin(1.3)", math::sin(1.3)),
        ("cos(1.3)", math::cos(1.3)),
        ("tan(1.3)", math::tan(1.3)),
        ("asin(0.3)", math::asin(0.3)),
        ("acos(0.3)", math::acos(0.3)),
        ("atan(0.3)", math::atan(0.3)),
        ("atan(1.0, -2)", math::atan2(1.0, -2.0)),
        ("exp(1)", math::exp(1.0)),
        ("ln(3)", math::ln(3.0)),
        ("log(1000)", math::log10(1000.0)),
        ("pow(2, 0.3)", math::pow(2.0, 0.3)),
        ("2.7 ** 1.3", math::pow(2.7, 1.3)),
        ("2 ** 0.3", math::pow(2.0, 0.3)),
        ("to_radians(90)", math::PI / 2.0),
    ] {
        assert_eq!(value(expression).x.to_bits(), expected.to_bits(), "{expression}");
    }
}

/// Caught: the fraction of an integer was the integer.
#[test]
fn rounding_keeps_integers_and_their_fraction_is_0() {
    for (expression, expected) in [
        ("floor(-2.5)", -3.0),
        ("ceiling(-2.5)", -2.0),
        ("round(-2.5)", -3.0),
        ("fraction(-2.5)", -0.5),
        ("floor(-7)", -7.0),
        ("ceiling(-7)", -7.0),
        ("round(-7)", -7.0),
        ("fraction(-7)", 0.0),
        ("[4, 5, 6][fraction(7)]", 4.0),
    ] {
        assert_eq!(value(expression).x, expected, "{expression}");
    }
}

#[test]
fn me_reads_as_documented() {
    for (expression, x, y) in [
        ("me.id", 0.0, 0.0),
        ("me.index", 0.0, 0.0),
        ("me.pos", 10.0, 0.0),
        ("me.vel", 1.0, 0.0),
        ("me.heading", 1.0, 0.0),
        ("me.speed", 1.0, 0.0),
        ("me.radius", 1.0, 0.0),
        ("me.mass", 1.0, 0.0),
        ("me.max_speed", 10.0, 0.0),
        ("if me.max_force > 1e30 { 1 } else { 0 }", 1.0, 0.0),
        ("me.params.alert", 8.5, 0.0),
        ("me.params.n + 1", 4.0, 0.0),
        ("me.goal", 10.0, 50.0),
        ("me.goal_radius", 2.0, 0.0),
        ("me.path.radius", 4.0, 0.0),
        ("me.path.length", 200.0, 0.0),
        ("me.waypoint", 0.0, 0.0),
        ("me.group == \"hero\"", 1.0, 0.0),
        ("me.to(vec(11, 2))", 1.0, 2.0),
        ("me.distance(vec(13, 4))", 5.0, 0.0),
        ("world.time", 0.0, 0.0),
        ("world.dt", 0.5, 0.0),
        ("world.size", 100.0, 100.0),
        ("world.count()", 4.0, 0.0),
        ("world.count(\"others\")", 3.0, 0.0),
        ("world.cursor == ()", 1.0, 0.0),
        ("world.obstacles.len()", 1.0, 0.0),
        ("world.obstacles[0].center", 40.0, 0.0),
        ("world.obstacle(\"pillar\").distance(me.pos)", 25.0, 0.0),
        ("world.obstacle(\"pillar\").contains(vec(41, 1))", 1.0, 0.0),
        ("world.obstacle(\"pillar\").distance(me)", 25.0, 0.0),
        ("world.path(\"round\").distance(me.nearest())", 5.0, 0.0),
        ("world.path(\"round\").closest(vec(30, 8))", 30.0, 0.0),
    ] {
        let found = value(expression);
        assert!((found - Vec2::new(x, y)).length() < 1e-5, "{expression} is {found}");
    }
}

#[test]
fn neighborhoods_give_other_agents() {
    for (expression, x, y) in [
        ("me.neighbors().count", 3.0, 0.0),
        ("me.neighbors(10).count", 2.0, 0.0),
        ("me.neighbors(9.5).count", 1.0, 0.0),
        ("me.neighbors(10).center", 15.0, 2.5),
        ("me.neighbors(1).center", 10.0, 0.0),
        ("me.neighbors(10).mean_velocity", 1.0, 0.0),
        ("me.neighbors(10).nearest.pos", 10.0, 5.0),
        ("me.neighbors(10).first.id", 1.0, 0.0),
        ("me.neighbors(1).nearest == ()", 1.0, 0.0),
        ("me.neighbors(10).ahead().count", 1.0, 0.0),
        ("me.neighbors(10).in_view(to_radians(60)).count", 1.0, 0.0),
        ("me.neighbors(10).of(\"hero\").count", 0.0, 0.0),
        ("me.nearest().id", 2.0, 0.0),
        ("me.nearest(\"others\").pos", 10.0, 5.0),
        ("me.nearest(\"others\", 2) == ()", 1.0, 0.0),
        ("me.nearest(6).id", 2.0, 0.0),
        (
            "{ let sum = 0; for other in me.neighbors(10) { sum = sum * 10 + other.id; } sum }",
            12.0,
            0.0,
        ),
        ("me.nearest() != me", 1.0, 0.0),
    ] {
        let found = value(expression);
        assert!((found - Vec2::new(x, y)).length() < 1e-5, "{expression} is {found}");
    }
}

#[test]
fn sorting_ends_even_without_a_valid_order() {
    for (expression, x) in [
        ("{ let a = [3, 1.5, 2, 0.0/0.0]; a.sort(); a[0] * 10 + a[2] }", 18.0),
        ("{ let a = [1, 3, 2]; a.sort_desc(); a[0] }", 3.0),
        ("[2.5, 0.5].order()[0]", 0.5),
        // A comparison by the difference of floats, which Rhai's own sort ignores.
        ("{ let a = [2.5, 0.5, 1.5]; a.sort(|a, b| a - b); a[0] * 10 + a[1] }", 6.5),
        ("[1, 2, 3].order(|a, b| b - a)[0]", 3.0),
        ("[1, 2, 3].order_by(|a, b| a > b)[0]", 3.0),
    ] {
        assert_eq!(value(expression).x, x, "{expression}");
    }
    one_tick(
        "fn steer(me) {
            for n in 0..60 {
                let a = [];
                for i in 0..n { a.push(if me.random() < 0.3 { 0.0 / 0.0 } else { me.random() }); }
                a.sort();
                a.sort(|a, b| if me.random() < 0.5 { -1 } else { 1 });
                if a.len() != n { throw \"lost\"; }
            }
            vec(0, 0)
        }",
    )
    .unwrap();
}
