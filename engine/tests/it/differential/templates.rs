//! Templates of the statements of generated scripts. The templates of expressions are in `expressions`.
//!
//! In a template, `$` and a letter stand for an expression of a kind:
//!
//! - `W` an integer, `T` a tame number (finite, not large), `N` any number, `R` a number from 0;
//! - `B` a boolean, `V` a vector, `S` a string, `G` the name of a group, `E` the name of a path;
//! - `A` an agent, `M` an agent or `()`, `Q` a point or an agent, `H` a neighborhood, `I` a neighborhood or a radius;
//! - `O` an obstacle, `P` a path, `Y` a path or its name, `f` a field, `l` a field, its name or a vector;
//! - `L` an array of numbers, `F` an array of vectors, `D` a map with `n`, `v` and `t`, `C` a constant array of such;
//! - `U` a vector or `()`; `w`, `t` and `q` constant arrays of `W`, `T` and `V`;
//! - `X` anything, `K` anything that can be kept in a state, `r` what the function returns, `?` the kind that is asked for.
//!
//! `$1` to `$3` are names. `$+1V` makes the first name a variable of a kind for what follows, `$=1V` one that is not to
//! be assigned to. No template asks for the kind `Z`. `$_` stands for a few statements, and `$!` for something that
//! fails. `$[` and `$]` enclose a scope, `$<` and `$>` a loop, `$^` and `$>` a loop that must not be left by a `break`
//! without a value. `$(` and a letter, and `$)`, enclose the body of a closure with a result of a kind, which assigns to no
//! variable around it.
//!
//! A `~` at the start marks what needs the interpreter. Most scripts have nothing of this kind.

use std::sync::LazyLock;

use super::expressions::EXPRESSIONS;
use flockwork_engine::steer::{
    COMBINATORS, ForceKind, PRIMITIVES, ParamDefault, ParamKind, Primitive,
};

/// Templates of expressions for every kind.
pub(super) const GENERAL: &[&str] = &[
    "(if $B { $? } else { $? })",
    "(if $B { $? } else if $B { $? } else { $? })",
    "~(switch $W % 4 { 0 => $?, 1 | 3 => $?, 2 if $B => $?, _ => $? })",
    "(switch $S { \"left\" => $?, \"b\" | \"\" => $?, _ => $? })",
    "~(switch $W % 9 { 0..3 => $?, 5..=6 if $B => $?, _ => { $? } })",
    "({ let $1 = $T;$[$+1T $?$] })",
    "({ let $1 = $V;$[$+1V $_ $?$] })",
    "~#{ x: $? }.x",
    "~[$?, $?][abs($W) % 2]",
    "(() ?? $?)",
    "(switch $W % 4 { 0 => $?, 1 | 3 => $?, _ => $? })",
    "(switch $B { true => $?, false => $? })",
    "({ let $1 = $X;$[$+1X $_ $?$] })",
    "({ if $B { return $r; } $? })",
    "({ if $B { break; } $? })",
    "({ if $B { continue; } $? })",
    "({ $_ $? })",
    "[$?, $?][1]",
    "(if $B { $_ $? } else { $_ $? })",
    "~(|| $?).call()",
];

