//! Warns of what runs but is surely not meant: degrees instead of radians, and names of groups that do not
//! exist.

use rhai::{Expr, FnCallExpr, Position};

use super::value::{LoweredValue, TypeCase};
use super::{Lowering, definitions};
use crate::diag::{Code, Diagnostic};
use crate::math::PI;
use crate::program::{Columns, Type};
use crate::steer::{self, RADIANS};

impl Lowering<'_> {
    /// Warns of an angle that is an integer and beyond a full turn, since nobody writes radians like that.
    pub(super) fn warn_of_degrees(
        &mut self,
        function: &str,
        values: &[LoweredValue],
        position: Position,
    ) {
        if self.trial_world.is_none() {
            return;
        }
        let found = definitions::find(function, values);
        let of_function = found.map_or(&[][..], |function| function.params).iter();
        let of_function = of_function.enumerate().map(|(place, param)| (place, param.unit));
        let params = steer::find(function).map_or(&[][..], |primitive| primitive.params).iter();
        let of_primitive = params.enumerate().map(|(place, param)| (place + 1, param.unit));
        let angles = of_function.chain(of_primitive).filter(|(_, unit)| *unit == RADIANS);
        let places: Vec<usize> = angles.map(|(place, _)| place).collect();
        for place in places {
            let Some(angle) = values.get(place).and_then(|value| self.known_angle(value)) else {
                continue;
            };
            if angle.abs() > 2.0 * PI && angle.fract() == 0.0 {
                let what = format!("`{function}` takes radians, but {angle} looks like degrees");
                let radians = format!("write `({angle}).to_radians()`, or use fractions of `PI`");
                let warning = Diagnostic::warning(what).code(Code::Degrees).help(radians);
                let warning = self.locate(warning, position);
                self.findings.push(warning);
            }
        }
    }

    fn known_angle(&self, value: &LoweredValue) -> Option<f32> {
        let LoweredValue::Typed(cases) = value else { return None };
        match cases[..] {
            [TypeCase { ty: Type::Int, columns: Columns::I(at), .. }] => {
                self.known_integer(at).map(|at| at as f32)
            }
            [TypeCase { ty: Type::Float, columns: Columns::F(at), .. }] => self.known_float(at),
            _ => None,
        }
    }

    /// Warns if the group of an agent is compared with a name that no group has.
    pub(super) fn warn_of_unknown_group(&mut self, call: &FnCallExpr) {
        if self.trial_world.is_none()
            || !self.facts.scenario
            || !matches!(call.name.as_str(), "==" | "!=")
        {
            return;
        }
        let [a, b] = &call.args[..] else { return };
        let (of, name, position) = match (a, b) {
            (of, Expr::StringConstant(name, at)) | (Expr::StringConstant(name, at), of) => {
                (of, name, *at)
            }
            _ => return,
        };
        if last_property(of) != Some("group") || self.facts.names.group(name).is_some() {
            return;
        }
        let warning = Diagnostic::warning(format!("there is no group `{name}`"))
            .suggest(name, self.facts.names.groups().iter().map(|known| &**known));
        let warning = self.locate(warning, position);
        self.findings.push(warning);
    }
}

/// Returns the property that an expression ends with.
fn last_property(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Dot(parts, ..) => last_property(&parts.rhs),
        Expr::Property(property, _) => Some(property.2.as_str()),
        _ => None,
    }
}
