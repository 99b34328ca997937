//! Scripts of which every turn must be lowered: the interpreter is not needed, and both do the same.

/// Name and script.
pub(super) const FULLY_LOWERED_SCRIPTS: &[(&str, &str)] = &[
    (
        "messages of every type",
        "fn steer(me) {
            debug(1); debug(-2.5); debug(1e20); debug(0.0000001); debug(true); debug(()); debug(\"a \\\"b\\\"\");
            debug(me.index); debug(me.speed); debug(me.vel); debug(me.speed > 2); debug(me.group); debug(me);
            debug(me.params.word); debug(me.goal); debug(me.nearest(30)); debug(me.max_speed);
            for other in me.neighbors(8) { debug(other); }
            debug(if me.index % 2 == 0 { me.index } else { me.speed });
            vec(0, 0)
        }",
    ),
    (
        "messages of arrays and maps",
        "const LIST = [1, 2.5, \"text\", vec(1, 2), #{ b: (), a: [true] }];
        const MAP = #{ x: 1.0, name: \"it\" };
        fn steer(me) {
            debug(LIST); debug(MAP); debug([]); debug([me.index, me.vel, \"a\", (), [me.speed], LIST, me.group]);
            debug(`${LIST} and ${[me.index, \"q\"]}`);
            vec(0, 0)
        }",
    ),
    (
        "strings put together to be shown",
        "fn name(me, n) { \"agent \" + me.index + \" of \" + me.group + n }
        fn steer(me) {
            let t = `${me.index}: ${me.vel} ${()} ${true} ${me}` + 1.5;
            debug(t); debug(\"<\" + t + \">\"); debug(name(me, \"!\")); debug(me.speed + \" is the speed\");
            debug(me.speed.to_string()); debug(me.group.to_string()); debug(me.vel.to_debug() + \"\");
            debug(\"none: \" + me.goal); debug([t.to_string().to_string(), 1].len());
            let s = \"\"; s += me.index; s += \", \"; s += me.pos; debug(s);
            let u = if me.index % 3 == 0 { \"third \" + me.index } else { \"other\" }; debug(u);
            debug(if me.index % 2 == 0 { \"even\" } else { `odd ${me.index}` });
            vec(0, 0)
        }",
    ),
    (
        "messages in branches, loops and functions",
        "fn told(me, x) { debug(x); if x > 3 { return 1; } debug(\"small\"); 2 }
        fn init(me) { debug(\"born \" + me.index); me.state.n = 0; }
        fn steer(me) {
            if me.index % 3 == 0 { debug(\"zero\"); } else if me.index % 3 == 1 { debug(me.index); }
            for i in 0..me.index % 5 { if i == 3 { break; } debug(`${i} of ${me.state.n}`); me.state.n += i; }
            let n = 0; while n < 3 { n += 1; if n == 2 { continue; } debug(n); }
            for x in [1, 2.5] { debug(x); }
            debug(told(me, me.index % 7));
            vec(n, 0)
        }",
    ),
    (
        "more messages than an agent can write",
        "fn steer(me) { for i in 0..60 + me.index { debug(i); } vec(0, 0) }",
    ),
];
