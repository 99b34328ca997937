//! Names from other languages and libraries, and what to write instead of them.

use crate::diag::nearest;

/// The advice for modules of functions of numbers, such as `math`: a call without a module.
pub(super) const OF_NUMBERS: &str = "sin(x)";

/// Names from elsewhere, and what to write instead. Names are compared without case and `_`.
const SYNONYMS: &[(&[&str], &str)] = &[
    // Vectors.
    (&["norm", "magnitude", "mag", "len2", "hypot", "vec_len"], "length()"),
    (
        &["mag_sq", "sqr_magnitude", "square_magnitude", "length_sq", "norm_squared"],
        "length_squared()",
    ),
    (&["normalize", "normalise", "normalised", "unit", "to_unit"], "normalized()"),
    (&["set_mag", "set_magnitude", "set_length", "scale_to", "with_mag"], "with_length(length)"),
    (&["clamp_magnitude", "limit_length", "truncate", "limited"], "limit(length)"),
    (&["dist", "distance_to", "distance_xy", "get_distance"], "a.distance(b)"),
    (&["rotate", "rotate_by"], "rotated(radians)"),
    (&["angle_of", "to_angle", "get_angle"], "angle()"),
    (&["perpendicular", "orthogonal"], "perp()"),
    (
        &["vec2", "vector", "vector2", "vector2d", "vector3", "pvector", "create_vector", "point2"],
        "vec(x, y)",
    ),
    (&["from_angle", "polar"], "direction(radians)"),
    // Arrays.
    (&["append", "push_back"], "push"),
    (&["empty"], "is_empty()"),
    // The agent.
    (&["self", "this", "agent", "boid", "turtle", "vehicle"], "me"),
    (&["position", "loc", "location", "xy", "transform", "global_position"], "me.pos"),
    (&["xcor", "pos_x", "x_pos"], "me.pos.x"),
    (&["ycor", "pos_y", "y_pos"], "me.pos.y"),
    (&["velocity", "linear_velocity"], "me.vel"),
    (&["forward", "facing", "dir", "orientation", "rotation", "yaw"], "me.heading"),
    (&["max_velocity", "speed_limit", "speed_max", "top_speed"], "me.max_speed"),
    (&["force_max", "max_acceleration", "max_steering"], "me.max_force"),
    (&["size_of_agent", "collision_radius"], "me.radius"),
    (&["target", "destination", "goal_position"], "me.goal"),
    (
        &["state_machine", "fsm", "set_state", "change_state", "transition"],
        "me.machine(name, states)",
    ),
    (&["utility", "select_action", "best_action", "evaluate"], "me.choose(name, scores)"),
    (&["hysteresis", "cooldown", "debounce"], "me.keep(name, value, dwell)"),
    (&["time_in_state", "state_time"], "me.time_in(name)"),
    (&["memory", "data", "vars", "variables"], "me.state"),
    (&["parameters", "param", "get_param", "args", "config", "settings"], "me.params"),
    (&["neighbours", "flockmates", "others", "other_agents", "boids"], "me.neighbors(radius)"),
    (&["rand", "rnd", "randf", "rand_float", "random_float"], "me.random()"),
    (
        &["rand_range", "randf_range", "random_range", "rand_int", "randi", "uniform"],
        "me.random(from, to)",
    ),
    (&["towards", "vector_to", "direction_to", "offset_to"], "me.to(target)"),
    (
        &["in_radius", "in_range", "get_nearby", "nearby", "get_neighbors", "overlap_circle"],
        "me.neighbors(radius)",
    ),
    (
        &[
            "closest",
            "nearest_neighbor",
            "min_one_of",
            "get_nearest",
            "find_nearest",
            "get_closest",
        ],
        "me.nearest()",
    ),
    (&["set_velocity", "set_vel"], "me.vel = velocity"),
    (&["die", "destroy", "queue_free", "despawn"], "me.leave()"),
    (&["kill", "eat", "catch_agent"], "me.capture(other, name)"),
    (
        &["hatch", "sprout", "spawn", "instantiate", "add_agent"],
        "me.create(group, pos, vel, state)",
    ),
    (
        &["say", "shout", "broadcast", "send", "send_message", "emit_signal"],
        "me.tell(to, name, value)",
    ),
    (&["drop_pheromone", "mark_patch"], "me.deposit(layer, amount)"),
    // Primitives.
    (
        &["stop", "halt", "brake", "stand", "stand_still", "stay", "idle", "wait"],
        "me.match_velocity(vec(0, 0))",
    ),
    (&["seperate", "separate", "separation_force"], "me.separation(radius)"),
    (&["align", "align_with"], "me.alignment(radius)"),
    (&["cohere", "cohesion_force"], "me.cohesion(radius)"),
    (&["pursuit", "chase", "intercept"], "me.pursue(target)"),
    (&["evasion", "escape"], "me.evade(target)"),
    (&["move_to", "move_towards"], "me.seek(target)"),
    (&["find_path", "path_to", "navigate", "navigate_to", "set_destination"], "me.go_to(target)"),
    (&["run_away", "avoid_agent"], "me.flee(target)"),
    (&["look_at", "face_to", "reach_orientation", "turn_to"], "me.face(target)"),
    (&["look_where_you_are_going", "look_where_going"], "me.heading"),
    (&["offset_pursuit", "keep_offset"], "me.offset_pursue(leader, offset, slowing)"),
    (&["shadowing"], "me.shadow(quarry, distance, slowing)"),
    (&["hiding", "take_cover"], "me.hide(hunter, gap, slowing)"),
    (&["wall_following", "follow_wall", "follow_walls"], "me.wall_follow(distance)"),
    (&["wall_sliding", "move_and_slide", "slide_along_walls"], "me.slide(force)"),
    (
        &["feelers", "raycast_obstacle_avoidance", "central_ray_with_whiskers"],
        "me.whiskers(length)",
    ),
    (&["circle_around", "loiter", "circle"], "me.orbit(center, radius)"),
    (&["docking"], "me.dock(target, along, room, slowing)"),
    (&["zigzag", "jinking"], "me.jink(threat)"),
    (&["couzin"], "me.zones(neighbors, repulsion, orientation)"),
    (&["obstacle_avoidance", "avoid_walls", "avoid", "avoid_obstacle"], "me.avoid_obstacles()"),
    (&["path_following", "follow", "patrol"], "me.follow_path()"),
    (&["slot", "slot_location", "formation_position"], "me.place(anchor)"),
    (&["formation"], "me.keep_formation(anchor, slowing)"),
    (&["apply_force", "add_force", "set_force", "steering"], "return force"),
    // The world.
    (&["width", "world_width", "screen_width"], "world.size.x"),
    (&["height", "world_height", "screen_height"], "world.size.y"),
    (&["delta_time", "delta", "timestep", "elapsed", "get_process_delta_time"], "world.dt"),
    (&["mouse", "mouse_x", "mouse_y", "mouse_position", "pointer"], "world.cursor"),
    (
        &[
            "input",
            "keys",
            "keyboard",
            "is_key_pressed",
            "get_key",
            "is_action_pressed",
            "key_code",
        ],
        "world.inputs.name",
    ),
    (&["frame_count", "frame", "ticks", "step"], "world.tick"),
    (&["now", "millis", "timestamp", "current_time"], "world.time"),
    (&["get_field", "find_field", "flow_at", "flowfield"], "world.field(\"name\").at(point)"),
    (&["get_obstacle", "find_obstacle"], "world.obstacle(\"name\")"),
    (&["raycast", "line_of_sight", "can_see", "linecast"], "world.ray(from, to)"),
    (&["uphill", "sniff", "smell"], "world.gradient(layer, at)"),
    (&["count_turtles", "agent_count", "num_agents"], "world.count()"),
    // Numbers and output.
    (&["math", "mathf", "std", "numpy", "np"], OF_NUMBERS),
    (&["two_pi", "tau"], "2 * PI"),
    (&["half_pi"], "PI / 2"),
    (&["deg2rad", "to_radians", "deg_to_rad", "radians"], "degrees * PI / 180"),
    (&["rad2deg", "to_degrees", "rad_to_deg", "degrees"], "radians * 180 / PI"),
    (&["fabs"], "abs(x)"),
    (&["pow", "power"], "x ** y"),
    (&["mix", "interpolate"], "lerp(from, to, share)"),
    (&["constrain", "clip", "saturate"], "clamp(x, low, high)"),
    (&["console", "println", "printf", "show", "log_message"], "debug(value)"),
];

