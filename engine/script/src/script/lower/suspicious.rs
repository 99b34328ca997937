//! Warns of what runs but is surely not meant: degrees instead of radians, names of groups that do not exist, and
//! calls for which the scenario has nothing.

use rhai::{Expr, FnCallExpr, Position};

use super::value::{LoweredValue, TypeCase};
use super::{Lowering, definitions};
use crate::diag::{Code, Diagnostic};
use crate::math::PI;
use crate::program::{Columns, Type};
use crate::steer::{self, ParamKind, RADIANS};
use crate::world::{Relation, ScenarioPart};

impl Lowering<'_> {
    /// Warns of an argument in another unit than that of the function's parameter: an angle that looks like degrees,
    /// or a count that is used as a distance.
    pub(super) fn warn_of_units(
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
        let units: Vec<(usize, &str)> = of_function.chain(of_primitive).collect();
        for (place, unit) in units {
            let warning = match (values.get(place), unit) {
                (Some(value), RADIANS) => self.degrees(function, value),
                (Some(value), "world units") => self.count_as_distance(function, value),
                _ => None,
            };
            if let Some(warning) = warning {
                let warning = self.locate(warning, position);
                self.findings.push(warning);
            }
        }
    }

    /// Returns a warning of an angle that is an integer and beyond a full turn, since nobody writes radians like that.
    fn degrees(&self, function: &str, value: &LoweredValue) -> Option<Diagnostic> {
        let param = self.param_of(value);
        let angle = match &param {
            Some(name) => self.trial_world?.param(self.facts.group, name)?,
            None => self.known_angle(value)?,
        };
        if angle.abs() <= 2.0 * PI || angle.fract() != 0.0 {
            return None;
        }
        let (what, written) = match param {
            Some(name) => (format!("{angle}, the param `{name}`,"), format!("me.params.{name}")),
            None => (angle.to_string(), format!("({angle})")),
        };
        let what = format!("`{function}` takes radians, but {what} looks like degrees");
        let radians = format!("write `{written}.to_radians()`, or use fractions of `PI`");
        Some(Diagnostic::warning(what).code(Code::Degrees).help(radians))
    }

    /// Returns a warning of a number of agents or points that is used as a distance.
    fn count_as_distance(&self, function: &str, value: &LoweredValue) -> Option<Diagnostic> {
        let LoweredValue::Typed(cases) = value else { return None };
        let [TypeCase { columns, .. }] = cases[..] else { return None };
        self.counts.contains(&columns).then(|| {
            let what = format!("`{function}` takes a distance in world units, but this is a count");
            let takes_neighbors = steer::find(function).is_some_and(|primitive| {
                primitive.params.iter().any(|param| param.kind == ParamKind::Neighbors)
            });
            let help = if takes_neighbors {
                "write a radius, such as `60`, or pass the neighborhood itself"
            } else {
                "write a distance, such as `60`"
            };
            Diagnostic::warning(what).code(Code::WrongArguments).help(help)
        })
    }

    /// Returns the name of the param that a value comes from.
    pub(super) fn param_of(&self, value: &LoweredValue) -> Option<String> {
        let LoweredValue::Typed(cases) = value else { return None };
        let [TypeCase { columns, .. }] = cases[..] else { return None };
        self.param_columns.get(&columns).cloned()
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

    /// Warns of a call that needs a part of a scenario that this one does not have.
    pub(super) fn warn_of_missing_part(
        &mut self,
        name: &str,
        part: Option<ScenarioPart>,
        position: Position,
    ) {
        let (Some(part), Some(trial_world)) = (part, self.trial_world()) else { return };
        // A script that reads the list of obstacles may call this only if there are some.
        let is_tested =
            part == ScenarioPart::Obstacles && self.analyses.mentions().reads_obstacle_list();
        if is_tested || trial_world.may_have_part(part) {
            return;
        }
        let related = |declared: &str| {
            (
                format!("`{name}` is empty: no group with this script has declared `{declared}`"),
                format!(
                    "write `{declared}: [\"...\"]` in the group, with the names of other groups"
                ),
            )
        };
        let (what, help) = match part {
            ScenarioPart::Obstacles => (
                format!("`{name}` needs obstacles, but the scenario has none"),
                "add `obstacles` to the scenario, or leave the call out".to_owned(),
            ),
            ScenarioPart::Formation => (
                format!("`{name}` needs a formation, but no group with this script has one"),
                "write `formation: Line(spacing: 12)` in the group, for example".to_owned(),
            ),
            ScenarioPart::Relation(Relation::Prey) => related("prey"),
            ScenarioPart::Relation(Relation::Predator) => related("predators"),
            ScenarioPart::Relation(Relation::Ally) => related("allies"),
        };
        let warning = Diagnostic::warning(what).code(Code::MissingPart).help(help);
        let warning = self.locate(warning, position);
        self.findings.push(warning);
    }

    /// Warns of an assignment to a part of a property that belongs to something else than `me`: Rhai changes a copy.
    pub(super) fn warn_of_changed_copy(
        &mut self,
        of: &str,
        shown: &str,
        property: &str,
        position: Position,
    ) {
        if of == "me" || self.trial_world().is_none() {
            return;
        }
        let what = format!("this changes only a copy of `{property}` of {shown}");
        let warning = Diagnostic::warning(what)
            .code(Code::ReadOnly)
            .help("a script can set `me.vel` and values in `me.state`");
        let warning = self.locate(warning, position);
        self.findings.push(warning);
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
        match (a, b) {
            (of, Expr::StringConstant(name, at)) | (Expr::StringConstant(name, at), of)
                if last_property(of) == Some("group") =>
            {
                self.warn_if_no_group(name, *at);
            }
            _ => {}
        }
    }

    /// Warns if the group of an agent is compared in a `switch` with a name that no group has. `cases` are the strings
    /// of the cases, and the positions of their results.
    pub(super) fn warn_of_unknown_groups<'c>(
        &mut self,
        of: &Expr,
        cases: impl Iterator<Item = (&'c str, Position)>,
    ) {
        if self.trial_world.is_none() || !self.facts.scenario || last_property(of) != Some("group")
        {
            return;
        }
        for (name, result) in cases {
            if let Some(position) = self.position_of_case(name, result) {
                self.warn_if_no_group(name, position);
            }
        }
    }

    fn warn_if_no_group(&mut self, name: &str, position: Position) {
        if self.facts.names.group(name).is_some() {
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
