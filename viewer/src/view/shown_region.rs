//! Which part of a world is shown while the person has chosen none.

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{Edge, Space, World};

use crate::draw::Rect;

/// How many times larger than needed the part of an open world becomes when agents leave it.
const GROWTH: f32 = 1.25;

/// Agents that are farther from the middle one than this many sizes of the world do not count: the others must not become too small
/// to see.
const REACH: f32 = 3.0;
/// The middle agent is that of at most about this many.
const SAMPLE: usize = 1000;

/// The share of the way to a new part that the view goes in a frame, so that it does not jump.
const EASE: f32 = 0.12;
/// A view that is nearer to the new part than this share of its size is there.
const NEAR: f32 = 0.002;

/// The part of a world that is shown. In an open world it depends on where agents were when it was chosen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShownRegion(Option<KeptRegion>);

#[derive(Clone, Copy, Debug)]
struct KeptRegion {
    space: Space,
    shown: Rect,
    /// The part that the view goes to.
    wanted: Rect,
    /// The last tick that had been simulated.
    end: u64,
}

impl ShownRegion {
    /// Returns the part to show: the one that is kept, or the whole world with its agents.
    pub(super) fn rect(&self, world: &World) -> Rect {
        match self.0 {
            Some(kept) if kept.space == world.space => kept.shown,
            _ => Rect::of_world(world),
        }
    }

    /// Returns whether the view has followed agents out of the rectangle of the world.
    pub(super) fn has_left(&self, world: &World) -> bool {
        let space = Rect { min: world.space.min, max: world.space.max() };
        let kept = self.0.filter(|kept| kept.space == world.space);
        kept.is_some_and(|kept| kept.shown.joined(space) != kept.shown)
    }

    /// Keeps the part that is shown, also while agents move and other ticks are shown, so that the view does not move by
    /// itself. Only while the run plays and agents leave it, it goes to where the agents are, over some frames, or becomes larger if there
    /// is more to see than agents. When ticks before `end` are dropped, it begins anew with the world that is shown. Returns whether
    /// the view moves.
    pub(super) fn keep(&mut self, world: &World, end: u64, is_playing: bool) -> bool {
        let shown = self.rect(world);
        let kept = self.0.filter(|kept| kept.space == world.space);
        let kept = kept.map_or(shown, |kept| match end < kept.end {
            true => Rect::of_world(world),
            false => kept.wanted,
        });
        let wanted = wanted(kept, world, is_playing);
        let near = (wanted.max - wanted.min) * NEAR;
        let is_near = (wanted.min - shown.min).abs().cmple(near).all()
            && (wanted.max - shown.max).abs().cmple(near).all();
        let next = if is_near { wanted } else { shown.toward(wanted, EASE) };
        self.0 = Some(KeptRegion { space: world.space, shown: next, wanted, end });
        next != shown
    }
}

/// Returns the part to show instead of the one that was.
fn wanted(kept: Rect, world: &World, is_playing: bool) -> Rect {
    let flock = flock(world);
    let needed = flock.unwrap_or_else(|| Rect::of_world(world));
    let joined = kept.joined(needed);
    if joined == kept {
        return kept;
    }
    match flock {
        // Larger than needed, so that it does not change with each step of an agent.
        Some(flock) => {
            let (middle, half) = ((flock.min + flock.max) / 2.0, (flock.max - flock.min) / 2.0);
            let half = (half * GROWTH).max(world.space.size / 2.0);
            let is_gone = kept.joined(Rect { min: middle, max: middle }) != kept;
            let moves = is_playing || is_gone;
            if moves { Rect { min: middle - half, max: middle + half } } else { kept }
        }
        None if is_playing => joined.joined(joined.scaled(GROWTH)),
        None => kept,
    }
}

/// Returns the part of an open world that its agents are in. `None` if there is more to see than agents, or if nothing can be outside.
fn flock(world: &World) -> Option<Rect> {
    let World { space, obstacles, paths, fields, layers, .. } = world;
    let has_goals = world.groups.iter().flat_map(|group| &group.goals).any(|all| !all.is_empty());
    let has_scene = has_goals
        || !(obstacles.is_empty() && paths.is_empty() && fields.is_empty() && layers.is_empty());
    if space.edge != Edge::Open || has_scene {
        return None;
    }
    let every = world.agents.len().div_ceil(SAMPLE).max(1);
    let middle = |of: fn(Vec2) -> f32| {
        let mut all: Vec<f32> = world.agents.positions().step_by(every).map(of).collect();
        let half = all.len() / 2;
        (!all.is_empty()).then(|| *all.select_nth_unstable_by(half, f32::total_cmp).1)
    };
    let middle = Vec2::new(middle(|at| at.x)?, middle(|at| at.y)?);
    let reach = space.size * REACH;
    let near = world.agents.positions().filter(|at| (*at - middle).abs().cmple(reach).all());
    near.map(|at| Rect { min: at, max: at }).reduce(Rect::joined)
}

