//! Small scripts about public state.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "public state of all types",
        "fn init(me) { me.state.level = me.index; me.state.mate = me.nearest(20); }
        fn steer(me) {
            let sum = vec(0, 0);
            for other in me.neighbors(25) {
                if other.state.flag { sum += other.state.aim; }
                sum.x += other.state.level * 0.1;
                if other.state.temper == \"wild\" { sum.y += 1; }
            }
            me.state.flag = me.index % 3 == world.tick % 3; me.state.level += 1;
            me.state.aim = me.vel; me.state.temper = if me.speed > 8 { \"wild\" } else { \"calm\" };
            sum.limit(9)
        }",
        "",
    ),
    (
        "init sees the first public state of all agents, or what they have set by now",
        "fn init(me) { me.state.seen = 0.0; for other in me.neighbors(30) { me.state.seen += other.state.level; }
            me.state.level = 100 + me.index; }
        fn steer(me) { me.state.level *= 0.5; vec(me.state.seen % 7, 0) }",
        "",
    ),
    (
        "public state of an agent that is kept, and of a kept agent of another agent",
        "fn steer(me) {
            if me.state.mate == () { me.state.mate = me.nearest(30); }
            let mate = me.state.mate;
            if mate == () || !me.neighbors().contains(mate) { me.state.mate = (); return vec(1, 0); }
            let far = mate.state.mate;
            let v = me.to(mate) * mate.state.level;
            if far != () && me.neighbors().contains(far) { v += far.state.aim + me.to(far) * 0.1; }
            v.limit(20)
        }",
        "",
    ),
    (
        "public state under other names, by strings and as a string",
        "fn of(state) { state.level + state[\"level\"] }
        fn steer(me) {
            let own = me.state; own.level += 0.5;
            let near = me.nearest(40);
            if near == () { return vec(0, 0); }
            let state = near.state; let name = if me.index % 2 == 0 { \"level\" } else { \"level\" };
            if me.index % 9 == 1 { debug(state); debug(near.state[name]); }
            vec(of(near.state), state.aim.x)
        }",
        "",
    ),
    (
        "public state that not all groups declare",
        "fn steer(me) {
            let sum = 0;
            for other in me.neighbors(20).of(\"a\") { sum += other.state.secret; }
            if me.index == 67 { sum += me.nearest(\"b\").state.secret; }
            vec(sum % 5, 0)
        }",
        "group `b` has no public state `secret`",
    ),
    (
        "public state that nobody declares",
        "fn steer(me) { if me.index == 66 { me.nearest().state.flags } vec(0, 0) }",
        "no group has a public state `flags`",
    ),
    (
        "the state of another agent cannot be set",
        "fn steer(me) { if me.index == 66 { let other = me.nearest(); other.state.flag = true; } vec(0, 0) }",
        "cannot set the state of another agent",
    ),
    (
        "the state of another agent under another name cannot be set",
        "fn steer(me) { if me.index == 66 { let state = me.nearest().state; state[\"flag\"] = true; } vec(0, 0) }",
        "cannot set the state of another agent",
    ),
    (
        "a boolean that becomes a number",
        "fn steer(me) { if me.index == 66 { me.state.flag = 1; } vec(0, 0) }",
        "the public state `flag` must be a boolean, but is an integer",
    ),
    (
        "a number that becomes a vector for some agents",
        "fn steer(me) { me.state.level = if me.index == 66 { me.pos } else { me.index }; vec(0, 0) }",
        "the public state `level` must be a number, but is a vector",
    ),
    (
        "an agent that becomes an array",
        "fn steer(me) { if me.index == 66 { me.state.mate = [me.index]; } vec(0, 0) }",
        "the public state `mate` must be an agent or `()`, but is an array",
    ),
    (
        "a string that is put together, and one that others do not know",
        "fn steer(me) {
            if me.index % 20 == 3 { me.state.temper = `${me.index} wild`; }
            let near = me.nearest(30);
            if near != () && near.state.temper == \"3 wild\" { return vec(1, 0); }
            if near != () && \"calm\" != near.state.temper { debug(near.state.temper); return vec(2, 0); }
            let temper = if near == () { \"none\" } else { near.state.temper };
            me.state.seen = temper;
            if temper == me.state.temper { vec(0, 2) } else { vec(0, 1) }
        }",
        "",
    ),
    (
        "public state of agents that others make",
        "fn steer(me) {
            if world.tick % 2 == 1 && me.index % 9 == 0 {
                me.create(\"b\", me.pos + vec(1, 0), me.vel, #{ level: me.index, aim: me.vel });
            }
            let near = me.nearest(\"b\", 40);
            if near == () { vec(0, 1) } else { vec(near.state.level, 0) + near.state.aim }
        }",
        "",
    ),
    (
        "choices that are public",
        "fn calm(me) { vec(0, 1) } fn next_calm(me) { if me.random() < 0.4 { \"wild\" } }
        fn wild(me) { vec(1, 0) } fn next_wild(me) { if me.random() < 0.6 { \"calm\" } }
        fn steer(me) {
            let wild = me.neighbors(30).filter(|other| other.state.temper == \"wild\").len();
            let level = me.choose(\"level\", [0.5, me.random()], 0.1, 0.1);
            let flag = me.keep(\"flag\", me.random() < 0.5, 0.1);
            me.machine(\"temper\", [\"calm\", \"wild\"]) + vec(wild, level + if flag { 1 } else { 0 })
        }",
        "",
    ),
];
