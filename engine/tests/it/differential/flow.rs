//! Small scripts about control flow: branches, loops, functions, errors.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "a variable assigned in one branch only",
        "fn steer(me) {
            let v = vec(1, 0);
            if me.index % 3 == 0 { v = vec(0, 2); } else if me.index % 3 == 1 { v.x = 5; }
            v
        }",
        "",
    ),
    (
        "a variable that is () in one branch",
        "fn steer(me) {
            let x = ();
            if me.pos.x > 80 { x = me.nearest(); }
            if x != () { me.seek(x) } else { vec(0, 0) }
        }",
        "",
    ),
    (
        "a function that tests for ()",
        "fn is_ahead(x) { if x == () { return false; } x.pos.x > 40 || x.index > 60 }
        fn is_missing(x) { x == () }
        fn steer(me) {
            let x = me.nearest(9);
            if is_ahead(x) && me.index > 2 { return me.seek(x); }
            if is_missing(x) { vec(1, 0) } else { me.flee(x) }
        }",
        "",
    ),
    (
        "a semicolon after the last value of a block changes nothing",
        "fn steer(me) { if me.index == 65 { me.wander(); } else { me.wander() * 2 }; }",
        ""),
    (
        "a branch without a value",
        "fn steer(me) { if me.index == 65 { let v = me.wander(); } else { me.wander() } }",
        "",
    ),
    (
        "a result of another kind from one agent",
        "fn steer(me) { if me.index == 10 { return me.index; } vec(0, 0) }",
        "returns an integer",
    ),
    (
        "an early return inside nested loops, for some",
        "fn steer(me) {
            for i in 0..6 {
                for j in 0..6 {
                    if i * j == me.index % 17 { return vec(i, j); }
                    if j > i { break; }
                }
            }
            vec(-1, -1)
        }",
        "",
    ),
    (
        "a return from a loop over neighbors",
        "fn steer(me) {
            for other in me.neighbors(40) {
                if other.id % 7 == me.id % 7 { return me.to(other); }
            }
            vec(0, 1)
        }",
        "",
    ),
    (
        "statements behind a return are not reached",
        "fn steer(me) {
            me.state.n = 1;
            if me.index % 2 == 0 { return vec(1, 0); me.state.n = 2; }
            me.state.n = 3;
            return vec(0, 1);
            me.state.n = 4;
        }",
        "",
    ),
    (
        "the value of a loop",
        "fn steer(me) {
            let n = me.index;
            let steps = 0;
            let end = loop {
                if n == 1 { break steps; }
                if steps > 30 { break \"too long\".len(); }
                if n % 2 == 0 { n /= 2; } else { n = 3 * n + 1; }
                steps += 1;
            };
            let first = while steps > 0 { steps -= 7; if steps == 3 { break 100; } };
            vec(end, if first == () { 0 } else { first })
        }",
        "",
    ),
    (
        "shadowed variables in loops and blocks",
        "fn steer(me) {
            let x = 1;
            for i in 0..3 { let x = x + i; x *= 10; { let x = \"inner\"; me.state.t = x; } me.state.x = x; }
            let x = x + 0.5;
            if true { let x = vec(3, 3); x.y = 1; }
            for x in [7, 8] { x += 1; me.state.y = x; }
            vec(x, 0)
        }",
        "",
    ),
    (
        "while, for each its own number of times",
        "fn steer(me) {
            let n = me.index % 23;
            let sum = 0;
            while n > 0 { sum += n; n -= 1; if sum > 100 { n -= 2; continue; } }
            let m = 0;
            do { m += 1; } while m < me.index % 4;
            do { m += 2; } until m >= 6;
            vec(sum, m)
        }",
        "",
    ),
    (
        "continue skips what follows, for some",
        "fn steer(me) {
            let sum = 0;
            for i in 0..12 {
                if (i + me.index) % 3 == 0 { continue; }
                if i == 9 && me.index % 2 == 0 { break; }
                sum += i;
            }
            vec(sum, 0)
        }",
        "",
    ),
    (
        "ranges of all forms",
        "fn steer(me) {
            let sum = 0;
            for i in 0..me.index % 4 { sum += i + 1; }
            for i in -2..=2 { sum += i * i; }
            for i in range(10, 0, -3) { sum += i; }
            for i in 5..3 { sum += 1000; }
            for (x, place) in [4, 5.5, 6] { sum += x * place; }
            let here = (me.index % 9) in 3..6;
            vec(sum, if here { 1 } else { 0 })
        }",
        "",
    ),
    (
        "a loop over an empty neighborhood",
        "fn steer(me) {
            let v = vec(1, 1);
            for other in me.neighbors(0).of(\"c\") { v += other.pos; }
            for other in [] { v += other; }
            for c in \"\" { v *= 2; }
            v
        }",
        "",
    ),
    (
        "a loop over something that is not an array",
        "fn steer(me) {
            let list = if me.index == 17 { 5 } else { [1] };
            for x in list { }
            vec(0, 0)
        }",
        "cannot iterate over this",
    ),
    (
        "a switch on numbers and strings",
        "fn steer(me) {
            let a = switch me.index % 11 {
                0 => 10,
                1 | 2 => 20,
                3 if me.pos.x > 60 => 30,
                3 => 35,
                7 => { let x = me.index; x * 2 }
                4..=6 => 40.5,
                _ => 60,
            };
            let b = switch me.params.word { \"left\" => 1, \"right\" => 2, \"\" => 3, _ => 4 };
            switch b { 1 => me.state.one = true, _ => () }
            vec(a, b)
        }",
        "",
    ),
    (
        "a switch between integers and others",
        "fn steer(me) {
            let x = if me.index % 2 == 0 { 1 } else { 1.0 };
            vec(switch x { 1 => 5, _ => 6 }, switch me.index == 3 { true => 1, false => 0 })
        }",
        "",
    ),
    (
        "a switch without a case that fits",
        "fn steer(me) { switch me.index / 68 { 0 => vec(0, 1) } }",
        "",
    ),
    (
        "functions that return early, in functions that do",
        "fn steer(me) { outer(me, me.index) + outer(me, (me.index / 3).to_int()) }
        fn outer(me, n) {
            if n % 5 == 0 { return vec(n, 0); }
            let v = inner(n) * 2;
            if v > 10 { return direction(v); }
            me.vel = vec(v, 1);
            me.to(vec(v, v))
        }
        fn inner(n) { for i in 0..n { if i * i > n { return i; } } if n > 3 { 0.5 } else { -1 } }",
        "",
    ),
    (
        "a function that sometimes returns ()",
        "fn steer(me) {
            let found = find(me, 30);
            if found == () { vec(0, 0) } else { me.flee(found) }
        }
        fn find(me, radius) {
            for other in me.neighbors(radius) { if other.speed > me.speed { return other; } }
        }",
        "",
    ),
    (
        "functions that call each other",
        "fn steer(me) { vec(even(me.index % 13), odd(me.index % 13)) }
        fn even(n) { if n == 0 { 1 } else { odd(n - 1) } }
        fn odd(n) { if n == 0 { 0 } else { even(n - 1) } }",
        "",
    ),
    (
        "a function that calls itself too deeply, for some",
        "fn steer(me) { vec(down(me.index / 2), 0) }
        fn down(n) { if n == 0 { 1 } else { down(n - 1) + 1 } }",
        "levels deep",
    ),
    (
        "32 calls within calls",
        "fn steer(me) { vec(down(31), 0) }
        fn down(n) { if n <= 1 { 1 } else { down(n - 1) + 1 } }",
        "",
    ),
    (
        "33 calls within calls",
        "fn steer(me) { if me.index == 3 { vec(down(33), 0) } else { vec(down(20), 0) } }
        fn down(n) { if n <= 1 { 1 } else { down(n - 1) + 1 } }",
        "levels deep",
    ),
    (
        "functions of one name and several numbers of parameters",
        "fn steer(me) { f() + f(2) + f(me, 3) + me.f(4) }
        fn f() { vec(1, 0) }
        fn f(x) { vec(x, 0) }
        fn f(me, x) { me.vel * x }",
        "",
    ),
    (
        "a function on a value",
        "fn steer(me) { let v = vec(1, 2); v.double(); v.add(3); me.state.n = me.index.twice(); v }
        fn double() { this *= 2; }
        fn add(x) { this.x += x; }
        fn twice() { this * 2 }",
        "",
    ),
    (
        "a parameter is a variable of its own",
        "fn steer(me) { let n = me.index; let v = vec(n, 1); f(n, v) + v * n }
        fn f(n, v) { n += 1; v.x = 0; v * n }",
        "",
    ),
    (
        "functions whose arguments do not fit",
        "fn steer(me) { let x = if me.index == 60 { \"a\" } else { 2 }; f(x) }
        fn f(x) { let y = x * 2; vec(y, 0) }",
        "`*` cannot be applied to a string and an integer",
    ),
    (
        "closures, with and without captured variables",
        "fn steer(me) {
            let n = me.index;
            let add = |x| x + n;
            let twice = |x, y| { let z = x * y; z + 1 };
            let all = [1, 2, 3].map(|x| x * 2).filter(|x| x > 2);
            n += 1;
            vec(add.call(2), twice.call(n, 2) + all.len() + call(add, 1))
        }",
        "",
    ),
    (
        "a function pointer",
        "fn steer(me) { let f = if me.index % 2 == 0 { Fn(\"one\") } else { Fn(\"two\") }; f.call(me.index) }
        fn one(x) { vec(x, 0) }
        fn two(x) { vec(0, x) }",
        "",
    ),
    (
        "what is thrown is caught",
        "fn steer(me) {
            let n = 0;
            try {
                n = 1;
                if me.index % 3 == 0 { throw \"three\"; }
                if me.index % 3 == 1 { throw me.index; }
                n = 100 % (me.index % 4);
            } catch (why) { me.state.why = `${why}`; n += 10; }
            vec(n, 0)
        }",
        "",
    ),
    (
        "what is thrown and not caught",
        "fn steer(me) { try { vec(1, 0) } catch { vec(0, 1) } if me.index == 44 { throw \"no\"; } vec(0, 0) }",
        "the script threw \"no\"",
    ),
    (
        "an error caught after something has changed",
        "fn steer(me) {
            me.state.n = 0;
            try { me.vel = vec(9, 9); me.state.n = 1; me.random(); me.params.none; me.state.n = 2; } catch { }
            vec(me.random(), me.state.n)
        }",
        "",
    ),
    (
        "an error in one agent of many",
        "fn steer(me) {
            debug(me.index);
            if me.index == 37 { return me.seek(me.nearest(\"nobody\")); }
            vec(0, 0)
        }",
        "there is no group `nobody`",
    ),
    (
        "two errors in one tick: the first agent's counts",
        "fn steer(me) {
            if world.tick < 2 { return vec(0, 0); }
            if me.index == 50 { me.params.none } else if me.index == 21 { 1 % 0 } else { vec(1, 0) }
        }",
        "division by zero",
    ),
    (
        "an error that comes first in the script and later in the row",
        "fn steer(me) {
            if me.index == 60 { let x = 5 % 0; }
            for i in 0..3 { if me.index == 59 { throw i; } }
            vec(0, 0)
        }",
        "the script threw 0",
    ),
    (
        "an error inside a function inside a loop",
        "fn steer(me) {
            let v = vec(0, 0);
            for i in 0..5 { v += part(me.index, i); }
            v
        }
        fn part(n, i) { vec(12 % (n - i - 25), 0) }",
        "division by zero",
    ),
    (
        "an error in init at tick 0",
        "fn init(me) { me.state.x = [5, 6, 7][me.index]; }
        fn steer(me) { vec(me.state.x, 0) }",
        "the array has no element with index 3",
    ),
    (
        "an endless loop in one agent only",
        "fn steer(me) {
            let n = 0;
            while n < 5 || me.index == 40 { n += 1; }
            vec(n, 0)
        }",
        "stopped after 1,000,000 steps",
    ),
    (
        "a long loop that does end",
        "fn steer(me) {
            let n = 0;
            if me.index == 40 { for i in 0..5000 { n += i % 3; } }
            vec(n, 0)
        }",
        "",
    ),
    (
        "a list that grows too large in one agent",
        "fn steer(me) { let l = []; if me.index == 2 { loop { l.push(1); } } vec(l.len(), 0) }",
        "grows too large",
    ),
    (
        "blocks are values",
        "fn steer(me) {
            let a = { let x = me.index; x += 1; x };
            let b = if a > 10 { let y = a; y * 2 } else { { { 3 } } };
            let c = { };
            vec(a, b + if c == () { 1 } else { 0 })
        }",
        "",
    ),
    (
        "() and its default with ??",
        "fn steer(me) {
            let goal = me.goal ?? vec(1, 2);
            let near = me.nearest(15)?.pos ?? goal;
            let no = ();
            no = no ?? 3;
            let m = #{ a: () };
            vec(no, m.a ?? 4) + me.to(near)
        }",
        "",
    ),
    (
        "a property of ()",
        "fn steer(me) { let n = if me.index == 55 { () } else { me.nearest() }; n.pos - me.pos }",
        "`()` has no property `pos`",
    ),
    (
        "many variables at the same time",
        "fn steer(me) {
            let a = me.index; let b = a * 2; let c = b - a; let d = vec(a, b); let e = d.x; let f = e > c;
            let g = \"x\"; let h = [a, b, c]; let i = #{ a: a, d: d }; let j = (); let k = me.pos; const L = 4;
            a += b; b -= c; c *= 2; d += k; e /= 2; f = !f; g += \"y\"; h[0] = L; i.a = e; j = a;
            if f { d + i.d } else { vec(h[0] + i.a, j + g.len()) }
        }",
        "",
    ),
    (
        "bits and shifts",
        "fn steer(me) {
            let n = me.index;
            vec((n & 12) + (n | 3) - (n ^ 5), (n << 2) + (n >> 1) + (if (n > 3) ^ (n < 9) { 1 } else { 0 }))
        }",
        "",
    ),
    (
        "constants inside functions",
        "fn steer(me) { const K = me.index * 2; let x = K; x += K; const V = vec(K, x); V }",
        "",
    ),
    (
        "a constant cannot be changed, found at runtime",
        "fn steer(me) { const K = [1]; if me.index == 9 { K.push(2); } vec(K.len(), 0) }",
        "a constant cannot be changed",
    ),
];
