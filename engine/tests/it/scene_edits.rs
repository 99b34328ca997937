//! Edits of a scene in the files of all shipped scenarios.

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::{Handle, NewObstacle, SceneEdit, SceneShape};

use crate::support::{names, text};

/// Number of places of each scenario that are moved.
const PLACES: usize = 12;

#[test]
fn a_moved_place_is_the_only_one_that_changes() {
    let (mut moved, mut refused) = (0, Vec::new());
    for name in names("scenarios", "ron") {
        let text = text(&name);
        let source = Source::new(name, text.as_str());
        let all = Handle::all(&source);
        let step = all.len().div_ceil(PLACES).max(1);
        for handle in all.iter().step_by(step) {
            let to = handle.at + Vec2::new(0.5, -0.25);
            let (part, number) = (handle.part.clone(), handle.number);
            let edit = SceneEdit::Move { part, to: vec![(number, to)] };
            let new = match edit.apply(&source) {
                Ok(new) => new,
                // A corner of a room beyond the other one, a start outside the world ...
                Err(errors) => {
                    refused.push(format!("{}: {handle:?}: {errors:?}", source.name));
                    continue;
                }
            };
            let now = Handle::all(&Source::new(source.name.as_str(), new.as_str()));
            assert_eq!(now.len(), all.len(), "{}", source.name);
            let is_beside = |one: &&Handle| one.part == handle.part;
            let beside: Vec<Vec2> = all.iter().filter(is_beside).map(|one| one.at).collect();
            let mut beside = handle.shape.moved(&beside, &[(number, to)]);
            if (handle.shape, handle.is_size) == (SceneShape::Circle, true) {
                // The radius is written, not the place on the rim.
                beside[1] = beside[0] + Vec2::new(beside[1].distance(beside[0]), 0.0);
            }
            for (new, old) in now.iter().zip(&all) {
                assert_eq!((&new.part, new.number), (&old.part, old.number), "{}", source.name);
                let (expected, allowed) = match old.part == handle.part {
                    true => (beside[old.number], if old.shape.has_size() { 0.01 } else { 0.0 }),
                    false => (old.at, 0.0),
                };
                let is_there = new.at.distance(expected) <= allowed;
                assert!(is_there, "{}: {old:?} {new:?} {expected}", source.name);
            }
            assert_eq!(new.lines().count(), text.lines().count(), "{}", source.name);
            moved += 1;
        }
        let center = Vec2::new(1.0, 2.0);
        let with = SceneEdit::AddObstacle { center, shape: NewObstacle::Circle(0.5) }
            .apply(&source)
            .unwrap();
        let with = Source::new(source.name.as_str(), with);
        let rock = Handle::all(&with).into_iter().find(|one| one.at == center).unwrap();
        let without = SceneEdit::Remove { part: rock.part, number: rock.number };
        let without = without.apply(&with).unwrap();
        assert_eq!(
            Handle::all(&Source::new(source.name.as_str(), without)),
            all,
            "{}",
            source.name
        );
    }
    assert!(moved > 400 && refused.len() * 20 < moved, "{moved} moved, refused: {refused:#?}");
}