/// Keywords of other languages, and those of Rhai. They are compared exactly.
const KEYWORDS: &[(&[&str], &str)] = &[
    (&["null", "nil", "none", "undefined", "nobody", "nullptr", "pass"], "()"),
    (&["True"], "true"),
    (&["False"], "false"),
    (&["var", "local", "auto"], "let"),
    (&["function", "def", "func", "sub"], "fn"),
    (&["elif", "elseif", "elsif"], "else if"),
    (&["and"], "&&"),
    (&["or"], "||"),
    (&["not"], "!"),
    (&["new"], "vec(x, y)"),
    (&["match"], "switch"),
    (&["case"], "value => { ... }"),
    (&["foreach", "repeat", "ask"], "for x in list { ... }"),
    (&["goto", "go"], "me.go_to(target)"),
    (&["using", "include", "require"], "import \"script\" as name;"),
];

/// Names that mean something only on values of one type: the name of the type, the names, and what to write instead.
const OF_TYPES: &[(&str, &[&str], &str)] = &[
    ("neighborhood", &["size", "length", "len", "number"], "count"),
    (
        "neighborhood",
        &["pos", "position", "center_of_mass", "centroid", "mean_position", "average_position"],
        "center",
    ),
    ("neighborhood", &["group", "in_group", "of_group", "from_group"], "of(\"name\")"),
    (
        "neighborhood",
        &["vel", "velocity", "average_velocity", "mean_heading", "average_heading"],
        "mean_velocity",
    ),
    ("array", &["size", "length", "count"], "len()"),
    ("string", &["size", "length", "count"], "len()"),
    ("vector", &["size", "len", "speed"], "length()"),
];

