//! Small scripts in which agents read and change layers.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "amounts, gradients and the best of three directions",
        "fn steer(me) {
            me.deposit(\"scent\", me.index % 5 + 0.1);
            let ahead = world.best(\"scent\", me, me.heading * 12, 0.8);
            let there = world.amount(\"scent\", me.pos + ahead) - world.amount(\"food\", vec(me.index, 70));
            ahead + world.gradient(\"scent\", me.pos) * 3 + world.gradient(\"food\", me.pos * 1.5) + vec(there, 0)
        }",
        "",
    ),
    (
        "amounts taken by some, and what they had before",
        "fn steer(me) {
            if me.random() > 0.4 { me.take(\"food\", 0.3 * me.index, \"level\"); }
            if me.state.level > 5 { me.deposit(\"scent\", me.state.level, me.pos + vec(0, 15)); me.state.level = 0.25; }
            if me.index == 2 { me.tell(\"a\", \"level\", 3); }
            vec(me.state.level, world.amount(\"scent\", me))
        }",
        "",
    ),
    (
        "deposits in a loop, outside, and by those who leave",
        "fn steer(me) {
            for i in 0..me.index % 4 { me.deposit(\"scent\", i, me.pos + vec(i * 60, 0)); me.take(\"food\", 0.1, \"level\"); }
            if world.tick == 3 && me.index > 20 { me.deposit(\"food\", 1); me.leave(); }
            vec(world.amount(\"food\", me.pos), me.state.level)
        }",
        "",
    ),
    (
        "more changes of layers than allowed",
        "fn steer(me) {
            if me.index == 66 { for i in 0..40 { me.deposit(\"scent\", 1); } }
            vec(0, 0)
        }",
        "at most 32 changes",
    ),
    (
        "a negative amount",
        "fn steer(me) { me.deposit(\"scent\", 66 - me.index); vec(0, 0) }",
        "the amount must be finite and at least 0",
    ),
    (
        "an amount that is not finite",
        "fn steer(me) { me.take(\"food\", 1.0 / (66 - me.index).to_float(), \"level\"); vec(0, 0) }",
        "the amount must be finite",
    ),
    (
        "an amount that is no number",
        "fn steer(me) {
            let amount = if me.index == 66 { \"much\" } else { 2 };
            if me.index > 60 { me.deposit(\"scent\", amount); }
            vec(0, 0)
        }",
        "number",
    ),
    (
        "more than a cell can have",
        "fn steer(me) { if me.index > 65 { me.deposit(\"scent\", 6e14, vec(80, 80)); } vec(0, 0) }",
        "would have more than 1e15",
    ),
    (
        "a change of a layer before the first turn",
        "fn init(me) { if me.index == 66 { me.deposit(\"scent\", 1); } }
        fn steer(me) { vec(0, 0) }",
        "in `steer` only",
    ),
];
