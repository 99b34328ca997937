//! Choices: `me.machine`, `me.choose`, `me.keep` and `me.time_in` inline the functions that are generated for them.

use rhai::{Dynamic, Expr, Ident, Position};

use super::Lowering;
use super::value::LoweredValue;
use crate::diag::Diagnostic;
use crate::math::Compare;
use crate::program::{ChoiceCall, Columns, F, StateSlot, Type};
use crate::script::api;
use crate::script::choice_kind::ChoiceKind;
use crate::script::choices::Choice;
use crate::script::compile::Script;
use crate::steer::ChoiceRule;

use super::tracked::Tracked;

impl<'a> Lowering<'a> {
    /// Returns whether a method is the chooser, whose scores may be a map that is written in the call.
    pub(super) fn is_chooser(method: &str) -> bool {
        method == ChoiceKind::Choose.method()
    }

    /// Lowers the scores in a map. Returns them in the order of the keys, as the interpreter has them.
    pub(super) fn scores(&mut self, scores: &[(Ident, Expr)]) -> LoweredValue {
        let mut all: Vec<(&str, LoweredValue)> = Vec::with_capacity(scores.len());
        for (name, score) in scores {
            let score = self.expression(score);
            all.push((&name.name, score));
        }
        if self.active.is_none() {
            return LoweredValue::never();
        }
        all.sort_by_key(|(name, _)| *name);
        LoweredValue::Array(all.into_iter().map(|(_, score)| score).collect::<Vec<_>>().into())
    }

    /// Lowers a call of a choice of the script; `None` if it is another call.
    pub(super) fn choice_call(
        &mut self,
        method: &str,
        values: &[LoweredValue],
        position: Position,
    ) -> Option<LoweredValue> {
        let kind = ChoiceKind::of(method)?;
        let [LoweredValue::Me, name, given @ ..] = values else {
            return None;
        };
        let name = self.known_string(name)?;
        let script: &'a Script = self.frames.last()?.script;
        let choice =
            script.choices.iter().find(|choice| choice.kind == kind && choice.name == name)?;
        let mask = self.active?;
        let Some((arguments, rule)) = self.choice_arguments(script, choice, given, position) else {
            return Some(LoweredValue::never());
        };
        if let Some(rule) = rule {
            let place = self.locate(Diagnostic::note(""), position).place;
            self.emit.program.choices.push(ChoiceCall { name, place, mask, rule });
        }
        let value = self.inline_function(script, &kind.function(&choice.name), arguments, position);
        if kind == ChoiceKind::Choose {
            self.note_options(&value, &choice.name);
        }
        Some(value)
    }

    /// Returns the arguments of the generated function of a choice, and how it chooses. `None` if one is wrong.
    fn choice_arguments(
        &mut self,
        script: &Script,
        choice: &Choice,
        given: &[LoweredValue],
        position: Position,
    ) -> Option<(Vec<LoweredValue>, Option<ChoiceRule<F>>)> {
        let mut all = vec![LoweredValue::Me];
        let rule = match (choice.kind, given) {
            (ChoiceKind::TimeIn, _) => None,
            (ChoiceKind::Machine, _) => Some(script.machine_rule(choice)),
            (ChoiceKind::Keep, [value, dwell]) => {
                let dwell = self.as_number(dwell, "keep: `dwell`", position)?;
                all.extend([value.clone(), LoweredValue::number(dwell)]);
                Some(ChoiceRule::Keep { dwell })
            }
            (ChoiceKind::Choose, [scores, limits @ ..]) => {
                let mut limit = |place: usize, what| match limits.get(place) {
                    Some(limit) => self.as_number(limit, what, position),
                    None => Some(self.const_f(0.0)),
                };
                let margin = limit(0, "choose: `margin`")?;
                let dwell = limit(1, "choose: `dwell`")?;
                let sorted = self.all_scores(scores);
                let mut written = vec![(String::new(), margin); choice.options.len()];
                all.extend([LoweredValue::number(margin), LoweredValue::number(dwell)]);
                for (place, score) in choice.sorted().into_iter().zip(sorted) {
                    let option = &choice.options[place];
                    let what = format!("choose: the score of `{option}`");
                    let score = self.as_number(&score, &what, position)?;
                    written[place] = (option.clone(), score);
                    all.push(LoweredValue::number(score));
                }
                Some(ChoiceRule::Choose { scores: written, margin, dwell })
            }
            _ => return None,
        };
        Some((all, rule))
    }

    /// Returns the scores in the order of the generated function.
    fn all_scores(&mut self, scores: &LoweredValue) -> Vec<LoweredValue> {
        match scores {
            LoweredValue::Array(scores) => scores.to_vec(),
            LoweredValue::Constant(pick) => {
                let constants: Vec<Dynamic> = match pick.candidates.first() {
                    Some(value) => match value.read_lock::<rhai::Map>() {
                        Some(map) => map.values().cloned().collect(),
                        None => value
                            .read_lock::<rhai::Array>()
                            .map_or_else(Vec::new, |all| all.clone()),
                    },
                    None => Vec::new(),
                };
                constants.iter().map(|value| self.constant(value)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lowers `me.state.contains(name)`: whether the state has been set.
    pub(super) fn has_state(&mut self, name: &str) -> LoweredValue {
        let id = self.inferred.tracked.id(Tracked::State(name.to_owned()));
        if self.active.is_none() {
            return LoweredValue::never();
        }
        if self.inferred.types(id).is_empty() {
            if self.analyses.may_set(name) || self.inferred.is_interpreted(id) {
                // A later pass knows more.
                let unknown = self.emit.new_b();
                return LoweredValue::boolean(unknown);
            }
            return LoweredValue::boolean(self.emit.const_b(false));
        }
        let storage = self.storage(id);
        let absent = self.emit.const_i(StateSlot::ABSENT);
        let Columns::I(tag) = self.emit.copy(Columns::I(storage.tag)) else {
            return LoweredValue::never();
        };
        let missing = self.emit.cmp_i(Compare::Eq, tag, absent);
        LoweredValue::boolean(self.emit.not(missing))
    }

    /// Lowers the check that a value is the name of one of the states of a machine, or `()`.
    pub(super) fn checked_state(
        &mut self,
        value: &LoweredValue,
        subject: &LoweredValue,
        states: &LoweredValue,
        position: Position,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        let LoweredValue::Typed(cases) = value else {
            return self.leave_to_interpreter("the next state of this machine", position);
        };
        let is_name = |ty| matches!(ty, Type::String | Type::Nothing);
        if !cases.iter().any(|case| is_name(case.ty)) {
            let subject = self.known_string(subject).unwrap_or_default();
            let kind = super::value::type_name(cases[0].ty);
            return self.fail(api::no_state_name(&subject, kind), position);
        }
        let mut good = Vec::new();
        for case in cases {
            let within = case.mask.map_or(active, |mask| self.emit.and(active, mask));
            if !is_name(case.ty) {
                self.emit.fault(within);
                continue;
            }
            good.push(*case);
            if case.ty != Type::String {
                continue;
            }
            let mut known = self.emit.const_b(false);
            for state in self.all_scores(states) {
                if let LoweredValue::Typed(state) = state
                    && let Some(same) = self.equality(*case, state[0])
                {
                    known = self.emit.or(known, same);
                }
            }
            let unknown = self.emit.and_not(within, known);
            self.emit.fault(unknown);
        }
        if let [only] = &mut good[..] {
            only.mask = None;
        }
        LoweredValue::Typed(good)
    }
}