pub(super) const STATEMENTS: &[&str] = &[
    "let $1 = $V;$+1V",
    "let $1 = $T;$+1T",
    "let $1 = $N;$+1N",
    "let $1 = $W;$+1W",
    "let $1 = $B;$+1B",
    "let $1 = $S;$+1S",
    "let $1 = $M;$+1M",
    "let $1 = $H;$=1H",
    "let $1 = $O;$=1O",
    "let $1 = $P;$=1P",
    "let $1 = $L;$+1L",
    "let $1 = $F;$+1F",
    "let $1 = $D;$+1D",
    "let $1 = $X;$+1X",
    "let $1;$+1X",
    "const $1 = $T;$=1T",
    "const $1 = $V;$=1V",
    "let $1 = if $B { $T } else { $W };$+1N",
    "let $1 = if $B { $V };$=1X",
    "~let $1 = switch $W % 5 { 0 => $T, 1 | 2 => $T, 3 if $B => $N, _ => $T };$+1N",
    "let $1 = { $_ $V };$+1V",
    "let $1 = $M; if $1 == () { return $r; }$+1A",
    "let $1 = $M; if $1 != () { $[$=1A$_$] }$+1M",
    "~let $2 = 0; let $1 = loop { $2 += 1; if $2 > 3 || $B { break $T; } $^$[$=2W$_$]$> };$=2W$+1T",
    "~let $2 = 0; let $1 = while $2 < 4 { $2 += 1; $^$[$=2W$_ if $B { break $V; }$]$> };$=2W$=1X",
    "if $B { $_ }",
    "if $B { $_ } else { $_ }",
    "if $B { $_ } else if $B { $_ } else { $_ }",
    "~switch $W % 4 { 0 => { $_ }, 1 => { $_ }, 2 if $B => { $_ }, _ => { $_ } }",
    "for $1 in 0..$W % 5 { $<$[$=1W$_$]$> }",
    "for $1 in -1..=2 { $<$[$=1W$_$]$> }",
    "~for $1 in range(6, 0, -2) { $<$[$=1W$_$]$> }",
    "for $1 in me.neighbors(12) { $<$[$=1A$_$]$> }",
    "for $1 in me.neighbors(25).of($G) { $<$[$=1A$_$]$> }",
    "for $1 in me.neighbors(25).prey() { $<$[$=1A$_$]$> }",
    "for $1 in me.neighbors(20).ahead() { $<$[$=1A$_$]$> }",
    "for $1 in $H { $<$[$=1A if $1.id % 5 == 0 || $B { break; } $_$]$> }",
    "for $1 in world.obstacles { $<$[$=1O$_$]$> }",
    "for $1 in $L { $<$[$+1T$_$]$> }",
    "for ($1, $2) in $L { $<$[$+1T$=2W$_$]$> }",
    "for $1 in $F { $<$[$+1V$_$]$> }",
    "for $1 in [] { $<$[$=1X$_$]$> }",
    "let $1 = $W % 4; while $1 > 0 { $1 -= 1; $<$[$=1W$_$]$> }$=1W",
    "let $1 = 0; do { $1 += 1; $<$[$=1W$_$]$> } while $1 < 3 && $B;$=1W",
    "let $1 = 0; do { $1 += 2; $<$[$=1W$_$]$> } until $1 > 3 || $B;$=1W",
    "let $1 = 0; loop { if $1 >= 3 { break; } $1 += 1; $<$[$=1W$_$]$> }$=1W",
    "let $1 = $U;$+1U",
    "let $1 = $Q;$+1Q",
    "let $1 = if $B { $V };$+1U",
    "let $1 = (); if $B { $1 = $V; }$+1U",
    "let $1 = (); if $B { $1 = $A; } else if $B { $1 = $M; }$+1M",
    "let $1 = 0; if $B { $1 = $T; } else if $B { $1 = 2.5; }$+1N",
    "let $1 = (); if $B { $1 = $V; } else if $B { $1 = $W; } else if $B { $1 = $M; } else { $_ }$+1X",
    "let $1 = $U; if $1 == () { return $r; }$=1V",
    "let $1 = $U; if $1 != () && $1.x > $T { $[$=1V$_$] } else { $_ }$+1U",
    "let $1 = $M; if $1 == () || $1.speed > $T { $_ } else { $[$=1A$_$] }$+1M",
    "let $1 = $M; if $B { $1 = (); } $1 = $1 ?? $M;$+1M",
    "let $1 = $U; $1 = $1 ?? $V;$+1V",
    "let $1 = (); let $2 = $R; for $3 in $H { $<$[$=3A if me.distance($3) < $2 { $2 = me.distance($3); $1 = $3; } $_$]$> }$+1M",
    "let $1 = (); for $3 in world.obstacles { $<$[$=3O if $1 == () || me.distance($3.center) < me.distance($1.center) { $1 = $3; }$]$> }$=1Z if $1 != () { me.vel += me.to($1.center).limit(1); }",
    "let $1 = $H; $1 = $1.ahead();$=1H",
    "let $1 = $L; $1 = [$T, $W];$=1L",
    "let $1 = switch $W % 5 { 0 => $T, 1 | 2 => $T, _ => $N };$+1N",
    "let $1 = switch $S { \"left\" => $V, \"b\" | \"\" => $U, _ => () };$+1U",
    "switch $W % 4 { 0 => { $_ }, 1 => { $_ }, _ => { $_ } }",
    "switch $S { \"left\" => { $_ }, \"calm\" => { $_ return $r; }, _ => () }",
    "switch $B { true => { $_ }, _ => $V }",
    "if $B { $_ return $r; } else { $_ }",
    "if $B { $_ } else { $_ return $r; }",
    "if $B { if $B { $_ } else { $_ return $r; } $_ } else if $B { $_ }",
    "if $B { me.vel = $V.limit(20); $_ } else { me.random(); $_ }",
    "let $1 = $H;$=1Z let $2 = $1.filter(|$3| $[$=3A$(B$B$)$]).len();$+2W",
    "let $1 = $H;$=1Z let $2 = $1.filter(|$3| { $[$=3A$(B$_ $B$)$] }); for $3 in $2 { $<$[$=3A$_$]$> }$=2Z",
    "let $1 = $H;$=1Z let $2 = $1.map(|$3| $[$=3A$(T$T$)$]).reduce(|a, b| clamp(a + b, -30, 30), 0);$+2T",
    "let $1 = $H;$=1Z let $2 = $1.map(|$3| { $[$=3A$(V$_ $V$)$] }).some(|v| v.x > 2);$+2B",
    "let $1 = $H;$=1Z let $2 = $1.filter(|$3| $3.id % 3 > 0).map(|$3| $[$=3A$(N$N$)$]).all(|x, i| x > i);$+2B",
    "let $1 = $H;$=1Z let $2 = $1.filter(|$3| $3.index % 4 > 0).reduce(|$1, $3| { $[$+1U$=3A$(U$_ $U$)$] });$+2U",
    "let $1 = $H;$=1Z let $2 = $1.map(|$3| $[$=3A$(B$B$)$]); for ($1, $3) in $2 { $<$[$=1B$=3W$_$]$> }$=2Z",
    "let $1 = $H;$=1Z let $2 = $1.filter(|$3| $3.speed > 2); if $2.len() > 1 { let $1 = $2[-2];$[$=1A$_$] }$=2Z",
    "let $1 = $L;$=1Z let $2 = $1.map(|$3| $[$+3T$(T$T$)$]);$=2L",
    "let $1 = $L;$=1Z let $2 = $1.filter(|$3, i| $[$+3T$(B$B$)$]).len();$+2W",
    "let $1 = $F;$=1Z let $2 = $1.reduce(|$1, $3| $[$+1V$+3V$(V$V$)$], vec(0, 1));$+2V",
    "let $2 = world.obstacles.filter(|$3| $[$=3O$(B$B$)$]).len();$+2W",
    "let $2 = world.obstacles.some(|$3| { $[$=3O$(B$_ $B$)$] });$+2B",
    "if $B { let $1 = me.random();$[$+1T$_$] }",
    "for $1 in $W % 3..$W % 5 { $<$[$=1W if $B { continue; } $_ if $B { return $r; }$]$> }",
    "for $1 in 0..3 { for $2 in 0..=$1 { $<$[$=1W$=2W if $B { break; } $_ if $1 * $2 == me.index % 7 { return $r; }$]$> } if $B { break; } }",
    "for $1 in me.neighbors(9) { $<$[$=1A for $2 in me.neighbors(6) { if $1.id < $2.id { continue; } if $B { return $r; } }$]$> }",
    "for $1 in me.neighbors($R).in_view(3) { $<$[$=1A if $B { continue; } $_$]$> }",
    "for ($1, $2) in $H { $<$[$=1A$=2W if $2 > 4 { break; } $_$]$> }",
    "for $1 in me.neighbors(30) { if $1.id % 7 == me.id % 5 { $[$=1A return $r;$] } }",
    "for ($1, $2) in [$X, $V, $W] { $<$[$=1X$=2W$_ if $B { continue; } $_$]$> }",
    "for $1 in $w { $<$[$=1W$_ if $B { break; }$]$> }",
    "for ($1, $2) in $t { $<$[$+1T$=2W if $B { return $r; } $_$]$> }",
    "for $1 in $q { $<$[$=1V$_$]$> }",
    "for $1 in $C { $<$[$=1D$_$]$> }",
    "let $1 = $W % 9; while $1 > 0 && $B { $1 -= 2; $<$[$=1W if $B { continue; } $_$]$> }$+1W",
    "let $1 = $T; let $2 = 0; while $1 < 20 && $2 < 9 { $2 += 1; $<$[$+1T$1 = $1 * 1.5 + 1; if $B { break; } $_$]$> }$+1T",
    "let $1 = 0; do { $1 += 1; $<$[$=1W if $B { continue; } if $B { break; } $_$]$> } while $1 < 3 && $B;$=1W",
    "let $1 = (); let $2 = 0; loop { $2 += 1; if $2 > 4 { break; } $<$[$=2W if $1 == () { $1 = $U; continue; } $1 = (); $_$]$> }$+1U",
    "me.vel = me.vel.rotated($T);",
    "me.vel.y *= 0.5;",
    "if $B { me.vel = vec(0, 0); }",
    "me.state.t = $S;",
    "me.state.b = !me.state.b;",
    "me.state.w %= 5;",
    "me.state.v *= 0.5;",
    "me.state.u = $U;",
    "if me.state.u == () { me.state.u = $V; } else { me.state.u = (); }",
    "if me.state.u != () { me.state.v = me.state.u.limit(20); }",
    "if me.state.a != () { me.state.v = me.to(me.state.a).limit(20); }",
    "me.state.x = $V;",
    "me.state.x = $W;",
    "if $B { me.state.x = $M; }",
    "let $1 = me.state.x;$+1X",
    "let $1 = me.state.u;$+1U",
    "let $1 = me.state;$=1Z let $2 = $1.n;$+2T",
    "let $1 = world;$=1Z let $2 = $1.size;$+2V",
    "{ $_ }",
    "me.vel = $V.limit(30);",
    "me.vel *= 0.9;",
    "me.vel += $V.limit(9);",
    "me.vel.x = $T;",
    "me.random();",
    "$V;",
    "me.state.n = $T;",
    "me.state.n += $T;",
    "me.state.n = clamp(me.state.n * $T, -30, 30);",
    "me.state.w += 1;",
    "me.state.w = $W % 1000;",
    "me.state.b = $B;",
    "me.state.flag = $B;",
    "me.state.level = $T;",
    "me.state.level += $T;",
    "me.state.aim = $V.limit(90);",
    "me.state.temper = $S;",
    "me.state.mate = $M;",
    "me.state.v = $V.limit(90);",
    "~me.state.v.y = $T;",
    "~me.state.t = $S.sub_string(0, 12);",
    "me.state.a = $M;",
    "~me.state.l = [$T, $T, 2];",
    "~me.state.l[0] = $T;",
    "~if me.state.l.len() < 6 { me.state.l.push($T); }",
    "~me.state.m = #{ n: $T, v: $V, t: $S };",
    "~me.state.m.n = $T;",
    "~me.state.m.v.x = $T;",
    "me.state.x = $K;",
    "~me.state[\"x\"] = $K;",
    "if $B { debug($X); }",
    "if $B { debug(`${$T} ${$S}`); }",
    "if $B { return $r; }",
    "~try { $_ if $B { throw $S; } $_ } catch ($1) { me.state.t = `${$1}`.sub_string(0, 9); }",
    "~try { $! } catch { $_ }",
    "~let $1 = |$2| $2 * 2 + $T;$=1Z let $3 = $1.call($T);$=3N",
    "~let $1 = |$2, $3| { let v = $2 - $3; v.limit(20) };$=1Z let $2 = $1.call($V, $V);$+2V",
    "let $1 = me;$=1Z let $2 = $1.pos + $1.vel;$+2V",
    "let $1 = me.params;$=1Z let $2 = $1.k;$+2T",
    "~let $1 = me.state;$=1Z $1.n = $T;",
];