/// Returns what to write instead of a name after a value of a type, if the name means something only there.
pub(super) fn instead_on(of: &str, name: &str) -> Option<&'static str> {
    let wrong = plain(name);
    let mut all = OF_TYPES.iter().filter(|(kind, ..)| *kind == of);
    all.find(|(_, names, _)| names.iter().any(|name| plain(name) == wrong))
        .map(|(.., instead)| *instead)
}

/// Returns the types on which a name means something, and what to write there instead.
pub(super) fn instead_by_type(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let wrong = plain(name);
    let means = move |names: &[&str]| names.iter().any(|name| plain(name) == wrong);
    let all = OF_TYPES.iter().filter(move |(_, names, _)| means(names));
    all.map(|(of, _, instead)| (*of, *instead))
}

/// Returns the names that other tools have for a member of values of a type: `group` for `of` of a neighborhood.
pub fn names_elsewhere(of: &str, member: &str) -> impl Iterator<Item = &'static str> {
    let all = OF_TYPES
        .iter()
        .filter(move |(kind, _, instead)| *kind == of && instead.split('(').next() == Some(member));
    all.flat_map(|(_, names, _)| names.iter().copied())
}

/// Names of functions elsewhere that are signs in scripts.
const SIGNS: &[(&[&str], &str)] = &[
    (&["add", "plus"], "+"),
    (&["sub", "subtract", "minus"], "-"),
    (&["mul", "mult", "multiply", "times", "scale", "scaled"], "*"),
    (&["div", "divide", "divided_by"], "/"),
];

/// Returns the sign that scripts write instead of a function of two values, if it is known: `+` for `add`.
pub(super) fn sign_instead_of(function: &str) -> Option<&'static str> {
    let wrong = plain(function);
    let mut all = SIGNS.iter();
    all.find(|(names, _)| names.iter().any(|name| plain(name) == wrong)).map(|(_, sign)| *sign)
}