#[cfg(test)]
mod tests {
    use flockwork_engine::{Options, Run, diag::Source, script::Scripts};

    use super::*;

    /// Returns an open world with an obstacle and with an agent at some x.
    fn world(x: f32, size: f32) -> World {
        with("obstacles: { \"rock\": Circle(center: (50, 50), radius: 1) },", x, size)
    }

    fn with(scene: &str, x: f32, size: f32) -> World {
        let text = format!(
            "(world: (size: ({size}, 100), edge: Open), {scene} groups: {{ \"a\": (behavior: \"a\", count: 1, spawn: Points([({x}, 0)])) }})"
        );
        let scripts = Scripts::new().with("a", "fn steer(me) { vec(0, 0) }");
        let run = Run::new(&Source::new("a.ron", text), &scripts, &Options::default()).unwrap();
        run.simulation().world().as_ref().clone()
    }

    /// Caught: the view of an open world moved with each tick, also while the person went through the ticks.
    #[test]
    fn the_view_of_an_open_world_moves_only_if_agents_leave_it() {
        let mut region = ShownRegion::default();
        region.keep(&world(150.0, 100.0), 200, true);
        let shown = |region: &ShownRegion, x: f32| region.rect(&world(x, 100.0));
        let first = shown(&region, 150.0);
        for (x, is_playing) in [(140.0, true), (20.0, false), (190.0, false), (150.0, true)] {
            region.keep(&world(x, 100.0), 200, is_playing);
            assert_eq!(shown(&region, x), first, "{x}");
        }
        // It goes there over some frames, in steps that become smaller, and then it stands still.
        assert!(region.keep(&world(151.0, 100.0), 200, true));
        let mut edges = vec![first.max.x, shown(&region, 151.0).max.x];
        while region.keep(&world(151.0, 100.0), 200, true) {
            edges.push(shown(&region, 151.0).max.x);
        }
        assert!((10..100).contains(&edges.len()), "{edges:?}");
        assert!(edges.is_sorted() && edges[1] - edges[0] < 5.0, "{edges:?}");
        let second = shown(&region, 151.0);
        assert!(second.max.x > 160.0, "{second:?}");
        assert!(!region.keep(&world(160.0, 100.0), 200, true));
        assert_eq!(shown(&region, 160.0), second);
        // Another run, from an earlier tick, is shown as large as it needs.
        while region.keep(&world(20.0, 100.0), 90, true) {}
        assert_eq!(shown(&region, 20.0), Rect::of_world(&world(20.0, 100.0)));
        // Another world is shown whole.
        let other = world(150.0, 200.0);
        assert_eq!(region.rect(&other), Rect::of_world(&other));
        assert_eq!(Rect::of_world(&other).max, Vec2::new(200.0, 100.0));
    }

    /// The birds of a class flew away, and became dots.
    #[test]
    fn the_view_follows_agents_where_there_is_nothing_else_to_see() {
        let world = |x: f32| with("", x, 100.0);
        let mut region = ShownRegion::default();
        region.keep(&world(50.0), 200, true);
        let first = region.rect(&world(50.0));
        assert!(!region.has_left(&world(50.0)));
        // It stays while the agent is in it.
        region.keep(&world(99.0), 200, true);
        assert_eq!(region.rect(&world(99.0)), first);
        for x in [101.0, 900.0, -5e5] {
            while region.keep(&world(x), 200, true) {}
            let shown = region.rect(&world(x));
            assert_eq!((shown.min.x + shown.max.x) / 2.0, x);
            assert_eq!(shown.max - shown.min, Vec2::new(100.0, 100.0), "as large as before");
            assert!(region.has_left(&world(x)));
        }
        // Far away, also going through the ticks leads to the agent.
        while region.keep(&world(50.0), 200, false) {}
        let shown = region.rect(&world(50.0));
        assert_eq!((shown.min.x, shown.max.x), (0.0, 100.0));
    }
}
