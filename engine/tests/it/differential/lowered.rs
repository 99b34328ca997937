//! Scripts of which every turn must be lowered: the interpreter is not needed, and both do the same.

/// Name and script.
pub(super) const FULLY_LOWERED_SCRIPTS: &[(&str, &str)] = &[
    (
        "agents that capture the nearest one and all that are near",
        "fn steer(me) {
            if me.group == \"c\" { return vec(0, 0); }
            let prey = if me.group == \"a\" { me.nearest(\"b\", 15) } else { me.nearest(\"a\", 15) };
            if prey != () { me.capture(prey, \"level\"); }
            vec(me.state.level, 0)
        }",
    ),
    (
        "messages that are combined, at once or later",
        "fn steer(me) {
            me.tell(\"a\", \"hits\", 1); me.tell(me.neighbors(30).of(\"b\"), \"hits\", me.speed, 0.1); me.tell(\"a\", \"loud\", true, me.index * 0.02);
            let near = me.nearest(40); if near != () { me.tell(near, \"level\", world.tick, if me.index > 3 { 1 } else { 0.05 }); }
            vec(me.state.hits, me.state.level)
        }",
    ),
    (
        "functions with the same name and other numbers of parameters",
        "fn push(me, k) { push(k) * vec(1, 1) }
        fn push(k) { k + 1 }
        fn steer(me) { push(me, me.index) }",
    ),
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
    (
        "integers and floats in one call",
        "fn steer(me) {
            let x = if me.index % 2 == 0 { me.index - 5 } else { me.speed - 3.5 };
            let y = switch me.index % 3 { 0 => 2, 1 => 2.0, _ => me.vel.x };
            me.state.a = min(x, y); me.state.b = max(x, 3); me.state.c = abs(x); me.state.d = abs(min(x, y));
            me.state.e = floor(x); me.state.f = x.round(); me.state.g = max(y, 0.5).to_int();
            me.state.h = min(2, me.speed); me.state.i = max(me.index, 1.5); me.state.j = fraction(y);
            vec(min(x, y), max(abs(x), 2))
        }",
    ),
    (
        "ranges and conditions in a switch",
        "fn of(x, odd) {
            switch x {
                -3 if odd => 1, -3 => 2, 4 => 30, 100 if !odd => 31,
                -2..2 => 3, 2..=5 if odd => 4, 3..6 => 5, 0..=100 if x == 7 => 6, 5..8 => 8, _ => 9,
            }
        }
        fn steer(me) {
            let sum = 0;
            for x in -5..12 { sum = sum * 3 % 1000003 + of(x, me.index % 2 == 1); }
            me.state.sum = sum;
            me.state.float = of(me.speed * 1.7 - 2, me.speed > 3);
            me.state.mixed = of(if me.index % 2 == 0 { me.index } else { me.speed }, true);
            me.state.edge = of(2.0, true) * 1000 + of(5.0, true) * 100 + of(5.5, false) * 10 + of(8.0, false);
            me.state.other = switch me.group { \"a\" if me.index > 3 => 1, \"a\" | \"b\" => 2, 1..5 => 3, _ => 4 };
            me.state.random = switch me.index { 0..20 if me.random() < 0.5 => me.random(), _ => me.random() };
            switch me.index { 0..9 => { me.state.float = 1; } }
            vec(sum % 7, me.random())
        }",
    ),
    (
        "a switch whose conditions may be nothing",
        "fn steer(me) {
            let other = me.nearest(9);
            let n = switch me.index % 4 { 0 if other != () => other.index, 0..3 if other == () => -1, _ => 5 };
            if n > 3 { return vec(1, 0); }
            switch n { -5..0 => return vec(n, 1), _ => () }
            vec(n, 0)
        }",
    ),
    (
        "elements that each agent picks",
        "const WORDS = [\"zero\", \"one\", \"two\"];
        const MIXED = [1, 2.5, true, vec(3, 4), \"text\"];
        const GRID = [[1, 2, 3], [4, 5, 6]];
        const FLOATS = [0.5, 1.5, 2.5];
        fn corner(i) { [vec(0, 0), vec(100, 0), vec(100, 100), vec(0, 100)][i % 4] }
        fn steer(me) {
            let spots = [me.pos + vec(1, 2), vec(3, 4), me.vel];
            let k = me.index % 3;
            me.state.spot = spots[k]; me.state.back = spots[-1 - k]; me.state.last = spots[-1];
            me.state.word = WORDS[k]; me.state.words = WORDS[k - 3] == \"one\";
            me.state.mixed = MIXED[me.index % 5]; me.state.end = MIXED[-2].x;
            me.state.cell = GRID[me.index % 2][k]; me.state.corner = corner(me.index);
            me.state.rows = [[me.index, 2], [3, me.index]][me.index % 2][if k == 2 { 1 } else { 0 }];
            me.state.float = FLOATS[k - 3] + FLOATS[-1] + FLOATS[k];
            let sum = 0.0;
            for i in 0..3 { sum += [me.speed, 1, me.index][i]; }
            for x in spots { sum += x.x; }
            me.state.sum = sum; me.state.len = spots.len() + [1, me.index].len;
            vec(sum % 5, 0)
        }",
    ),
    (
        "closures over neighborhoods",
        "fn close(me, r) { let near = me.neighbors(r); near.filter(|other| me.distance(other) < r - 2) }
        fn steer(me) {
            let near = me.neighbors(20);
            let fast = near.filter(|other| other.speed > me.speed);
            let speeds = fast.map(|other| other.speed * 2);
            me.state.fast = fast.len() * 100 + close(me, 9).len; me.state.none = fast.is_empty();
            me.state.sum = speeds.reduce(|sum, x| sum + x, 0);
            me.state.most = speeds.reduce(|most, x| if most == () || x > most { x } else { most });
            me.state.some = fast.some(|other| other.index % 7 == 0); me.state.all = speeds.all(|x| x > 6);
            let away = near.map(|other| me.pos - other.pos).filter(|d| d.length() > 3 && d != vec(0, 0));
            let sum = away.reduce(|sum, d, i| sum + d / (1 + d.length() + i), vec(0, 0));
            for (other, i) in fast { if i > 3 { break; } sum += other.vel * 0.01 * i; }
            if near.count > 1 { me.state.first = near[0].index + near[-2].id; }
            if fast.len() > 1 { sum += (fast[0].pos - fast[-1].pos).limit(1); me.state.one = speeds[1]; }
            let odd = near.map(|other| other.id % 2 == 1); let k = 0;
            for x in odd { if x { k += 1; } }
            me.state.odd = k; let others = fast;
            me.state.pairs = fast.filter(|a, i| others.some(|b, j| j != i && a.index == b.index)).len();
            sum.limit(20)
        }",
    ),
    (
        "closures that draw, show and return",
        "fn pick(me, list) { list.filter(|x| { if x.index % 3 == 0 { return false; } me.random() < 0.5 }) }
        fn steer(me) {
            let total = 0;
            for r in 3..6 {
                let near = me.neighbors(r * 2);
                let list = pick(me, near.filter(|other| me.random() < 0.7));
                if list.is_empty() { continue; }
                list.map(|other| { debug(other.index); other.index }).some(|n| n % 2 == me.index % 2);
                total += list.map(|other| me.random() + other.index).reduce(|sum, x| sum + x, 0.0);
            }
            me.state.total = total;
            vec(total % 3, me.random())
        }",
    ),
    (
        "closures that change the agent",
        "fn init(me) { me.state.n = 0; }
        fn steer(me) {
            let near = me.neighbors(15);
            let list = near.filter(|other| { me.state.n += 1; me.vel *= 0.99; me.state.n % 3 != 0 });
            let speeds = list.map(|other| { me.vel += other.vel * 0.01; me.speed + me.state.n });
            me.state.n = me.state.n % 100 + speeds.len();
            vec(speeds.reduce(|sum, x| sum + x, 0.0) % 5, 0)
        }",
    ),
    (
        "closures over known elements and obstacles",
        "const LIST = [3, 1, 4, 1, 5];
        const MIXED = [1, 2.5, true, ()];
        fn steer(me) {
            let n = me.index % 4; let double = |x| x * 2;
            me.state.sum = LIST.map(double).map(|x| x + n).reduce(|sum, x| sum * 3 + x, 0);
            me.state.kept = LIST.filter(|x, i| x + i > n + 2).len();
            me.state.some = MIXED.some(|x| x) && !MIXED.all(|x| x) && [].all(|x| false) && ![].some(|x| true);
            me.state.vectors = [me.vel, me.pos].map(|v| v.length()).filter(|x| x > 4).reduce(|a, b| max(a ?? b, b));
            let centers = world.obstacles.map(|o| o.center);
            me.state.near = centers.filter(|c| me.distance(c) < 60).len() + world.obstacles.filter(|o| o.distance(me) > 9).len();
            me.state.last = world.obstacles[-1].radius + world.obstacles[n % 2].radius;
            me.state.first = world.obstacles.some(|o| o.contains(me.pos));
            centers.reduce(|sum, c| sum + me.to(c).limit(0.1), vec(0, 0))
        }",
    ),
    (
        "public state of others",
        "fn init(me) { me.state.level = me.index; me.state.mate = me.nearest(20); }
        fn steer(me) {
            let near = me.neighbors(25); let sum = vec(0, 0);
            for other in near {
                if other.state.flag { sum += other.state.aim; }
                let state = other.state; sum.x += state.level * 0.1 + state[\"level\"];
                if other.state.temper == \"wild\" { sum.y += 1; }
                let mate = other.state.mate; if mate != () { sum += mate.state.aim * 0.1; }
            }
            let flagged = near.filter(|other| other.state.flag);
            sum += flagged.map(|other| other.state.aim).reduce(|sum, aim| sum + aim, vec(0, 0));
            let own = me.state.level;
            me.state.some = flagged.some(|other| other.state.level > own) && !flagged.all(|o| o.state.flag);
            me.state.flag = me.index % 3 == world.tick % 3; me.state.level += 1; me.state.aim = me.vel;
            me.state.temper = if me.speed > 8 { \"wild\" } else { \"calm\" };
            let nearest = me.nearest(30);
            if nearest != () { me.state.mate = nearest; sum += nearest.state.aim * nearest.state.level; }
            sum.limit(9)
        }",
    ),
    (
        "shared values",
        "fn steer(me) {
            let all = world.shared; let force = vec(all.sum * 0.01 + world.shared[\"record\"], all.count);
            if all.any && all.mood == \"wild\" { force += all.spot * all.least; }
            let who = world.shared.who; if who != () { force += who.vel; }
            me.share(\"sum\", me.index); me.share(\"count\", 1); me.share(\"any\", me.index == 5); me.share(\"all\", me.speed > 3);
            if me.index % 8 == world.tick % 8 { me.share(\"spot\", me.vel); me.share(\"who\", me.nearest(30)); me.share(\"mood\", \"wild\"); }
            for i in 0..me.index % 4 { me.share(\"record\", i); me.share(\"least\", me.random() - i); }
            force.limit(20)
        }",
    ),
];
