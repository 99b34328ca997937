//! Notes about groups whose ways are slow to find.

use std::rc::Rc;

use crate::diag::{Code, Diagnostic};
use crate::math;
use crate::scenario::BehaviorRef;
use crate::script::Mentions;
use crate::world::{Edge, Group, World};

/// The number of cells from which on a search takes a noticeable part of a tick.
const MANY_CELLS: usize = 10_000;

/// Returns a note for each group whose script searches ways on many cells, unless the scenario says how large they are.
pub(super) fn notes(
    world: &World,
    behaviors: &[Option<BehaviorRef>],
    mentions: &[Rc<Mentions>],
) -> Vec<Diagnostic> {
    if world.way_cell.is_some() {
        return Vec::new();
    }
    let groups = world.groups.iter().zip(behaviors).zip(mentions);
    let note = |((group, behavior), mentions): ((&Group, &Option<BehaviorRef>), &Rc<Mentions>)| {
        let place = &behavior.as_ref()?.place;
        let cells = world.max_way_cells(group);
        if cells < MANY_CELLS || !mentions.searches_ways() {
            return None;
        }
        let message = format!("ways of group `{}` are searched on {cells} cells", group.name);
        let mut note = Diagnostic::note(message)
            .code(Code::SlowWays)
            .at(&place.source, place.span.clone())
            .help("a goal that is not in sight takes a search over them; one that moves, a search for each cell that it enters");
        // In an open world, the cells reach beyond its rectangle.
        if world.space.edge != Edge::Open && group.bodies.is_empty() {
            let side = 2.0 * math::sqrt(world.space.size.x * world.space.size.y / cells as f32);
            note = note.help(format!(
                "larger cells are faster, and ways past obstacles a little longer: with `way_cell: {}` in `world`, there are about a quarter as many",
                math::significant(side.into(), 2)
            ));
        }
        Some(note)
    };
    groups.filter_map(note).collect()
}
