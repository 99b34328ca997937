//! What cannot be lowered: errors that agents will meet, and lanes that are left to the interpreter.

use rhai::Position;

use super::value::LoweredValue;
use super::{Lowering, note};
use crate::diag::{Code, Diagnostic};

impl Lowering<'_> {
    /// Adds the position in the script of the current function to a message.
    pub(super) fn locate(&self, what: Diagnostic, position: Position) -> Diagnostic {
        match self.frames.last() {
            Some(frame) => frame.script.sources().place(what, position),
            None => what,
        }
    }

    /// Reports an error that every agent that gets here will meet. If none does, only its names count.
    pub(super) fn fail(&mut self, what: Diagnostic, position: Position) -> LoweredValue {
        let is_reached = |active| self.emit.truth(active) != Some(false);
        let is_wrong = what.code == Code::UnknownName || self.active.is_some_and(is_reached);
        if self.active.is_some() && !self.is_too_large && is_wrong {
            let what = self.locate(what, position);
            self.findings.push(what);
        }
        self.give_up()
    }

    /// Notes that `what` needs the interpreter, and leaves the lanes that get here to it. `what` is the subject of
    /// the note's sentence, in the singular.
    pub(super) fn leave_to_interpreter(&mut self, what: &str, position: Position) -> LoweredValue {
        self.leave_with_note(note(what), position)
    }

    /// Leaves the lanes that get here to the interpreter, with a note that also says what to write instead.
    pub(super) fn leave_with_help(
        &mut self,
        what: &str,
        help: &str,
        position: Position,
    ) -> LoweredValue {
        self.leave_with_note(note(what).help(help), position)
    }

    /// Leaves the lanes that get here to the interpreter because of a `Differing` value.
    pub(super) fn leave_differing(&mut self, position: Position) -> LoweredValue {
        self.leave_with_help(
            "a branch that gives an array, a neighborhood or `me` in one case and another value in the other",
            "choose a number or a vector in the branch, and compute this from it afterwards",
            position,
        )
    }

    pub(super) fn leave_with_note(&mut self, note: Diagnostic, position: Position) -> LoweredValue {
        if self.active.is_some() && !self.is_too_large {
            let note = self.locate(note, position);
            self.interpreted.push(note);
        }
        self.give_up()
    }

    /// Leaves the lanes that get here to the interpreter, but continues as if they were still there, since
    /// what follows may deserve a message too.
    pub(super) fn give_up(&mut self) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        self.always_interpreted |= self.emit.program.live == Some(active);
        self.emit.fault(active);
        LoweredValue::Interpreted
    }

    /// Leaves the lanes that get here to the interpreter. No lane goes on.
    pub(super) fn stop_here(&mut self) -> LoweredValue {
        if let Some(active) = self.active.take() {
            self.emit.fault(active);
        }
        LoweredValue::never()
    }
}
