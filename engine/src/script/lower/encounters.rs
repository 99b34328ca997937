//! What a script asks about meeting others and obstacles, and how many neighbors there are.

use rhai::Position;

use super::Lower;
use super::value::{Alt, Val};
use crate::math::Compare;
use crate::program::{AskOther, B, Columns, CommonI, Type};
use crate::world::GroupId;

impl Lower<'_> {
    /// A function of `me` about another agent or about a velocity it does not have.
    pub(super) fn encounter(
        &mut self,
        name: &str,
        values: &[Val],
        position: Position,
        active: B,
    ) -> Val {
        let ask = match (name, values) {
            ("time_to_collision", [_]) => AskOther::TimeToCollision,
            ("time_to_nearest_approach", [_]) => AskOther::TimeToNearest,
            ("distance_at_nearest_approach", [_]) => AskOther::DistanceAtNearest,
            ("free_distance", [velocity, horizon]) => {
                return self.free_distance(velocity, horizon, position);
            }
            _ => return self.slow(&format!("`{name}` on `me`"), position),
        };
        let what = format!("the argument of `{name}`");
        let alts = self.fitting(&values[0], |is| is == Type::Agent, &what, "an agent", position);
        let Some(&Alt { at: Columns::I(row), .. }) = alts.first() else {
            return Val::never();
        };
        // Lanes that are at fault by now are left out when it is done.
        let vel = self.vel();
        let (to, is) = self.emit.encounter(ask, row, vel, active);
        if ask == AskOther::TimeToCollision {
            self.maybe(Type::Float, Columns::F(to), is)
        } else {
            Val::number(to)
        }
    }

    fn free_distance(&mut self, velocity: &Val, horizon: &Val, position: Position) -> Val {
        let what = "the first argument of `free_distance`";
        let velocity = self.as_vector(velocity, what, position);
        let what = "the second argument of `free_distance`";
        let horizon = self.as_number(horizon, what, position);
        let (Some(velocity), Some(horizon), Some(active)) = (velocity, horizon, self.active) else {
            return Val::never();
        };
        self.at_least_zero(horizon);
        Val::number(self.emit.free(velocity, horizon, active))
    }

    /// `world.ray(from, to)`.
    pub(super) fn ray(&mut self, from: &Val, to: &Val, position: Position) -> Val {
        let from = self.as_point(from, "the first argument of `ray`", position);
        let target = self.as_point(to, "the second argument of `ray`", position);
        let (Some(from), Some(target), Some(active)) = (from, target, self.active) else {
            return Val::never();
        };
        let (to, is) = self.emit.ray(from, target, active);
        self.maybe(Type::Vector, Columns::V(to), is)
    }

    /// `world.agent("group")`: at fault where there is not exactly one.
    pub(super) fn only(&mut self, group: GroupId) -> Val {
        let row = self.emit.common_i(CommonI::Only(group));
        if let Some(active) = self.active {
            let zero = self.emit.const_i(0);
            let none = self.emit.cmp_i(Compare::Lt, row, zero);
            let active = self.emit.and(active, none);
            self.emit.fault(active);
        }
        Val::one(Type::Agent, Columns::I(row))
    }

    /// `len()` or `is_empty()` of a neighborhood.
    pub(super) fn how_many(&mut self, near: u16, name: &str) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        let count = self.emit.means(near, active).0;
        if name == "len" {
            return Val::whole(count);
        }
        let zero = self.emit.const_i(0);
        Val::truth(self.emit.cmp_i(Compare::Eq, count, zero))
    }

    /// Something that is nothing where `is` does not hold.
    pub(super) fn maybe(&mut self, of: Type, at: Columns, is: B) -> Val {
        let not = self.emit.not(is);
        Val::Alts(vec![
            Alt { is: of, mask: Some(is), at },
            Alt { is: Type::Nothing, mask: Some(not), at: Columns::None },
        ])
    }
}