/// Templates that assign to a variable, by its kind; `$v` is the variable.
pub(super) const ASSIGNMENTS: &[(char, &[&str])] = &[
    ('W', &["$v = $W % 1000;", "$v += 1;", "$v -= $W % 9;", "$v %= 7;", "$v /= 2;", "~$v &= 15;"]),
    (
        'T',
        &[
            "$v = $T;",
            "$v += $T;",
            "$v -= $T;",
            "$v *= 0.5;",
            "$v /= 3;",
            "$v = clamp($v * $T, -50, 50);",
        ],
    ),
    ('N', &["$v = $N;", "$v += $T;", "$v *= $T;", "$v /= 1.5;", "$v = $W % 9;", "$v = 0.5;"]),
    ('B', &["$v = $B;", "$v = !$v;", "~$v |= $B;"]),
    (
        'V',
        &[
            "$v = $V;",
            "$v += $V;",
            "$v -= $V;",
            "$v *= 0.5;",
            "$v /= 2;",
            "$v *= vec(1, -1);",
            "$v.x = $T;",
            "$v.y += $T;",
            "$v.x *= 2;",
        ],
    ),
    ('S', &["$v = $S;", "~$v += \"x\";", "~$v += $S.sub_string(0, 2);"]),
    ('M', &["$v = $M;", "$v = ();", "if $v == () { $v = $M; }"]),
    (
        'L',
        &[
            "~$v = $L;",
            "~$v.push($T);",
            "~$v[0] = $T;",
            "~$v[-1] += 1;",
            "~$v.sort();",
            "~$v.insert(1, $T);",
        ],
    ),
    ('F', &["~$v.push($V);", "~$v[0] = $V;", "~$v[0] += $V;", "~$v[0].x = 1;", "~$v = $F;"]),
    (
        'D',
        &[
            "~$v.n = $T;",
            "~$v.v = $V;",
            "~$v.v.x = $T;",
            "~$v.t += \"y\";",
            "~$v[\"n\"] = $T;",
            "~$v = $D;",
        ],
    ),
    (
        'U',
        &[
            "$v = $U;",
            "$v = ();",
            "$v = $V;",
            "if $v == () { $v = $U; }",
            "if $v != () { $v += $V; }",
            "if $v != () { $v.x = $T; } else { $_ }",
        ],
    ),
    ('Q', &["$v = $Q;", "$v = $V;", "if $B { $v = $Q; } else { $v = $A; }"]),
    ('X', &["$v = $X;", "$v = ();", "$v = $V;", "$v = $T;"]),
];

