//! Edits of a scene in the texts of all shipped scenarios.

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::{Handle, SceneEdit};

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
        let places: Vec<_> = all.iter().filter(|one| one.size_of.is_none()).collect();
        let step = places.len().div_ceil(PLACES).max(1);
        for handle in places.into_iter().step_by(step) {
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
            for (new, old) in now.iter().zip(&all) {
                assert_eq!((&new.part, new.number), (&old.part, old.number), "{}", source.name);
                let goes_with = old.size_of.is_some_and(|shape| shape.center() == handle.at);
                if old.part == handle.part && goes_with {
                    // The mark of a size stays as far from its center.
                    let moved = new.at - old.at;
                    assert!(moved.distance(to - handle.at) < 1e-3, "{}: {old:?}", source.name);
                } else {
                    let is_it = old.part == handle.part && old.number == handle.number;
                    let expected = if is_it { to } else { old.at };
                    assert_eq!(new.at, expected, "{}: {old:?}", source.name);
                }
            }
            assert_eq!(new.lines().count(), text.lines().count(), "{}", source.name);
            moved += 1;
        }
        let center = Vec2::new(1.0, 2.0);
        let with = SceneEdit::AddObstacle { center, radius: 0.5 }.apply(&source).unwrap();
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
