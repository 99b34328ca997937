//! Small scripts about state machines, choosers and kept values.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "a state machine with everything",
        "fn init(me) { me.state.n = 0; }
        fn steer(me) { prioritize([me.contain(2), me.machine(\"mode\", [\"roam\", \"near\", \"rest\"])]) }
        fn roam(me) { me.wander() }
        fn next_roam(me) { if me.nearest(9) != () { \"near\" } else if me.time_in(\"mode\") > 0.2 { \"rest\" } }
        fn enter_near(me) { me.state.n += 1; me.state.whom = me.nearest(); }
        fn near(me) { me.separation(20) }
        fn exit_near(me) { me.state.n -= me.random(); }
        fn next_near(me) { if me.random() < 0.3 { return \"near\"; } if me.nearest(9) == () { \"roam\" } }
        fn rest(me) { if me.index % 2 == 0 { -me.vel } }
        fn next_rest(me) { if me.random() < 0.5 { \"roam\" } }",
        "",
    ),
    (
        "a state machine within another, in some agents only",
        "fn steer(me) {
            if me.index % 3 == 0 { return me.wander(); }
            me.machine(\"outer\", [\"a\", \"b\"]) + vec(me.time_in(\"inner\"), 0)
        }
        fn a(me) { me.machine(\"inner\", [\"c\", \"d\"]) }
        fn next_a(me) { if me.index % 2 == 0 && me.time_in(\"outer\") > 0.05 { \"b\" } }
        fn b(me) { vec(1, me.time_in(\"outer\")) }
        fn next_b(me) { \"a\" }
        fn c(me) { vec(2, 2) }
        fn next_c(me) { if me.pos.x > 30 { \"d\" } }
        fn d(me) { me.alignment(20) }
        fn next_d(me) { if me.pos.x < 35 { \"c\" } }",
        "",
    ),
    (
        "a state machine whose next state is computed and sometimes none",
        "fn steer(me) { me.machine(\"mode\", [\"left\", \"right\"]) }
        fn left(me) { vec(-1, 0) }
        fn next_left(me) { me.state.wish }
        fn right(me) { vec(1, 0) }
        fn init(me) { me.state.wish = if me.index == 40 { \"up\" } else { \"right\" }; }",
        "`next_left` returned \"up\", which is no state of this machine",
    ),
    (
        "a chooser of names with scores that jump",
        "fn steer(me) {
            let what = me.choose(\"what\", #{ c: me.random(), a: 0.5, b: me.speed / 20 }, 0.1, 0.05);
            switch what { \"a\" => me.wander(), \"b\" => -me.vel, _ => me.cohesion(30) }
        }",
        "",
    ),
    (
        "a chooser of indices, and a kept agent",
        "fn steer(me) {
            let which = me.choose(\"which\", [me.random(), me.random(), me.random()], me.random());
            let whom = me.keep(\"whom\", me.nearest(40), 0.1 * which);
            if whom == () || !me.neighbors().contains(whom) { vec(which, 0) } else { me.seek(whom) }
        }",
        "",
    ),
    (
        "kept values in a loop, of other types and in a branch",
        "fn steer(me) {
            let sum = vec(0, 0);
            for i in 0..3 { sum += me.keep(\"turn\", vec(i, me.random()), 0.04); }
            let some = if me.index % 2 == 0 { me.keep(\"some\", me.random(), 0.1) } else { me.keep(\"some\", (), 0.1) };
            if some != () { sum.x += some; }
            sum
        }",
        "",
    ),
    (
        "a kept value that is no number",
        "fn steer(me) { me.keep(\"x\", if me.index == 30 && world.tick > 2 { 0.0 / 0.0 } else { me.random() }, 0); vec(0, 0) }",
        "a number that is not finite cannot be stored",
    ),
];
