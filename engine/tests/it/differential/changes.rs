//! Small scripts in which agents tell others something, leave, and make others.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "agents that leave",
        "fn steer(me) {
            if me.index % 7 == world.tick % 7 { me.leave(); }
            me.cohesion(20)
        }",
        "",
    ),
    (
        "agents that set themselves goals, with and without a radius, of other numbers, and of agents",
        "fn steer(me) {
            let near = me.nearest(40);
            if me.goal == () || world.tick % 5 == me.index % 5 {
                if me.index % 3 == 0 { me.set_goal(vec(me.random(0, 90), 60), 6.5); } else if near != () { me.set_goal(near, me.index % 4); }
                else { me.set_goal(me.pos + vec(3, 0)); }
            }
            if me.goal == () { return vec(0, 1); }
            me.seek(me.goal) + vec(me.goal_radius, 0)
        }",
        "",
    ),
    (
        "goals with a radius below zero",
        "fn steer(me) { if me.index == 66 { me.set_goal(me.pos, 65 - me.index); } vec(0, 0) }",
        "set_goal: the radius must be finite and at least 0",
    ),
    (
        "goals at a place that is no point",
        "fn steer(me) { if me.index == 66 { me.set_goal(me.params.word, 2); } vec(0, 0) }",
        "set_goal",
    ),
    (
        "agents that make others, with and without a state",
        "fn init(me) {
            if !me.state.contains(\"energy\") { me.state.energy = 1.5; }
            me.state.born = world.tick;
        }
        fn steer(me) {
            me.state.energy += 0.5;
            if me.state.energy > 2.2 && world.tick % 3 == me.index % 3 {
                me.state.energy /= 2.0;
                me.create(\"a\", me.pos + vec(2, 1), -me.vel, #{ energy: me.state.energy, by: me.index, near: me.nearest(50) });
                if me.random() > 0.5 { me.create(\"b\", me, vec(me.random(-1, 1), 2)); }
            }
            if world.tick - me.state.born > 4 { me.leave(); me.create(\"c\", me.pos); }
            vec(me.state.energy, me.random())
        }",
        "",
    ),
    (
        "a loop of newcomers with values of different types",
        "fn steer(me) {
            for i in 0..me.index % 3 {
                let mark = if me.index > 40 { i } else { 0.5 };
                if world.count(\"a\") < 90 { me.create(\"a\", me.pos + vec(i, 0), vec(0, 0), #{ mark: mark, name: `x`, flag: i > 0 }); }
            }
            vec(0, 0)
        }",
        "",
    ),
    (
        "an array in the state of a newcomer, which only the interpreter can make",
        "fn steer(me) {
            if me.index == world.tick { me.create(\"a\", me.pos, me.vel, #{ list: [1, 2], map: #{ a: 1 } }); }
            me.wander()
        }",
        "",
    ),
    (
        "more changes than allowed",
        "fn steer(me) {
            if me.index == 66 { for i in 0..40 { me.create(\"a\", me.pos); } }
            vec(0, 0)
        }",
        "at most 32 changes",
    ),
    (
        "a change before the first turn",
        "fn init(me) { if me.index == 66 { me.leave(); } }
        fn steer(me) { vec(0, 0) }",
        "in `steer` only",
    ),
    (
        "a velocity that is no vector for a newcomer",
        "fn steer(me) {
            let vel = if me.index == 66 { 3 } else { me.vel };
            if me.index > 60 { me.create(\"a\", me.pos, vel); }
            vec(0, 0)
        }",
        "`create` takes a velocity",
    ),
    (
        "a number that is not finite in the state of a newcomer",
        "fn steer(me) {
            if me.index > 60 { me.create(\"a\", me.pos, me.vel, #{ x: 1.0 / (66 - me.index).to_float() }); }
            vec(0, 0)
        }",
        "cannot be stored",
    ),
    (
        "values told to an agent, to a group and to neighbors",
        "fn steer(me) {
            let near = me.nearest(30);
            if near != () && me.random() > 0.5 { me.tell(near, \"level\", me.index); me.tell(near, \"mate\", me.nearest(60)); }
            if me.index % 8 == world.tick % 8 { me.tell(me.neighbors(15 + me.index).of(\"a\"), \"flag\", !me.state.flag); }
            if me.index == 3 { me.tell(\"b\", \"aim\", me.vel); me.tell(\"a\", \"temper\", \"wild\"); }
            if me.index == 5 { me.tell(me.neighbors(60), \"secret\", world.tick); me.tell(me.neighbors(20).ahead(), \"level\", 0.5); }
            let force = vec(me.state.level, if me.state.flag { 1 } else { -1 }) + me.state.aim;
            if me.state.temper == \"wild\" { force.x += 2; }
            me.state.level *= 0.5; me.state.flag = false;
            force.limit(30)
        }",
        "",
    ),
    (
        "a message to those who leave, from those who leave, and about newcomers",
        "fn steer(me) {
            if me.index % 5 == world.tick { me.leave(); me.tell(\"a\", \"level\", me.index); }
            if me.state.level > 4 { me.create(\"a\", me.pos + vec(1, 1), me.vel, #{ level: me.state.level - 1, note: \"new\" }); me.state.level = 0; }
            let near = me.nearest(20);
            if near != () { me.tell(near, \"level\", near.state.level + 1); }
            vec(me.state.level, 0)
        }",
        "",
    ),
    (
        "a message of another type",
        "fn steer(me) {
            let what = if me.index == 66 { \"loud\" } else { 2 };
            if me.index > 60 { me.tell(\"b\", \"level\", what); }
            vec(0, 0)
        }",
        "must be a number, but is a string",
    ),
    (
        "a message to an agent that does not hear it",
        "fn steer(me) {
            if me.index == 66 { me.tell(me.nearest(\"b\"), \"secret\", 1); }
            vec(0, 0)
        }",
        "group `b` has no public state `secret`",
    ),
    (
        "agents that capture others, and others that want the same",
        "fn steer(me) {
            let near = me.nearest(12);
            if me.group == \"c\" { return vec(0, 1); }
            let prey = if me.group == \"a\" { me.nearest(\"b\", 20) } else { me.nearest(\"a\", 9) };
            if prey != () && me.random() > 0.5 { me.capture(prey, \"level\"); }
            if me.group == \"a\" && me.index % 9 == world.tick { for other in me.neighbors(8).of(\"a\") { me.capture(other, \"hits\"); } me.leave(); }
            if me.index % 6 == world.tick { me.create(\"a\", me.pos, me.vel); }
            if me.index == 3 { me.tell(\"a\", \"level\", 7); }
            me.wander() + vec(me.state.level, 0)
        }",
        "",
    ),
    (
        "capturing an agent whose group does not allow it",
        "fn steer(me) { if me.index == 60 { me.capture(world.agent(\"c\"), \"level\"); } vec(0, 0) }",
        "agents of group `a` cannot capture agents of group `c`",
    ),
    (
        "capturing into a boolean",
        "fn steer(me) { if me.index == 60 { me.capture(me.nearest(\"b\"), \"flag\"); } vec(0, 0) }",
        "`capture` adds to a number, but the public state `flag` is a boolean",
    ),
    (
        "capturing oneself",
        "fn steer(me) { if me.index == 60 { me.capture(me, \"level\"); } vec(0, 0) }",
        "an agent cannot capture itself",
    ),
    (
        "capturing an agent that has been captured",
        "fn init(me) { me.state.it = (); }
        fn steer(me) { if me.index == 5 { if me.state.it == () { me.state.it = me.nearest(\"a\"); } me.capture(me.state.it, \"level\"); } vec(0, 0) }",
        "has been removed",
    ),
    (
        "messages that are combined",
        "fn steer(me) {
            let near = me.nearest(30);
            if near != () && me.random() > 0.3 { me.tell(\"a\", \"hits\", me.speed); me.tell(\"b\", \"hits\", me.index - 2); }
            me.tell(me.neighbors(25).of(\"a\"), \"fresh\", 0.1); me.tell(me.neighbors(25).of(\"a\"), \"closest\", me.index);
            if me.index == 7 { me.tell(\"a\", \"loud\", world.tick > 2); }
            if me.index % 3 == 0 { me.state.hits = 0; me.state.fresh = 5; }
            if me.state.loud { me.state.loud = me.random() > 0.5; }
            vec(me.state.hits + me.state.fresh, me.state.closest).limit(30)
        }",
        "",
    ),
    (
        "messages that are heard later",
        "fn steer(me) {
            let near = me.nearest(30);
            let later = (me.index % 5) * 0.06;
            if near != () { me.tell(near, \"level\", me.index, later); me.tell(me.neighbors(20), \"mate\", near, 0.1); }
            if me.index % 8 == world.tick % 8 { me.tell(\"a\", \"hits\", me.speed, later); me.tell(\"b\", \"temper\", \"wild\", 0.12); }
            if me.index % 7 == world.tick { me.leave(); me.create(\"a\", me.pos, me.vel); me.tell(\"a\", \"aim\", me.vel, 0.15); }
            let force = me.state.aim + vec(me.state.level, me.state.hits);
            if me.state.temper == \"wild\" { force.x += 2; me.state.temper = \"calm\"; }
            force.limit(30)
        }",
        "",
    ),
    (
        "a message with a delay that is not finite",
        "fn steer(me) { if me.index > 60 { me.tell(\"b\", \"level\", 1, 1.0 / (66 - me.index).to_float()); } vec(0, 0) }",
        "the delay must be finite and at least 0 seconds",
    ),
    (
        "a message with a delay below zero",
        "fn steer(me) { me.tell(\"b\", \"level\", 1, (65.5 - me.index) / 10); vec(0, 0) }",
        "the delay must be finite and at least 0 seconds, but is -0.05",
    ),
    (
        "a message whose delay is no number",
        "fn steer(me) { let delay = if me.index == 66 { \"long\" } else { 0.2 }; me.tell(\"b\", \"level\", 1, delay); vec(0, 0) }",
        "`tell` takes the seconds of a delay",
    ),
    (
        "a message that makes a sum infinite",
        "fn steer(me) { if me.index > 60 { me.tell(\"a\", \"hits\", 3e38, 0.05); } vec(0, 0) }",
        "became infinite",
    ),
    (
        "a message to the agent itself",
        "fn steer(me) { if me.index == 66 { me.tell(me, \"level\", 1); } vec(0, 0) }",
        "cannot tell itself",
    ),
    (
        "a newcomer whose public state has another type",
        "fn steer(me) {
            let level = if me.index == 66 { true } else { 2 };
            if me.index > 60 { me.create(\"b\", me.pos, me.vel, #{ level: level }); }
            vec(0, 0)
        }",
        "must be a number, but is a boolean",
    ),
    (
        "an array for the state of a newcomer, which is no map",
        "fn steer(me) {
            if me.index == 66 { me.create(\"a\", me.pos, me.vel, [\"x\", 2]); }
            vec(0, 0)
        }",
        "`create` takes a map of values, but got an array",
    ),
];
