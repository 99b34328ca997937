//! Small scripts about the agent itself, other agents, obstacles, paths and the world.

/// For each: its name, the script, and words of the error that ends it, empty if none does.
pub(super) const SMALL_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "a velocity set before a primitive is called",
        "fn steer(me) {
            let before = me.seek(vec(50, 50));
            if me.index % 2 == 0 { me.vel = vec(0, 3); }
            let after = me.seek(vec(50, 50));
            me.vel *= 0.5;
            before - after + me.vel + vec(me.speed, 0)
        }",
        "",
    ),
    (
        "a velocity set and the heading kept",
        "fn steer(me) {
            me.vel = -me.vel;
            me.state.seen = [me.heading, me.vel, me.speed, me.neighbors(30).ahead().count];
            me.wander() + me.contain(10) + me.avoid_obstacles()
        }",
        "",
    ),
    (
        "a velocity that is not a vector",
        "fn steer(me) { if me.index == 66 { me.vel = 3; } vec(0, 0) }",
        "`me.vel` must be a vector",
    ),
    (
        "random numbers in a branch count only for agents that draw them",
        "fn steer(me) {
            let first = me.random();
            if first > 0.5 { me.random(); for i in 0..me.index % 4 { me.random(1, 2); } }
            let again = me.random(-3, 3);
            vec(first, again)
        }",
        "",
    ),
    (
        "random numbers in conditions that are evaluated only sometimes",
        "fn steer(me) {
            let r = if me.index % 3 == 0 || me.random() > 0.3 { me.random(0, 5) } else { helper(me) };
            vec(r, me.random())
        }
        fn helper(me) { me.random() + me.random() }",
        "",
    ),
    (
        "a random number with wrong limits",
        "fn steer(me) { let high = if me.index == 8 { \"5\" } else { 5 }; vec(me.random(0, high), me.random(5, 0)) }",
        "`random` takes a number",
    ),
    (
        "a path followed in a branch",
        "fn steer(me) {
            let v = vec(0, 0);
            if (world.tick + me.index) % 3 == 0 { v = me.follow_path(\"round\"); }
            if me.index % 4 == 1 { v += 0.5 * me.follow_path(\"trail\"); }
            if me.path != () { v += me.to(me.waypoint) * 0.1; }
            v
        }",
        "",
    ),
    (
        "a path followed twice in one tick",
        "fn steer(me) { me.follow_path(\"round\") + me.follow_path(world.path(\"round\")) + me.follow_path(\"round\", 5) }",
        "",
    ),
    (
        "a path that is not there",
        "fn steer(me) { let name = if me.index == 4 { \"rund\" } else { \"round\" }; me.follow_path(name) }",
        "there is no path `rund`",
    ),
    (
        "an agent without a path",
        "fn steer(me) { if me.path == () { vec(0, 0) } else { me.follow_path() + me.stay_on_path() } }",
        "",
    ),
    (
        "messages in a branch",
        "fn steer(me) {
            if me.index % 10 == 3 { debug(me.pos); debug(\"text\"); debug(me.index); }
            if me.speed > 5 { debug(`${me.speed} ${me.group}`); }
            for other in me.neighbors(6) { debug(other); }
            debug([1, 2.5, #{ a: () }, true, ()]);
            vec(0, 0)
        }",
        "",
    ),
    (
        "more messages than the limit",
        "fn steer(me) { if me.index == 1 { for i in 0..150 { debug(i); } } vec(0, 0) }",
        "",
    ),
    (
        "messages before an error",
        "fn steer(me) { debug(\"before\"); if me.index == 65 { throw 1.5; } debug(\"after\"); vec(0, 0) }",
        "the script threw 1.5",
    ),
    (
        "all properties of me",
        "fn steer(me) {
            me.state.n = [me.id, me.index, me.speed, me.radius, me.mass, me.goal_radius ?? -1];
            me.state.v = [me.pos, me.vel, me.heading, me.goal, me.waypoint];
            me.state.t = me.group;
            vec(min(me.max_speed, 9), min(me.max_force, 7))
        }",
        "",
    ),
    (
        "all properties of others",
        "fn steer(me) {
            let v = vec(0, 0);
            for other in me.neighbors(25) {
                v += other.pos * 0.01 + other.vel + other.heading;
                v.x += other.id - other.index + other.speed;
                v.y += other.radius + other.mass - min(other.max_speed, 9) + min(other.max_force, 8);
                if other.group == me.group && other != me { v *= 0.5; }
                if me == other { v = vec(0, 0); }
            }
            v
        }",
        "",
    ),
    (
        "the nearest, asked in every way",
        "fn steer(me) {
            let all = [me.nearest(), me.nearest(20), me.nearest(\"b\"), me.nearest(\"c\", 30), me.nearest(0),
                me.neighbors(30).nearest, me.neighbors(30).first, me.neighbors().of(\"b\").ahead().first];
            me.state.all = all;
            let v = vec(0, 0);
            for x in all { if x != () { v += me.to(x) * 0.1; v.x += me.distance(x); } }
            v
        }",
        "",
    ),
    (
        "neighborhoods of every kind",
        "fn steer(me) {
            let near = me.neighbors(35);
            let seen = [near, near.of(\"a\"), near.in_view(2), near.in_view(1.5).of(\"b\"), near.ahead(),
                near.of(\"a\").of(\"b\"), near.ahead().in_view(PI), me.neighbors(), me.neighbors(0)];
            let v = vec(0, 0);
            for n in seen {
                v += n.mean_offset * 0.1 + n.mean_velocity;
                v.x += n.count;
                if n.count > 0 { v += me.to(n.center) * 0.01; }
            }
            v
        }",
        "",
    ),
    (
        "neighborhoods of related groups",
        "fn steer(me) {
            let near = me.neighbors(40);
            let seen = [near.prey(), near.predators(), near.allies(), near.prey().of(\"b\"), near.of(\"c\").prey().predators(),
                near.allies().ahead(), me.neighbors().predators(), near.prey().around(me.pos + vec(9, 3))];
            let v = me.separation(near.allies()) + me.alignment(near.prey());
            for n in seen {
                v += n.mean_offset * 0.1 + n.mean_velocity;
                v.x += n.count;
                if n.nearest != () { v += me.to(n.nearest) * 0.01; }
                if n.first != () { v += me.to(n.first) * 0.01; }
            }
            for other in near.predators() { v -= me.to(other) * 0.01; }
            v
        }",
        "",
    ),
    (
        "places in a formation, and chains",
        "fn steer(me) {
            let v = me.to(me.place(vec(50, 40), vec(1, 2))) * 0.1 + me.to(me.place(vec(9, 9), vec(0, 0)));
            let leader = me.nearest(\"c\");
            if leader != () {
                v += me.keep_formation(leader, 12, 30) + me.keep_formation(leader, 0, 3) + me.to(me.place(leader)) * 0.1;
            }
            let before = me.previous;
            if before != () { v += me.to(before) * 0.1; v.x += before.index; }
            v
        }",
        "",
    ),
    (
        "a neighborhood with a radius of its own",
        "fn steer(me) {
            let n = me.neighbors(me.random(0, 40)).of(if me.index % 2 == 0 { \"a\" } else { \"b\" });
            me.separation(n) + me.alignment(n, 10) + me.cohesion(n, me.speed) + vec(n.count, 0)
        }",
        "",
    ),
    (
        "a negative radius for one",
        "fn steer(me) { vec(me.neighbors(50 - me.index).count, 0) }",
        "`radius` must be at least 0",
    ),
    (
        "neighbors kept in a list",
        "fn steer(me) {
            let others = [];
            for other in me.neighbors(30) { if others.len() < 5 { others.push(other); } }
            others.sort(|a, b| b.speed - a.speed);
            let v = vec(0, 0);
            for (other, i) in others { v += me.to(other) / (i + 1); }
            v
        }",
        "",
    ),
    (
        "every primitive with its defaults",
        "fn steer(me) {
            let v = me.seek(vec(10, 10)) + me.flee(vec(80, 80)) + me.arrive(vec(60, 20), 30) + me.wander()
                + me.match_velocity(vec(1, 2)) + me.separation(10) + me.alignment(20) + me.cohesion(20)
                + me.avoid_obstacles() + me.contain() + me.follow_path(\"trail\") + me.stay_on_path(\"round\");
            let other = me.nearest();
            if other == () { return v; }
            v += me.pursue(other) + me.evade(other) + me.follow_leader(other, 10, 20) + me.queue(v, 10, 5)
                + me.seek(other) + me.flee(other) + me.arrive(other, 10) + me.match_velocity(other);
            prioritize([vec(0, 0), v]) + budget([v, v * 2]) + budget([v, v], 12)
        }",
        "",
    ),
    (
        "every primitive with all arguments",
        "fn steer(me) {
            let s = 5 + me.index % 7;
            let near = me.neighbors(25).ahead();
            let v = me.seek(me.params.spot, s) + me.flee(vec(80, 80), 60, s) + me.arrive(vec(60, 20), 30, s)
                + me.wander(0.5, 2, s) + me.separation(near, s) + me.alignment(near, s) + me.cohesion(near, s)
                + me.avoid_obstacles(1.5, 2, s) + me.contain(10, 1, s) + me.follow_path(\"round\", s)
                + me.stay_on_path(world.path(\"trail\"), 1, s);
            let other = me.nearest();
            if other == () { return v; }
            v + me.pursue(other, 2, s) + me.evade(other, 50, 1.5, s) + me.follow_leader(other, 10, 20, 15, s)
                + me.queue(v, 10, 5, 0.5)
        }",
        "",
    ),
    (
        "every combinator",
        "const WEIGHTS = [0.5, -1, 2.0];
        fn steer(me) {
            let spot = vec(50 + me.index, 50);
            let forces = [me.seek(spot), me.wander() * 0.1, me.flee(spot, 20)];
            let dangers = [me.obstacle_danger(me.vel, 2), me.obstacle_danger(me.heading.perp() * 10, 2), vec(me.index % 3, 1)];
            let other = me.nearest(30);
            if other != () { dangers[0] = me.neighbor_danger(me.vel, 20, 3); }
            let v = weighted_sum(forces, WEIGHTS) + weighted_sum(forces, [me.speed, 1, me.index], 9)
                + prioritize(forces, 1.5) + forces[first_of(forces, 2)] * first_of(forces)
                + dither(forces, [0.2, 0.5, 0.9], me.random()) + dither(forces, [0, 0.5, me.index % 2], 0.4, 7)
                + context(forces, dangers) + context(forces, dangers, 0, 0.4, 8) + context([], dangers, 0.2, 2, 32)
                + context([me.heading, spot.normalized()], [], 0.1);
            v + direction(context_slot(forces, dangers)) + direction(context_slot(forces, dangers, 0.3, 0.2, 32))
        }",
        "",
    ),
    (
        "weights that are not as many as the forces",
        "fn steer(me) { weighted_sum([me.wander(), me.contain()], [1]) }",
        "one number for each of 2 forces",
    ),
    (
        "a number of slots that does not exist",
        "fn steer(me) { context([me.wander()], [], 0, 1, 8 + me.index % 2) }",
        "`slots` must be 8, 16 or 32",
    ),
    (
        "a primitive for an agent that does not exist",
        "fn steer(me) { me.seek(me.nearest(\"b\", 60)) }",
        "`()`",
    ),
    (
        "a primitive with a speed below zero, for one",
        "fn steer(me) { me.seek(vec(1, 1), 40 - me.index) }",
        "`speed` must be at least 0",
    ),
    (
        "forces that are not all vectors",
        "fn steer(me) { let x = if me.index == 19 { 0 } else { vec(0, 0) }; prioritize([x, me.wander()]) }",
        "element 0 must be a vector",
    ),
    (
        "a list of forces made in a loop",
        "fn steer(me) {
            let forces = [];
            for i in 0..me.index % 5 { forces.push(me.seek(vec(i * 10, 50)) * 0.2); }
            if me.index % 2 == 0 { forces.push(me.contain(20)); }
            budget(forces, 25) + prioritize(forces)
        }",
        "",
    ),
    (
        "obstacles: all properties and methods",
        "fn steer(me) {
            let v = vec(0, 0);
            for thing in world.obstacles {
                if thing.contains(me.pos) { v += 2 * thing.normal(me.pos); }
                if thing.distance(me) < 20 { v += thing.normal(me) * (1 - thing.distance(me.pos) / 20); }
                v += me.to(thing.closest(me.pos)) * 0.01 + me.to(thing.center) * 0.001;
                if thing.name == \"disc\" { v.x += thing.radius; }
                v += thing.vel;
                if thing == world.obstacle(\"box\") { v.y += 1; }
            }
            if world.obstacle(\"box\").present { v.x += 1; }
            v + me.to(world.obstacles[me.index % world.obstacles.len()].center)
        }",
        "",
    ),
    (
        "an obstacle that is not there",
        "fn steer(me) { let o = world.obstacle(if me.index == 30 { \"disk\" } else { \"disc\" }); o.center }",
        "there is no obstacle `disk`",
    ),
    (
        "the nearest of the obstacles",
        "fn steer(me) {
            let threat = ();
            for thing in world.obstacles {
                if threat == () || me.distance(thing.center) < me.distance(threat.center) { threat = thing; }
            }
            if threat.contains(me.pos + me.vel) { me.flee(threat.center) } else { me.to(threat.closest(me)) }
        }",
        "",
    ),
    (
        "paths: all properties and methods",
        "fn steer(me) {
            let way = world.path(if me.index % 2 == 0 { \"round\" } else { \"trail\" });
            let along = way.along(me.pos);
            let v = way.at(along + 10) - way.closest(me) + way.point(me.index % 3) * 0.1;
            v.x += way.distance(me) + way.radius + way.count;
            v.y += way.length / (1 + way.name.len()) + way.at(5).x;
            if way == me.path { v * 0.5 } else { v }
        }",
        "",
    ),
    (
        "fields: all properties and methods",
        "fn steer(me) {
            let field = if me.index % 2 == 0 { world.field(\"whirl\") } else { world.field(\"wind\") };
            me.state.same = field == world.field(\"wind\");
            me.state.flow = field.at(me) + world.field(\"wind\").at(vec(1e30, -1e30)) - field.at(me.goal ?? vec(50, 40));
            me.flow_field(field) + me.flow_field(\"whirl\", 2) + me.flow_field(me.state.flow, 0, 5) + me.flow_field(field, 1e30, 3)
        }",
        "",
    ),
    (
        "a flow that is a field, its name or a vector",
        "fn steer(me) {
            let flow = if me.index % 3 == 0 { world.field(\"whirl\") } else if me.index % 3 == 1 { \"wind\" } else { me.pos / 90 };
            me.flow_field(flow) + vec(0, world.field(\"wind\").name.len())
        }",
        "",
    ),
    (
        "a point that a path does not have",
        "fn steer(me) { world.path(\"trail\").point((me.index / 20).to_int()) }",
        "the path has no point with index 3",
    ),
    (
        "the world: all properties and methods",
        "fn steer(me) {
            me.state.w = [world.time, world.tick, world.dt, world.count(), world.count(\"b\"), world.obstacles.len()];
            if world.cursor != () { return world.cursor; }
            if world.inputs.left && !world.inputs[\"go on\"] { me.state.w.push(world.inputs[\"go on\"]); }
            let middle = (world.min + world.max) / 2 + world.size * 0.1;
            me.to(middle) * world.time
        }",
        "",
    ),
    (
        "variables that hold me, the world, params and state",
        "fn init(me) { let s = me.state; s.n = me.index; }
        fn steer(me) {
            let who = me; let p = me.params; let s = me.state; let w = world;
            s.n += p.k;
            if who.index % 2 == 0 { s.v = who.pos; }
            who.vel = vec(1, s.n);
            move(who, w.tick)
        }
        fn move(someone, tick) { someone.seek(vec(tick, 20)) + someone.vel }",
        "",
    ),
    (
        "the way across the edge",
        "fn steer(me) {
            let corner = world.max - vec(1, 1);
            let v = me.to(corner) + me.to(world.min);
            vec(me.distance(corner) - me.distance(me), v.length()) + me.to(me)
        }",
        "",
    ),
    (
        "goals that change",
        "fn steer(me) {
            if me.goal == () { return me.wander(1, 1, 8); }
            me.state.left = me.distance(me.goal) - me.goal_radius;
            me.arrive(me.goal, me.goal_radius, 20)
        }",
        "",
    ),
    (
        "agents in the same place",
        "fn steer(me) {
            let same = me.neighbors(0.5);
            let v = me.separation(5, 10) + me.alignment(same, 5) + me.cohesion(same, 5);
            for other in same { v += me.flee(other, 10, 3) + me.evade(other, 10, 1, 3); v.x += me.to(other).angle(); }
            v
        }",
        "",
    ),
    (
        "an agent moved beyond the range of numbers",
        "fn steer(me) { if me.index == 6 && world.tick == 2 { me.vel = vec(3e38, 3e38); me.vel += vec(0, -1e38); } vec(0, 0) }",
        "",
    ),
    (
        "forces that are huge",
        "fn steer(me) { vec(1e30, 1e20) * me.index }",
        "",
    ),
    (
        "agents that follow each other by index",
        "fn steer(me) {
            let before = ();
            for other in me.neighbors().of(me.group) {
                if other.index >= me.index { break; }
                before = other;
            }
            if before == () { me.seek(me.params.spot, 10) } else { me.follow_leader(before, 5, 10, 0, 12) }
        }",
        "",
    ),
    (
        "pairs of others",
        "fn steer(me) {
            let best = 0.0; let pair = ();
            for a in me.neighbors(8) { for b in me.neighbors(8) {
                if a.id < b.id && a.pos.distance(b.pos) > best { best = a.pos.distance(b.pos); pair = [a, b]; }
            } }
            if pair == () { vec(0, 0) } else { me.to((pair[0].pos + pair[1].pos) / 2) }
        }",
        "",
    ),
    (
        "as many ways as allowed, in a loop",
        "fn steer(me) {
            let least = 1e9;
            for x in 0..32 { least = min(least, me.way_length(vec(x % 3 * 40, 50))); }
            vec(least, 0)
        }",
        "",
    ),
    (
        "one way too many, for one agent",
        "fn steer(me) {
            let sum = me.go_to(me.params.spot);
            for x in 0..10 { sum += me.way_to(vec(x % 3 * 40, 50)) + me.way_end(vec(70, x % 2 * 50)); }
            let rest = if me.index == 40 { 12 } else { 11 };
            while rest > 0 { rest -= 1; sum += me.go_to(me.params.spot, 10); }
            sum
        }",
        "at most 32 ways in one tick",
    ),
    (
        "ways in a few rounds of a long loop",
        "fn steer(me) {
            let sum = vec(0, 0);
            for x in 0..300 { if x % 50 == me.index { sum += me.way_to(vec(x % 3 * 40, 50)); } }
            sum
        }",
        "",
    ),
    (
        "ways in the text and in a loop",
        "fn steer(me) {
            let best = 1e9;
            for x in [5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115, 15, 25, 35, 45, 55] {
                best = min(best, me.way_length(vec(x, 50)));
            }
            for x in 0..15 { best = min(best, me.way_length(vec(x * 10, 70))); }
            vec(best, 0)
        }",
        "",
    ),
    (
        "one way too many in the text",
        "fn ways(me) {
            let sum = vec(0, 0);
            for x in [5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105] { sum += me.way_to(vec(x, 50)); }
            sum
        }
        fn steer(me) { ways(me) + ways(me) + if me.index == 65 { ways(me) } else { vec(0, 0) } }",
        "at most 32 ways in one tick",
    ),
];
