//! Small scripts about encounters with agents and obstacles, neighborhoods around other places, and zero forces.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "encounters ahead",
        "fn steer(me) {
            let v = vec(0, 0);
            for other in me.neighbors(40) {
                let t = me.time_to_collision(other);
                if t != () { v += me.to(other) / (t + 1); }
                v += vec(me.time_to_nearest_approach(other), me.distance_at_nearest_approach(other)) * 0.01;
            }
            if me.index % 3 == 0 { me.vel = v.limit(20); }
            let it = me.nearest();
            if it != () { v.x += me.time_to_collision(it) ?? 7; }
            v
        }",
        "",
    ),
    (
        "an encounter with ()",
        "fn steer(me) { let it = if me.index == 66 { () } else { me.nearest() }; vec(me.time_to_nearest_approach(it), 0) }",
        "`time_to_nearest_approach`",
    ),
    (
        "an encounter with a point",
        "fn steer(me) { let it = if me.index == 66 { vec(1, 2) } else { me.nearest() }; vec(me.time_to_collision(it) ?? 0, 0) }",
        "the argument of `time_to_collision` must be an agent, but is a vector",
    ),
    (
        "distances that are free with several velocities",
        "fn steer(me) {
            let best = vec(0, 0);
            let most = -1;
            for i in -3..=3 {
                let v = me.heading.rotated(i * 0.4) * 20;
                let far = me.free_distance(v, 2 + me.index % 2);
                if far > most { most = far; best = v; }
            }
            me.state.far = most;
            best - me.vel
        }",
        "",
    ),
    (
        "an invalid horizon",
        "fn steer(me) { vec(me.free_distance(me.vel, 30 - me.index), 0) }",
        "`horizon` must be at least 0",
    ),
    (
        "lines of sight",
        "fn steer(me) {
            let it = me.nearest(\"b\");
            if it == () { return; }
            let hit = world.ray(me, it);
            if hit == () { return me.seek(it); }
            me.state.hit = hit;
            me.flee(hit) + 0.1 * me.to(world.ray(it, me.pos) ?? me.pos)
        }",
        "",
    ),
    (
        "the one agent of a group",
        "fn steer(me) { if world.count(\"c\") == 1 { me.to(world.agent(\"c\")) * 0.1 + world.agent(\"c\").vel } }",
        "",
    ),
    (
        "the one agent of a group of many",
        "fn steer(me) { if me.index == 65 { me.to(world.agent(\"b\")) } else { vec(0, 0) } }",
        "`world.agent` needs a group with exactly one agent, but `b` has",
    ),
    (
        "neighborhoods around other places",
        "fn steer(me) {
            let ahead = me.pos + me.vel * 2;
            let near = me.neighbors(25).around(ahead);
            ahead = vec(0, 0);
            let it = near.nearest;
            me.state.n = [near.count, near.len(), near.is_empty(), near.of(\"b\").count];
            me.state.c = near.center;
            if it != () { me.state.o = me.neighbors(15).around(it).mean_velocity; }
            let v = me.separation(near) + me.alignment(near.ahead()) + me.cohesion(near.in_view(2));
            for other in near { v += other.vel * 0.1; }
            let first = near.first;
            if first == () { v } else { v + me.to(first) * 0.1 }
        }",
        "",
    ),
    (
        "a neighborhood around a place that changes in a loop",
        "fn steer(me) {
            let v = vec(0, 0);
            let place = me.pos;
            for i in 0..4 {
                let near = me.neighbors(10 + i).around(place);
                place += vec(7, -5);
                v += near.mean_offset + me.neighbors(9).around(place).center * 0.01;
            }
            v
        }",
        "",
    ),
    (
        "a neighborhood around something that is not a point",
        "fn steer(me) { let at = if me.index == 9 { 3 } else { me }; vec(me.neighbors(9).around(at).count, 0) }",
        "`around` takes a point or an agent, but got an integer",
    ),
    (
        "neighborhoods as lists",
        "fn steer(me) {
            let near = me.neighbors(30);
            let v = vec(near.len(), 0);
            if near.is_empty() { return v; }
            if me.index % 5 == 0 { v += near[0].pos - near[-1].pos; }
            if me.index % 7 == 0 {
                let fast = near.filter(|other| other.speed > 5);
                for other in fast { v += other.vel; }
                for x in near.map(|other| other.pos.x) { v.x += x; }
                if near.contains(me.nearest()) { v.y += 1; }
            }
            v * 0.1
        }",
        "",
    ),
    (
        "an index beyond a neighborhood",
        "fn steer(me) { let near = me.neighbors(20); vec(near[near.len()].speed, 0) }",
        "the neighborhood has no agent",
    ),
    (
        "no force where there is nothing to do",
        "fn steer(me) { if me.index % 3 == 0 { me.wander() } else if me.index % 3 == 1 { me.contain(9) } }",
        "",
    ),
    (
        "bodies of agents",
        "fn steer(me) {
            let v = vec(min(me.max_speed, 9), min(me.max_force, 5)) * me.radius / me.mass;
            for other in me.neighbors(20) { v += vec(other.radius, other.mass) + me.to(other) * min(other.max_speed, 50) * 0.001; }
            if me.max_speed < 100 {
                v += me.seek(vec(50, 50)) + me.separation(20) + me.arrive(me.pos + vec(3, 4), 10) + me.cohesion(30) + me.wander();
            }
            budget([v, me.avoid_obstacles(2, 1, 10)])
        }",
        "",
    ),
    ("no force at all", "fn steer(me) { me.state.n = me.index; }", ""),
    (
        "(), a force, or something else",
        "fn steer(me) { if me.index == 60 { return 3; } if me.index % 2 == 0 { return; } me.wander() }",
        "`steer` must return a force, which is a vector, but returns an integer",
    ),
];
