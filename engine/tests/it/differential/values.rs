//! Small scripts about values: numbers, vectors, strings, arrays, maps, state and params.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "an index outside of an array of computed elements for one agent",
        "fn steer(me) { let list = [me.pos, me.vel, vec(1, 2)]; list[if me.index == 41 { -4 } else { me.index % 3 }] }",
        "the array has no element with index -4",
    ),
    (
        "an index outside of a constant array for one agent",
        "const LIST = [[1, 2], [3, 4]]; fn steer(me) { vec(LIST[if me.index == 41 { 2 } else { -1 }][-2], 0) }",
        "the array has no element with index 2",
    ),
    (
        "integer remainder by zero for one agent",
        "fn steer(me) { let q = 100 % (me.index - 41); vec(q, 0) }",
        "division by zero",
    ),
    (
        "division of integers by zero for one agent",
        "fn steer(me) { let q = 100 / (me.index - 41); vec(q, 0) }",
        "this vector is not finite",
    ),
    (
        "division of integers gives a float",
        r#"fn steer(me) {
            let q = me.index / 2;
            q /= 3;
            let n = me.index;
            n /= 4;
            me.state.q = [q, n, 1 / 2, type_of(n), (me.index / 4).to_int(), 1 / (1 + me.neighbors(9).count)];
            vec(q + n, me.index / 7 % 2)
        }"#,
        "",
    ),
    (
        "division of integers gives a float, in columns",
        "fn steer(me) {
            let q = me.index / 2;
            q /= 3;
            me.state.n = 7;
            me.state.n /= 2;
            if me.index % 2 == 0 { q = me.index; }
            vec(q / 3, (me.index / 4).to_int() / (1 + me.neighbors(9).count) + me.state.n)
        }",
        "",
    ),
    (
        "an agent compared with a number, for some",
        "fn steer(me) {
            let x = if me.index == 40 { me.nearest() } else { 3 };
            if x == 3 { vec(1, 0) } else { vec(0, 1) }
        }",
        "an agent and an integer cannot be compared with `==`",
    ),
    (
        "anything compares with ()",
        "fn steer(me) {
            let all = [me.nearest() == (), () != me.neighbors(9), me.pos == (), () == (), me.group != (), 3 == ()];
            let n = 0;
            for one in all { if one { n += 1; } }
            if me == () || () == me || me != me { n += 10; }
            vec(n, 0)
        }",
        "",
    ),
    (
        "() is not less than anything",
        "fn steer(me) { let x = if me.index == 30 { () } else { 1 }; if x < 2 { vec(1, 0) } else { vec(0, 1) } }",
        "`<` cannot compare `()` with an integer",
    ),
    (
        "agents stand for their positions",
        "fn steer(me) {
            let other = me.nearest();
            if other == () { return vec(0, 0); }
            let v = other - me + (me.pos - other) + (other + me.vel) + (me - vec(1, 2));
            me.state.d = [me.pos.distance(other), me.pos.distance(me), me.pos.lerp(other, 0.5), other - other];
            v * 0.01
        }",
        "",
    ),
    (
        "agents stand for their positions, in columns",
        "fn steer(me) {
            let other = me.nearest();
            if other == () { return vec(0, 0); }
            let v = other - me + (me.pos - other) + (other + me.vel) + (me - vec(1, 2));
            v * 0.01 + vec(me.pos.distance(other), me.pos.lerp(other, 0.5).distance(me))
        }",
        "",
    ),
    (
        "an agent times a number",
        "fn steer(me) { let x = if me.index == 30 { me.nearest() } else { me.vel }; x * 2 }",
        "`*` cannot be applied to an agent and an integer",
    ),
    (
        "integer remainder by zero for one agent, later",
        "fn steer(me) {
            let q = 100;
            if world.tick >= 2 { q = 7 % (me.index - 66); }
            vec(q, 1)
        }",
        "zero",
    ),
    (
        "integer overflow where the index is large",
        "fn steer(me) {
            let big = 1;
            for i in 0..me.index { big *= 3; }
            vec(0, big % 5)
        }",
        "overflow",
    ),
    (
        "integer sum at the edge of its range",
        "fn steer(me) { let x = 9223372036854775800 + me.index; vec(x % 7, 0) }",
        "overflow",
    ),
    (
        "the least integer negated",
        "fn steer(me) { let x = -9223372036854775807 - me.index % 2; vec((-x) % 3, 0) }",
        "overflow",
    ),
    (
        "integer division rounds toward zero",
        "fn steer(me) {
            let a = me.index - 35;
            me.state.all = [a / 7, a % 7, -a / 7, a / -7, a % -7];
            vec(a / 7, a % 7)
        }",
        "",
    ),
    (
        "integers beyond what a float holds",
        "fn steer(me) {
            let big = 16777217 + me.index;
            me.state.same = big == big * 1.0;
            me.state.exact = big == 16777217 + me.index;
            vec(big - 16777216, big * 1.0 - 16777216)
        }",
        "",
    ),
    (
        "powers of all kinds of numbers",
        "fn steer(me) {
            let x = (me.index % 5) ** 2 + 2.0 ** me.index.min(9) - 2 ** 0.5 + (-1.5) ** 3;
            vec(x, me.speed ** 0)
        }
        fn min(a, b) { if a < b { a } else { b } }",
        "",
    ),
    (
        "a power that is no integer",
        "fn steer(me) { let x = 2 ** (20 - me.index); vec(x, 0) }",
        "does not fit an integer",
    ),
    (
        "negative zero keeps its sign",
        "fn steer(me) {
            let z = -(0.0 * me.index);
            let minus = 0.0 * -1;
            me.state.z = z;
            me.state.min = min(z, minus);
            me.state.max = max(minus, z);
            me.state.angle = atan(z, -1.0);
            me.state.equal = z == 0 && minus == z;
            me.state.v = -vec(0, 0) * z;
            if 1.0 / z < 0 { vec(-0.0, 1) } else { vec(z, -1) }
        }",
        "",
    ),
    (
        "NaN does not equal itself",
        "fn steer(me) {
            let nan = 0.0 / 0.0;
            let odd = if me.index % 2 == 0 { nan } else { 1.5 };
            me.state.tests = [odd == odd, odd != odd, odd < 2, odd >= 2, !(odd < 2), odd == nan, odd.is_nan()];
            me.state.some = [min(odd, 3), max(3, odd) == 3, clamp(odd, 0, 1), floor(min(odd, 2.5))];
            vec(clamp(odd, -1, 1), 0)
        }",
        "",
    ),
    (
        "NaN in a vector",
        "fn steer(me) { vec(sqrt(30 - me.index), 0) }",
        "this vector is not finite",
    ),
    (
        "infinite numbers do not last",
        "fn steer(me) { let x = 1.0 / (me.index - 5); me.state.x = x; vec(0, 0) }",
        "cannot be stored",
    ),
    (
        "a vector too long",
        "fn steer(me) {
            let v = vec(1, 2);
            for i in 0..me.index { v *= 10.5; }
            v.normalized()
        }",
        "this vector is not finite",
    ),
    (
        "a variable that is an integer first and then another",
        "fn steer(me) {
            let x = 1;
            for i in 0..me.index % 6 { x = if i % 2 == 0 { x / 2 } else { x + 0.5 }; }
            me.state.x = x;
            me.state.y = x / 2;
            vec(x, 7 / 2)
        }",
        "",
    ),
    (
        "integers in some agents and floats in others",
        "fn steer(me) {
            let x = if me.index % 2 == 0 { 7 } else { 7.0 };
            me.state.half = x / 2;
            me.state.mod = x % 4;
            me.state.same = x == 7;
            me.state.text = `${x}`;
            x /= 2;
            vec(x, type_of(x).len())
        }",
        "",
    ),
    (
        "a param that changes its type by an event",
        "fn steer(me) {
            let k = me.params.k;
            me.state.k = k;
            me.state.half = k / 3;
            debug(`${me.params.word} ${k}`);
            vec(k / 3, me.params.n)
        }",
        "",
    ),
    (
        "params of all types",
        "fn steer(me) {
            let p = me.params;
            if !p.on || p.word == \"right\" { return -p.spot; }
            me.state.k = p[\"k\"] + p.n;
            p.spot * p.k
        }",
        "",
    ),
    (
        "a param that is not there, asked for by one",
        "fn steer(me) { if me.index == 69 && world.tick == 1 { me.params.kk } else { me.params.spot } }",
        "has no param `kk`",
    ),
    (
        "a param cannot be set",
        "fn steer(me) { if me.id == 2 { me.params.k = 3; } vec(0, 0) }",
        "a script cannot set the param `k`",
    ),
    (
        "state that changes its type over time",
        "fn init(me) { me.state.x = 0; }
        fn steer(me) {
            let x = me.state.x;
            me.state.x = switch (world.tick + me.index) % 6 {
                0 => 3, 1 => 2.5, 2 => vec(1, 2), 3 => \"text\", 4 => me.nearest(), _ => (),
            };
            if type_of(x) == \"vector\" { x } else if type_of(x) == \"i64\" { vec(x, 1) } else { vec(0, 2) }
        }",
        "",
    ),
    (
        "state that changes its type and is used too early",
        "fn init(me) { me.state.x = 1; }
        fn steer(me) {
            let v = me.state.x * vec(1, 0);
            if world.tick == 3 && me.index > 50 { me.state.x = \"one\"; }
            v
        }",
        "cannot be applied to a string and a vector",
    ),
    (
        "state that only some ever set",
        "fn init(me) { if me.index % 3 > 0 { me.state.rare = me.index; } }
        fn steer(me) {
            if me.index % 3 > 0 { me.state.rare += 1; return vec(me.state.rare, 0); }
            vec(0, 1)
        }",
        "",
    ),
    (
        "state never set, asked for by one",
        "fn steer(me) { if me.index == 64 { me.state.rare } else { vec(0, 0) } }",
        "`me.state.rare` is read before it is set",
    ),
    (
        "state set in a run before",
        "fn steer(me) {
            if world.tick == 0 { me.state.first = me.pos; }
            if me.id < 80 { me.to(me.state.first) } else { vec(0, 0) }
        }",
        "",
    ),
    (
        "an array kept and changed in place",
        "fn init(me) { me.state.list = []; }
        fn steer(me) {
            me.state.list.push(me.index * world.tick);
            if me.state.list.len() > 4 { me.state.list.shift(); me.state.list[0] += 1; }
            me.state.list[-1] *= 2;
            vec(me.state.list[0], me.state.list[-1])
        }",
        "",
    ),
    (
        "a map kept and changed in place",
        "fn init(me) { me.state.m = #{ n: 0, at: vec(1, 2), deep: #{ x: [1, 2.5] } }; }
        fn steer(me) {
            me.state.m.n += me.index % 3;
            me.state.m.at.x = me.state.m.n;
            me.state.m.deep.x[1] -= 0.5;
            if me.index == 5 { me.state.m.more = \"text\"; }
            me.state.m.at
        }",
        "",
    ),
    (
        "components of vectors in state",
        "fn init(me) { me.state.v = vec(0, 0); }
        fn steer(me) { me.state.v.x += 1; me.state.v.y = me.state.v.x / 2; me.vel.x *= 0.5; me.state.v }",
        "",
    ),
    (
        "state that grows too large for one agent",
        "fn steer(me) {
            me.state.list = [];
            if me.index == 33 && world.tick == 1 {
                for i in 0..200 { me.state[\"k\" + i] = \"0123456789012345678901234567890123456789012345678901234567890123456789\"; }
            }
            vec(0, 0)
        }",
        "holds too much",
    ),
    (
        "values that state cannot hold",
        "fn steer(me) { if me.index == 12 { me.state.who = me; } vec(0, 0) }",
        "`me` cannot be stored",
    ),
    (
        "an agent kept in state and then gone",
        "fn init(me) { me.state.friend = (); }
        fn steer(me) {
            if world.tick == 0 { me.state.friend = me.nearest(\"b\"); }
            me.seek(me.state.friend)
        }",
        "has been removed",
    ),
    (
        "a removed agent kept in state still has its id",
        "fn init(me) { me.state.friend = (); }
        fn steer(me) {
            if world.tick == 0 { me.state.friend = me.nearest(\"b\"); }
            if me.state.friend == () { return vec(0, 0); }
            vec(me.state.friend.id, if me.state.friend == me.nearest(\"b\") { 1 } else { 0 })
        }",
        "",
    ),
    (
        "constants: an array of maps, indexed by state",
        "const LEGS = [#{ to: vec(40, 10), n: 2 }, #{ to: vec(5, 30), n: 1 }, #{ to: vec(90, 90), n: 3 }];
        const SOME = #{ half: 0.5, name: \"x\", all: [1, 2.5, 3] };
        fn init(me) { me.state.leg = me.index % LEGS.len(); me.state.left = LEGS[me.state.leg].n; }
        fn steer(me) {
            if me.state.left == 0 {
                me.state.leg = (me.state.leg + 1) % LEGS.len();
                me.state.left = LEGS[me.state.leg].n;
            }
            me.state.left -= 1;
            (LEGS[me.state.leg].to - me.pos) * SOME.half / SOME.all[me.state.leg]
        }",
        "",
    ),
    (
        "a constant made of others",
        "const A = 3;
        const B = A * 2.5 + sin(A);
        const C = vec(A, B).rotated(PI / 3);
        fn steer(me) { C * me.index + vec(B, A / 2) }",
        "",
    ),
    (
        "a negative index counts from the end",
        "const LIST = [1, 2.5, \"three\", vec(4, 4)];
        fn steer(me) { LIST[-1] * LIST[-3] + vec(LIST[-(me.index % 2) - 3], 0) }",
        "",
    ),
    (
        "an index out of range for some",
        "fn steer(me) { let list = [1, 2, 3]; vec(list[(me.index / 20).to_int()], 0) }",
        "the array has no element with index 3",
    ),
    (
        "an index out of range at last",
        "fn steer(me) { let list = [1, 2, 3]; vec(list[((me.index + world.tick) / 20).to_int()], 0) }",
        "the array has no element with index 3",
    ),
    (
        "an element of something without elements",
        "fn steer(me) { let m = #{ a: 1 }; if me.index == 7 { m.b * vec(1, 0) } else { vec(m.a, m[\"a\"]) } }",
        "cannot be applied to `()` and a vector",
    ),
    (
        "strings that are not known before the run",
        "fn steer(me) {
            let mood = if me.index % 2 == 0 { \"calm\" } else { me.params.word };
            me.state.mood = mood;
            let is_calm = mood == \"calm\" || mood == \"nowhere\";
            let later = mood < \"dog\";
            vec(if is_calm { 1 } else { 0 }, if later { 1 } else { -1 })
        }",
        "",
    ),
    (
        "joined strings",
        "fn steer(me) {
            let t = me.group + \"-\" + me.index;
            t += `:${world.tick % 3}`;
            me.state.t = t;
            vec(t.len(), if t.contains(\"1\") { 2 } else { 0 })
        }",
        "",
    ),
    (
        "a value of any type compares with ()",
        "fn steer(me) {
            let x = [(), 1, 1.0, \"1\", true, vec(1, 0), me.nearest(), [1]][me.index % 8];
            me.state.e = [x == (), () != x];
            vec(0, 0)
        }",
        "",
    ),
    (
        "values of different types have no order",
        "fn steer(me) {
            let x = if me.index == 20 { \"1\" } else { 1 };
            if x < 2 { vec(1, 0) } else { vec(0, 1) }
        }",
        "`<` cannot compare a string with an integer",
    ),
    (
        "a vector where a number is expected",
        "fn steer(me) {
            let x = if me.index == 63 { me.pos } else { me.speed };
            vec(sin(x), 0)
        }",
        "the argument of `sin` must be a number, but is a vector",
    ),
    (
        "a condition that is not a boolean",
        "fn steer(me) {
            let x = if me.index == 31 { 1 } else { true };
            if x { vec(1, 0) } else { vec(0, 1) }
        }",
        "expected a boolean, found an integer",
    ),
    (
        "&& and || evaluate no more than they must",
        "fn steer(me) {
            let near = me.nearest(20);
            let a = near != () && near.speed > me.random();
            let b = near == () || me.random() < 0.5;
            let c = a & (me.random() < 0.5) | b;
            vec(me.random(), if a && b || !c { 1 } else { 2 })
        }",
        "",
    ),
    (
        "vectors: every operation",
        "fn steer(me) {
            let v = me.vel + vec(1.5, -2);
            let w = v * vec(2, 0.5) / vec(3, 4) - -v + +v;
            w.x = v.y; w.y += 2;
            w += v.perp(); w -= direction(me.index); w *= 2; w /= 4; w *= vec(1, -1);
            let n = [w.length(), w.length_squared(), w.dot(v), w.cross(v), w.angle(), w.distance(v)];
            me.state.n = n;
            me.state.same = [v == w, v != w, v == v];
            w.rotated(0.3).limit(12).lerp(v, 0.25) + w.normalized() + v.with_length(3) + v.limit(-1) + 2 * v + 0.5 * w
        }",
        "",
    ),
    (
        "numbers: every function",
        "fn steer(me) {
            let x = me.random(-2, 2);
            let all = [sin(x), cos(x), tan(x), asin(x / 3), acos(x / 3), atan(x), atan(x, 2), sinh(x), cosh(x),
                tanh(x), exp(x), abs(x), min(x, 1), max(1, x), clamp(x, -1, 1), lerp(x, 2, 0.5), floor(x),
                ceiling(x), round(x), to_int(x * 100), to_float(3), to_radians(x), to_degrees(x), pow(2, x)];
            all += [ln(x + 3), log(x + 3), log(x + 3, 2), sqrt(x + 2), x.fraction(), 5.max(me.index), (-3).abs()];
            me.state.all = all;
            vec(all[0], all[1]) * PI
        }",
        "",
    ),
    (
        "arrays: all functions",
        "fn steer(me) {
            let list = [me.index % 5, 3, 1.5, -2];
            list.push(me.index % 4); list.insert(0, 9); list[1] += 2;
            list.sort();
            let big = list.filter(|x| x > 1).map(|x| x * 2);
            let sum = 0;
            for x in big { sum += x; }
            list.remove(0); list.pop(); list.reverse();
            me.state.l = list;
            vec(sum, list.len() + if 3 in list { 1 } else { 0 })
        }",
        "",
    ),
    (
        "copies are copies",
        "fn steer(me) {
            let a = [1, 2]; let b = a; b[0] = me.index; b.push(5);
            let v = vec(1, 2); let w = v; w.x = 7;
            let m = #{ v: v }; m.v.y = 9;
            change(a, v);
            vec(a[0] + v.x, a.len() + v.y + b[0] + w.x + m.v.y)
        }
        fn change(list, v) { list[0] = 100; list.push(3); v.x = 100; v.y = 50; }",
        "",
    ),
];