/// Templates of statements that fail.
pub(super) const DANGERS: &[&str] = &[
    "1 % 0;",
    "let $1 = $W / $W;",
    "let $1 = $W % ($W % 4);",
    "let $1 = 9223372036854775800 + $W;",
    "let $1 = 3 ** $W;",
    "let $1 = me.params.none;",
    "let $1 = (); $1.pos;",
    "let $1 = $M; $1.vel;",
    "me.state.never;",
    "$A.state.never;",
    "$A.state.secret;",
    "me.state.flag = $X;",
    "me.state.level = $X;",
    "me.state.aim = $X;",
    "me.state.mate = $X;",
    "me.state.n = $N;",
    "me.state.x = $X;",
    "me.params.k = $T;",
    "me.vel = $X;",
    "return $X;",
    "return;",
    "vec(1e30, 2) * 1e20;",
    "vec($N, $N);",
    "$V / $T;",
    "throw $S;",
    "throw $X;",
    "[1, 2, 3][$W];",
    "\"text\" - 1;",
    "$X + $X;",
    "$X < $X;",
    "let $1 = $X; if $1 { }",
    "sin($X);",
    "me.seek($X);",
    "me.seek($V, $T);",
    "me.separation($T);",
    "me.follow_path($S);",
    "me.follow_path();",
    "prioritize([$V, $X]);",
    "me.nearest($S);",
    "me.nearest($T);",
    "me.neighbors($N);",
    "me.neighbors(9).around($X);",
    "$H[$W];",
    "world.agent($G);",
    "world.ray($X, $Q);",
    "me.time_to_collision($X);",
    "me.free_distance($V, $N);",
    "world.obstacle($S);",
    "world.path(\"trail\").point($W);",
    "to_int($N);",
    "let $1 = 1; $1.x;",
    "let $1 = vec(0, 0); $1.z;",
    "let $1 = $X; $1.x = 1;",
    "let $1 = $X; for $2 in $1 { }",
    "let $1 = [1]; loop { $1 += $1; }",
    "let $1 = 0; loop { $1 += 1; }",
    "deep(40);",
    "deep($W);",
];

