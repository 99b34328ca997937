//! Arrays whose length and elements differ between agents.

use super::Emitter;
use crate::math::Compare;
use crate::program::{B, Bank, Columns, I, OpKind, V};
use crate::script::lower::value::StoredElements;

impl Emitter {
    /// Returns the index of a new array of numbers.
    fn array_f(&mut self) -> u16 {
        self.program.arrays_f += 1;
        (self.program.arrays_f - 1) as u16
    }

    /// Returns the index of a new array of integers.
    fn array_i(&mut self) -> u16 {
        self.program.arrays_i += 1;
        (self.program.arrays_i - 1) as u16
    }

    /// Returns a new array for values of a bank.
    pub(in super::super) fn array(&mut self, bank: Option<Bank>) -> StoredElements {
        match bank {
            None => StoredElements::None,
            Some(Bank::F) => StoredElements::F(self.array_f()),
            Some(Bank::I) => StoredElements::I(self.array_i()),
            Some(Bank::B) => StoredElements::B(self.array_i()),
            Some(Bank::V) => StoredElements::V(self.array_f(), self.array_f()),
        }
    }

    /// Sets an element of an array in the lanes of a mask.
    pub(in super::super) fn store(
        &mut self,
        to: StoredElements,
        index: I,
        value: Columns,
        active: B,
    ) {
        match (to, value) {
            (StoredElements::F(array), Columns::F(x)) => {
                self.within(active, OpKind::StoreF(array), (index, x))
            }
            (StoredElements::I(array), Columns::I(n)) => {
                self.within(active, OpKind::StoreI(array), (index, n))
            }
            (StoredElements::B(array), Columns::B(truth)) => {
                let (one, zero) = (self.const_i(1), self.const_i(0));
                let n: I = self.all(OpKind::SelectI, (truth, one, zero));
                self.within(active, OpKind::StoreI(array), (index, n))
            }
            (StoredElements::V(first, second), Columns::V(V(x, y))) => {
                self.within::<()>(active, OpKind::StoreF(first), (index, x));
                self.within(active, OpKind::StoreF(second), (index, y))
            }
            _ => {}
        }
    }

    /// Returns the element of an array at an index.
    pub(in super::super) fn load(&mut self, from: StoredElements, index: I) -> Columns {
        match from {
            StoredElements::None => Columns::None,
            StoredElements::F(array) => Columns::F(self.all(OpKind::LoadF(array), index)),
            StoredElements::I(array) => Columns::I(self.all(OpKind::LoadI(array), index)),
            StoredElements::B(array) => {
                let (n, zero) = (self.all(OpKind::LoadI(array), index), self.const_i(0));
                Columns::B(self.cmp_i(Compare::Ne, n, zero))
            }
            StoredElements::V(first, second) => {
                let x = self.all(OpKind::LoadF(first), index);
                Columns::V(V(x, self.all(OpKind::LoadF(second), index)))
            }
        }
    }
}
