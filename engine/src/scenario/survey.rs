//! A look at where the first agents would be put, before any is.

use super::findings::Findings;
use super::ordered::Ordered;
use super::spec::GroupSpec;
use crate::diag::{Code, Diagnostic};
use crate::geom::Shape;
use crate::math::Vec2;
use crate::sim::Setup;
use crate::world::{Edge, GroupId, World};

/// How many pairs of an agent and an obstacle are looked at: about a quarter of a second.
const MOST_LOOKS: usize = 50_000_000;

/// Warns of agents that start inside an obstacle or outside the world.
pub(super) fn survey(findings: &mut Findings<'_>, setup: &Setup, specs: &Ordered<GroupSpec>) {
    if setup.obstacles.is_empty() && setup.space.edge == Edge::Open {
        return;
    }
    let groups = setup.groups.iter().map(|(group, _)| group.clone());
    let world = World::new(
        setup.seed,
        setup.dt,
        setup.space,
        Vec::new(),
        Vec::new(),
        groups.collect(),
    );
    let bounds: Vec<_> = setup
        .obstacles
        .iter()
        .map(|obstacle| match obstacle.shape {
            Shape::Room { .. } => None,
            _ => Some(obstacle.shape.bounds()),
        })
        .collect();
    let mut looks = MOST_LOOKS / (bounds.len() + 1);

    for (i, ((group, spawn), (_, spec))) in setup.groups.iter().zip(&specs.0).enumerate() {
        let (mut inside, mut outside) = (Seen::default(), Seen::default());
        let mut in_which = None;
        let seen = (spawn.count as usize).min(looks);
        looks -= seen;
        for index in 0..seen as u32 {
            let pos = spawn.agent(&world, GroupId(i as u16), index).pos;
            if is_outside(setup, pos) {
                outside.add(index, pos);
            }
            let (pos, _) = setup.space.settle(pos, Vec2::ZERO);
            let obstacle = setup.obstacles.iter().zip(&bounds).find(|(one, bounds)| {
                let is_near =
                    bounds.is_none_or(|(low, high)| pos.cmpge(low).all() && pos.cmple(high).all());
                is_near && one.shape.contains(pos)
            });
            if let Some((obstacle, _)) = obstacle {
                inside.add(index, pos);
                in_which.get_or_insert(&obstacle.name);
            }
        }
        let of = |count: u32| {
            let least = if seen < spawn.count as usize {
                "at least "
            } else {
                ""
            };
            format!(
                "{least}{count} of {} agents of group `{}`",
                spawn.count, group.name
            )
        };
        if let (Some(first), Some(name)) = (inside.first, in_which) {
            let what = format!("{} start inside an obstacle", of(inside.count));
            let label = format!("number {} at {} is in `{name}`", first.0, first.1);
            findings.add(
                Diagnostic::warning(what)
                    .code(Code::StartInObstacle)
                    .label(label),
                findings.head(&spec.spawn),
            );
        }
        if let Some(first) = outside.first {
            let what = format!("{} start outside the world", of(outside.count));
            let (min, max) = (setup.space.min, setup.space.max());
            let label = format!("number {} would be at {}", first.0, first.1);
            findings.add(
                Diagnostic::warning(what)
                    .code(Code::OutsideWorld)
                    .label(label)
                    .help(format!(
                        "the world goes from {min} to {max} and its edge moves them in"
                    )),
                findings.head(&spec.spawn),
            );
        }
    }
}

/// How many agents there are of a sort, with the number and place of the first.
#[derive(Default)]
struct Seen {
    count: u32,
    first: Option<(u32, Vec2)>,
}

impl Seen {
    fn add(&mut self, index: u32, pos: Vec2) {
        self.count += 1;
        self.first.get_or_insert((index, pos));
    }
}

fn is_outside(setup: &Setup, pos: Vec2) -> bool {
    let space = &setup.space;
    space.edge != Edge::Open && !(pos.cmpge(space.min).all() && pos.cmple(space.max()).all())
}
