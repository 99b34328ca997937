//! The primitives that are not the same in all directions, or on both sides.

/// Those that depend on the axes or on cells of the world, or take an offset in the frame of an agent.
pub const NOT_ROTATED: &[&str] = &["explore", "go_to", "offset_pursue", "context", "context_slot"];

/// Those that swing at random to either side, and those that pass on the right if they cannot tell the sides apart.
pub const PREFER_A_SIDE: &[&str] = &[
    "wander",
    "explore",
    "jink",
    "vicsek",
    "go_to",
    "orca",
    "velocity_obstacles",
    "avoid_neighbors",
    "anticipate",
    "social_force",
];

/// Those that go left on a line through their target or obstacle, and those that are told a side.
pub const NEED_A_SIDE: &[&str] = &[
    "dock",
    "wall_follow",
    "avoid_obstacles",
    "whiskers",
    "orbit",
    "offset_pursue",
    "keep_formation",
    "context",
    "context_slot",
];
