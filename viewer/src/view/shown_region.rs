//! Which part of a world is shown while the person has chosen none.

use flockwork_engine::world::{Space, World};

use crate::draw::Rect;

/// How many times larger than needed the part of an open world becomes when agents leave it.
const GROWTH: f32 = 1.25;

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

    /// Keeps the part that is shown, also while agents move and other ticks are shown, so that the view does not move by
    /// itself. Only while the run plays, it becomes larger if agents leave it, over some frames. When ticks before `end` are dropped, it begins anew
    /// with the world that is shown. Returns whether the view moves.
    pub(super) fn keep(&mut self, world: &World, end: u64, is_playing: bool) -> bool {
        let shown = self.rect(world);
        let kept = self.0.filter(|kept| kept.space == world.space);
        let kept = kept.map_or(shown, |kept| match end < kept.end {
            true => Rect::of_world(world),
            false => kept.wanted,
        });
        let grown = kept.joined(Rect::of_world(world));
        let wanted = match is_playing && grown != kept {
            // Larger than needed, so that it does not grow with each step of an agent.
            true => grown.joined(grown.scaled(GROWTH)),
            false => kept,
        };
        let near = (wanted.max - wanted.min) * NEAR;
        let is_near = (wanted.min - shown.min).abs().cmple(near).all()
            && (wanted.max - shown.max).abs().cmple(near).all();
        let next = if is_near { wanted } else { shown.toward(wanted, EASE) };
        self.0 = Some(KeptRegion { space: world.space, shown: next, wanted, end });
        next != shown
    }
}

#[cfg(test)]
mod tests {
    use flockwork_engine::math::Vec2;
    use flockwork_engine::{Options, Run, diag::Source, script::Scripts};

    use super::*;

    /// Returns an open world with an agent at some x.
    fn world(x: f32, size: f32) -> World {
        let text = format!(
            "(world: (size: ({size}, 100), edge: Open), groups: {{ \"a\": (behavior: \"a\", count: 1, spawn: Points([({x}, 0)])) }})"
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
}