/// Returns what scripts write instead of a name from another language or library, if it is known: `length()` for
/// `magnitude`.
pub fn instead_of(name: &str) -> Option<&'static str> {
    let wrong = plain(name);
    let mut all = SYNONYMS.iter().chain(KEYWORDS);
    all.find(|(names, _)| names.iter().any(|name| plain(name) == wrong))
        .map(|(_, instead)| *instead)
}

/// Returns what to write instead of a keyword of another language, if it is known.
pub(super) fn instead_of_keyword(word: &str) -> Option<&'static str> {
    let mut all = KEYWORDS.iter();
    all.find(|(words, _)| words.contains(&word)).map(|(_, instead)| *instead)
}

/// Returns what to write after a dot instead of a name: the suggestion without `me.` or `a.`.
pub(super) fn instead_of_property(name: &str) -> Option<&'static str> {
    instead_of(name).map(|instead| {
        let behind = instead.strip_prefix("me.").or(instead.strip_prefix("a."));
        behind.unwrap_or(instead)
    })
}

/// Returns the property that is meant by a mistyped name from another language or library, if it is one of those that are known.
pub(super) fn instead_of_mistyped<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'static str> {
    let names = SYNONYMS.iter().flat_map(|(names, _)| *names).copied();
    let instead = instead_of_property(nearest(name, names)?)?;
    known.into_iter().any(|known| known == instead).then_some(instead)
}

/// Returns the call that is meant by the beginning of a name from another language or library, if its function is one of those that are
/// known.
pub(super) fn instead_of_begun<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'static str> {
    let mut names = SYNONYMS.iter().flat_map(|(names, _)| *names).copied();
    let begun = names.find(|known| name.len() > 2 && known.starts_with(name))?;
    let instead = instead_of_property(begun)?;
    let called = instead.split('(').next()?;
    known.into_iter().any(|known| known == called).then_some(instead)
}

fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::script::api;

    #[test]
    fn every_name_is_listed_once() {
        let all: Vec<_> = SYNONYMS.iter().chain(KEYWORDS).flat_map(|(names, _)| *names).collect();
        let plain: BTreeSet<_> = all.iter().map(|name| plain(name)).collect();
        assert_eq!(all.len(), plain.len());
    }

    #[test]
    fn everything_that_is_suggested_exists() {
        let known = api::engine().collect_fn_metadata(
            None,
            |function| Some(function.metadata.name.to_string()),
            true,
        );
        for (_, instead) in SYNONYMS {
            let called = instead.split(['.', ' ', ',']).filter_map(|part| {
                let (name, _) = part.split_once('(')?;
                name.starts_with(char::is_alphabetic).then_some(name)
            });
            for name in called {
                assert!(known.iter().any(|known| known == name), "{instead}");
            }
            for of in ["me", "world"] {
                if let Some(read) = instead.strip_prefix(of).and_then(|rest| rest.strip_prefix('.'))
                    && !read.contains('(')
                {
                    let first = read.split(['.', ' ']).next().unwrap();
                    assert!(api::properties(of).any(|known| known == first), "{instead}");
                }
            }
        }
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        assert_eq!(instead_of("createVector"), Some("vec(x, y)"));
        assert_eq!(instead_of("deltaTime"), Some("world.dt"));
        assert_eq!(instead_of_property("position"), Some("pos"));
        assert_eq!(instead_of_property("width"), Some("world.size.x"));
        assert_eq!(instead_of("seek"), None);
    }

    #[test]
    fn mistyped_names_are_found_if_a_property_is_meant() {
        let of_me = |name| instead_of_mistyped(name, api::properties("me"));
        assert_eq!(of_me("velocty"), Some("vel"));
        assert_eq!(of_me("postion"), Some("pos"));
        assert_eq!(of_me("orientaton"), Some("heading"));
        // It is a function, and nothing like it.
        assert_eq!(of_me("neighbour"), None);
        assert_eq!(of_me("hunger"), None);
    }
}
