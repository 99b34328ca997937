//! Small scripts in which some agents leave early: from operands, conditions and blocks inside of expressions. Each
//! once gave different results lowered and interpreted.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "an agent that left in one branch does not return in a branch that no agent took",
        "fn steer(me) {
            if me.index % 2 == 1 { return vec(20, 20); } else { if me.index % 4 == 0 { return vec(7, 7); } }
            vec(1, 0)
        }",
        "",
    ),
    (
        "a return inside an operand of ||",
        "fn init(me) { me.state.u = 0; }
        fn steer(me) {
            if me.index % 2 == 1 || ({ if me.index % 3 == 0 { return vec(1, 0); } true }) { me.state.u = 5; }
            vec(0, 1)
        }",
        "",
    ),
    (
        "a return inside an operand of ??",
        "fn init(me) { me.state.u = 0; }
        fn steer(me) {
            let x = (if me.index % 2 == 1 { 1 }) ?? ({ if me.index % 3 == 0 { return vec(1, 0); } 2 });
            me.state.u = x;
            vec(0, 1)
        }",
        "",
    ),
    (
        "what an operand of && changes",
        "fn steer(me) {
            let x = ();
            if me.index % 2 == 1 && ({ x = me.index; true }) { }
            if x == () { vec(0, 1) } else { vec(x, 0) }
        }",
        "",
    ),
    (
        "what an operand of ?? changes",
        "fn steer(me) {
            let x = ();
            let y = (if me.index % 2 == 1 { 1 }) ?? ({ x = me.index; 2 });
            if x == () { vec(0, y) } else { vec(x, 0) }
        }",
        "",
    ),
    (
        "a return in the condition of a loop",
        "fn init(me) { me.state.n = 0; }
        fn steer(me) {
            let i = 0;
            while ({ if me.index % 2 == 0 && i == 1 { return vec(9, 9); } i < 3 }) { i += 1; me.state.n = i; }
            vec(1, 0)
        }",
        "",
    ),
    (
        "a return in the condition at the end of a loop",
        "fn init(me) { me.state.n = 0; }
        fn steer(me) {
            let i = 0;
            do { i += 1; me.state.n = i; } while ({ if me.index % 2 == 0 && i == 1 { return vec(9, 9); } i < 3 });
            vec(1, 0)
        }",
        "",
    ),
    (
        "a break in the condition of an inner loop leaves the outer one",
        "fn init(me) { me.state.n = 0; }
        fn steer(me) {
            for j in 0..2 {
                let i = 0;
                while ({ if me.index % 2 == 0 && i == 1 { break; } i < 3 }) { i += 1; me.state.n += i; }
                me.state.n += 100;
            }
            vec(1, 0)
        }",
        "",
    ),
    (
        "a variable as the first argument is read last",
        "fn first(a, b) { a }
        fn steer(me) {
            let s = if me.index % 2 == 0 { 2.5 } else { 1 };
            let t = first(s, { s += 3; 1 });
            vec(t, s + { s += 3; 1 })
        }",
        "",
    ),
    (
        "functions of a param as methods",
        "fn steer(me) {
            let s = 2.5;
            vec(s.clamp(1.5, 2.0), me.params.k.clamp(1.5, 2.5) + me.params.k.lerp(1, 0.5))
        }",
        "",
    ),
    (
        "a string that only init knows",
        "fn init(me) { me.state.t = \"calm\"; me.state.n = 0; }
        fn steer(me) { me.state.n += 1; vec(me.state.n, 0) }",
        "",
    ),
];
