//! The shares of what a turn decides, as they are shown to a person.

use super::next_turn_text::join_causes;
use super::{ExplainedCall, ExplainedVariable, Explanation};
use crate::diag::Place;
use crate::math::{Vec2, short_vector};
use crate::steer::Cause;

/// One share of what a turn decides: that of a call of a primitive, that of a variable that the script computes itself, or the
/// rest, which comes from neither.
#[derive(Clone, Copy, Debug)]
pub struct ForceShare<'a> {
    /// The call; `None` if it is none.
    pub call: Option<&'a ExplainedCall>,
    /// The variable; `None` if it is none.
    pub variable: Option<&'a ExplainedVariable>,
    /// The share.
    pub force: Vec2,
    /// Whether it is a share of the velocity that the script itself changes, in world units per second, and not of the
    /// force.
    pub is_of_velocity: bool,
    /// The part of the whole force or velocity change that it is; see [`Explanation::fraction`].
    pub fraction: Option<f32>,
    /// Whether the agent mostly follows this one; see [`Explanation::dominant`].
    pub is_dominant: bool,
    /// The index of its color, below [`Self::COLORS`]. It depends on the name and not on what else the script calls, as long as no two
    /// shares would have the same one.
    pub color: usize,
    rest_causes: &'a [Cause],
}

impl<'a> ForceShare<'a> {
    /// The number of colors of shares.
    pub const COLORS: usize = 6;

    /// Returns the name of the primitive or of the variable, or `rest`.
    pub fn name(&self) -> &'a str {
        match (self.call, self.variable) {
            (Some(call), _) => call.primitive.name,
            (None, Some(variable)) => &variable.name,
            (None, None) => "rest",
        }
    }

    /// Returns whether it comes neither from a call nor from a variable.
    pub fn is_rest(&self) -> bool {
        self.call.is_none() && self.variable.is_none()
    }

    /// Returns where the script makes the call or sets the variable.
    pub fn place(&self) -> Option<&'a Place> {
        match self.call {
            Some(call) => call.place.as_ref(),
            None => self.variable.map(|variable| &variable.place),
        }
    }

    /// Returns the share as text, for a call or a variable with its weight, or what the call returned.
    pub fn product(&self) -> String {
        if self.is_of_velocity {
            return format!("velocity changes by {}", short_vector(self.force));
        }
        match (self.call, self.variable) {
            (Some(call), _) => call.product(),
            (None, Some(variable)) => variable.product(),
            (None, None) => short_vector(self.force),
        }
    }

    /// Returns the cause in a few words, including `no neighbors` and `nothing ahead`.
    pub fn cause_text(&self) -> Option<String> {
        match (self.call, self.variable) {
            (Some(call), _) => call.cause_text(),
            (None, Some(variable)) => join_causes(&variable.causes),
            (None, None) => join_causes(self.rest_causes),
        }
    }
}

impl Explanation {
    /// Returns the shares of the force: those of all calls, those of variables that the script computes itself, and the rest if it
    /// is more than rounding. If the shares are not known, these are the results of the calls.
    pub fn shares<'a>(&'a self) -> Vec<ForceShare<'a>> {
        let (dominant, dominant_variable) = (self.dominant(), self.dominant_variable());
        let acts_on_velocity = self.acts_on_velocity();
        let mut colors = self.colors().into_iter();
        let share = |call: Option<&'a ExplainedCall>, force, is_of_velocity| ForceShare {
            call,
            variable: None,
            color: 0,
            force,
            is_of_velocity,
            fraction: if call.is_some_and(|call| !call.has_share) {
                None
            } else if is_of_velocity {
                self.velocity_fraction(force)
            } else {
                self.fraction(force)
            },
            is_dominant: acts_on_velocity == is_of_velocity
                && match (call, dominant) {
                    (Some(call), Some(one)) => std::ptr::eq(one, call),
                    (call, one) => call.is_none() && one.is_none() && dominant_variable.is_none(),
                },
            rest_causes: &self.rest_causes,
        };
        let mut all = Vec::new();
        for call in &self.calls {
            let color = colors.next().unwrap_or_default();
            let share = |force, is_of_velocity| ForceShare {
                color,
                ..share(Some(call), force, is_of_velocity)
            };
            if !call.has_share {
                all.push(share(call.raw, false));
                continue;
            }
            let changes_velocity = call.vel_share != Vec2::ZERO;
            if changes_velocity {
                all.push(share(call.vel_share, true));
            }
            if !changes_velocity || call.share != Vec2::ZERO {
                all.push(share(call.share, false));
            }
        }
        for variable in &self.variables {
            let color = colors.next().unwrap_or_default();
            for (force, is_of_velocity) in [(variable.vel_share, true), (variable.share, false)] {
                let one = ForceShare {
                    variable: Some(variable),
                    color,
                    is_dominant: acts_on_velocity == is_of_velocity
                        && dominant_variable.is_some_and(|one| std::ptr::eq(one, variable)),
                    ..share(None, force, is_of_velocity)
                };
                // Without a share, it is a part of the force that is zero.
                let is_zero = !is_of_velocity && variable.vel_share == Vec2::ZERO;
                all.extend((force != Vec2::ZERO || is_zero).then_some(one));
            }
        }
        all.extend(self.unnamed_rest().map(|rest| share(None, rest, false)));
        all
    }

    /// Returns the index of the color of each call and then of each variable, below [`ForceShare::COLORS`].
    pub fn colors(&self) -> Vec<usize> {
        const COUNT: usize = ForceShare::COLORS;
        let calls = self.calls.iter().map(|call| call.primitive.name);
        let names = calls.chain(self.variables.iter().map(|one| one.name.as_str()));
        let mut is_taken = [false; COUNT];
        let color = |name: &str| {
            let hash = |hash: usize, byte: u8| (hash * 31 + usize::from(byte)) % 8191;
            let wanted = name.bytes().fold(0, hash);
            // With more shares than colors, some have the same one.
            let free =
                (0..COUNT).map(|step| (wanted + step) % COUNT).find(|color| !is_taken[*color]);
            let color = free.unwrap_or(wanted % COUNT);
            is_taken[color] = true;
            color
        };
        names.map(color).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::find;

    fn colors(names: &[&str]) -> Vec<usize> {
        let call = |name: &&str| {
            let primitive = find(name).unwrap();
            ExplainedCall::without_share(primitive, None, None, Vec2::ZERO, Vec2::X)
        };
        let all = Explanation {
            calls: names.iter().map(call).collect(),
            variables: Vec::new(),
            rest: Vec2::ZERO,
            rest_causes: Vec::new(),
            force: Vec2::X,
            vel: Vec2::ZERO,
            vel_change: Vec2::ZERO,
            vel_causes: Vec::new(),
            choices: Vec::new(),
        };
        all.shares().iter().map(|share| share.color).collect()
    }

    /// The arrows of a flock changed their colors whenever an obstacle came near.
    #[test]
    fn a_share_keeps_its_color_when_others_come_and_go() {
        let all = colors(&["avoid_obstacles", "separation", "alignment", "cohesion"]);
        assert_eq!(all[1..], colors(&["separation", "alignment", "cohesion"]));
        let mut different = all.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), 4, "{all:?}");
        assert_eq!(colors(&["seek"; 9]).iter().max(), Some(&5));
    }
}