/// Calls of every primitive, with every number of arguments.
pub(super) static STEERING: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (of, primitives) in [("me.", PRIMITIVES), ("", COMBINATORS)] {
        for primitive in primitives {
            if primitive.force_kind == ForceKind::Index {
                continue;
            }
            for given in primitive.required()..=primitive.params.len() {
                // Not every group has a path.
                if given == 0
                    && primitive.params.first().is_some_and(|p| p.default == ParamDefault::OwnPath)
                {
                    continue;
                }
                all.push(call(of, primitive, given));
            }
        }
    }
    all
});

/// Returns all templates.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let forms = EXPRESSIONS.iter().flat_map(|forms| [forms.leaves, forms.trees]);
    let assignments = ASSIGNMENTS.iter().map(|(_, templates)| *templates);
    let lists = forms.chain(assignments).chain([GENERAL, STATEMENTS, DANGERS]);
    let steering = STEERING.iter().map(String::as_str);
    lists.flatten().copied().chain(steering)
}

fn call(of: &str, primitive: &Primitive, given: usize) -> String {
    let has_numbers = primitive.params.iter().any(|param| param.kind == ParamKind::Numbers);
    let arguments: Vec<&str> = primitive.params[..given]
        .iter()
        .map(|param| match param.kind {
            ParamKind::Number | ParamKind::Signed => "$R",
            ParamKind::Point => "$Q",
            ParamKind::Vector => "$V",
            ParamKind::Agent => "$A",
            ParamKind::Neighbors => "$I",
            ParamKind::Path => "$Y",
            ParamKind::Flow => "$l",
            // Lists of forces and numbers must have the same length.
            ParamKind::Forces if has_numbers => "[$V, $V]",
            ParamKind::Forces => "$F",
            ParamKind::Numbers => "[$T, $R]",
            ParamKind::Slots => "16",
        })
        .collect();
    format!("{of}{}({})", primitive.name, arguments.join(", "))
}
