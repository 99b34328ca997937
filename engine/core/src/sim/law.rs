//! Laws of symmetry: changes of a whole world after which a run should go on in the same way.

use super::{Order, Simulation};
use crate::world::{GroupId, Noise};

/// A change of a whole world that should make no difference to how agents move in it. Most can be made in two ways, and fail only
/// if both fail: where rounding decides, one of them may differ by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "law")]
pub enum Law {
    /// Everything is elsewhere: moved toward smaller coordinates, by a half and by three quarters of the size of the world.
    Translated,
    /// Everything is turned about the origin, by a quarter turn to the left and to the right.
    Rotated,
    /// Left and right are swapped: everything is mirrored in the x axis and in the y axis.
    Mirrored,
    /// The agents of the groups were made in the opposite order of the groups. So their ids and the order in which
    /// neighbors are listed differ, and their indices in the group do not.
    Reordered,
}

impl Law {
    /// All laws.
    pub const ALL: [Self; 4] = [Self::Translated, Self::Rotated, Self::Mirrored, Self::Reordered];

    /// Returns its name, as a scenario writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Translated => "Translated",
            Self::Rotated => "Rotated",
            Self::Mirrored => "Mirrored",
            Self::Reordered => "Reordered",
        }
    }

    /// Returns the word for a run to which it was applied.
    pub(crate) fn adjective(self) -> &'static str {
        match self {
            Self::Translated => "translated",
            Self::Rotated => "rotated",
            Self::Mirrored => "mirrored",
            Self::Reordered => "reordered",
        }
    }
}

impl Simulation {
    /// Returns why a law is not expected to hold; `None` if nothing speaks against it. It asks the behaviors what they
    /// read and call, so a law that is not expected may hold all the same.
    pub fn why_not(&self, law: Law) -> Option<String> {
        let world = self.world();
        if law == Law::Reordered {
            if world.groups.len() < 2 {
                return Some("there is only one group".into());
            }
            if self.order == Order::Sequential {
                return Some("agents decide one after another".into());
            }
        }
        for (id, group) in (0..).map(GroupId).zip(&world.groups) {
            let is_noisy = group.all_bodies().iter().any(|body| body.noise != Noise::default());
            if is_noisy && matches!(law, Law::Rotated | Law::Mirrored) {
                return Some(format!("group `{}` has noise", group.name));
            }
            // In a crowd, contacts make differences by rounding large within a few ticks. A rotation rounds in the same way.
            let is_solid = group.all_bodies().iter().any(|body| body.solid);
            if is_solid && matches!(law, Law::Translated | Law::Mirrored) {
                return Some(format!("group `{}` has solid bodies", group.name));
            }
            if group.formation.is_some() && law == Law::Mirrored {
                return Some(format!("group `{}` has a formation", group.name));
            }
            let why = self.brains[usize::from(id.0)].why_not(law, world, id);
            if why.is_some() {
                return why;
            }
        }
        None
    }
}
