//! Small scripts about shared values of the world.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "shared values of all rules and types",
        "fn steer(me) {
            let all = world.shared; let force = vec(all.sum * 0.01, all.count);
            if all.any { force += all.spot; } if !world.shared.all { force.y -= all.record; }
            if all.mood == \"wild\" { force.x += all.least; }
            if all.who != () { force += all.who.vel; }
            me.share(\"sum\", me.speed - me.index); me.share(\"count\", 1); me.share(\"any\", me.index == 5); me.share(\"all\", me.index % 9 > 0);
            if me.random() > 0.5 { me.share(\"record\", me.index % 7); me.share(\"least\", me.random()); }
            if me.index % 8 == world.tick % 8 { me.share(\"spot\", me.vel); me.share(\"who\", me.nearest(30)); }
            if me.index % 11 == world.tick { me.share(\"mood\", if me.index > 30 { \"wild\" } else { \"calm\" }); }
            force.limit(20)
        }",
        "",
    ),
    (
        "shared values by strings, as a string, and in the state of an agent",
        "fn init(me) { me.state.first = world.shared.sum; }
        fn steer(me) {
            let name = \"sum\"; me.share(name, 0.25); me.share(\"spot\", me.pos);
            if me.index % 9 == 1 { debug(world.shared); debug(world.shared[name]); debug(world.shared.mood); }
            me.state.spot = world.shared.spot; me.state.who = world.shared.who; me.state.mood = world.shared.mood;
            for i in 0..me.index % 3 { me.share(\"record\", i * me.index); }
            vec(world.shared[\"sum\"] + me.state.first, world.shared.record)
        }",
        "",
    ),
    (
        "a shared agent that has left",
        "fn steer(me) {
            if me.index == world.tick { me.share(\"who\", me.nearest()); }
            if me.index == world.tick + 1 { me.leave(); }
            let who = world.shared.who;
            if me.index == 40 && who != () && me.neighbors().contains(who) { who.vel } else { vec(1, 0) }
        }",
        "",
    ),
    (
        "contributions of agents that leave and of newcomers",
        "fn steer(me) {
            me.share(\"count\", 1);
            if me.index % 6 == world.tick { me.leave(); me.create(\"a\", me.pos + vec(world.shared.count, 1), me.vel); }
            vec(world.shared.count, 0)
        }",
        "",
    ),
    (
        "more contributions than allowed",
        "fn steer(me) { if me.index == 66 { for i in 0..40 { me.share(\"sum\", i); } } vec(0, 0) }",
        "at most 32 changes",
    ),
    (
        "a contribution before the first turn",
        "fn init(me) { if me.index == 66 { me.share(\"sum\", 1); } } fn steer(me) { vec(0, 0) }",
        "in `steer` only",
    ),
    (
        "a contribution of another type",
        "fn steer(me) { let x = if me.index == 66 { true } else { 2 }; if me.index > 60 { me.share(\"sum\", x); } vec(0, 0) }",
        "the shared value `sum` is a number, but `share` got a boolean",
    ),
    (
        "a contribution that is not finite",
        "fn steer(me) { if me.index > 60 { me.share(\"record\", 1.0 / (66 - me.index).to_float()); } vec(0, 0) }",
        "cannot be contributed to the shared value `record`",
    ),
    (
        "a sum that becomes infinite",
        "fn steer(me) { if me.index > 60 { me.share(\"sum\", 3e38); } vec(0, 0) }",
        "the shared value `sum` became infinite",
    ),
    (
        "a shared value that nobody declares",
        "fn steer(me) { if me.index == 66 { me.share(\"sums\", 1); } vec(0, 0) }",
        "there is no shared value `sums`",
    ),
    (
        "reading a shared value that nobody declares",
        "fn steer(me) { if me.index == 66 { return vec(world.shared.sums, 0); } vec(0, 0) }",
        "there is no shared value `sums`",
    ),
    (
        "a shared value cannot be set",
        "fn steer(me) { if me.index == 66 { let all = world.shared; all.sum = 3; } vec(0, 0) }",
        "cannot set the shared value `sum`",
    ),
];
