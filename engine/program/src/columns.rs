//! Columns, as indices into the banks.
//!
//! A column holds one value for each lane, and a lane is an agent. There are three banks of columns: numbers, integers
//! and booleans. A vector is two columns of numbers.

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct F(pub u16);

/// A column of integers. It also holds rows of agents, indices of obstacles, paths and strings, and tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct I(pub u16);

/// A column of booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct B(pub u16);

/// Two columns of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct V(pub F, pub F);

/// The kind of an operand. The first three are the banks of columns, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bank {
    F,
    I,
    B,
    /// Two columns of numbers.
    V,
}

/// An operand of any kind: a column, or two of them for a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Columns {
    #[default]
    None,
    F(F),
    I(I),
    B(B),
    V(V),
}

impl Columns {
    pub fn bank(self) -> Option<Bank> {
        match self {
            Self::None => None,
            Self::F(_) => Some(Bank::F),
            Self::I(_) => Some(Bank::I),
            Self::B(_) => Some(Bank::B),
            Self::V(_) => Some(Bank::V),
        }
    }

    fn slot(self) -> Slot {
        let (first, second) = match self {
            Self::None => (0, 0),
            Self::F(F(at)) | Self::I(I(at)) | Self::B(B(at)) => (at, 0),
            Self::V(V(F(x), F(y))) => (x, y),
        };
        Slot { bank: self.bank(), first, second }
    }
}

/// An operand as it is stored in an operation. It is read without checking its bank, which the kind of the operation
/// determines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slot {
    pub bank: Option<Bank>,
    first: u16,
    second: u16,
}

impl Slot {
    pub fn columns(self) -> Columns {
        match self.bank {
            None => Columns::None,
            Some(Bank::F) => Columns::F(F(self.first)),
            Some(Bank::I) => Columns::I(I(self.first)),
            Some(Bank::B) => Columns::B(B(self.first)),
            Some(Bank::V) => Columns::V(V(F(self.first), F(self.second))),
        }
    }

    /// Returns the same operand in other columns, given by their bank and their old index.
    pub fn map(self, of: impl Fn(Bank, usize) -> usize) -> Self {
        let mut columns = self.each().map(|(bank, at)| of(bank, at) as u16);
        let (first, second) = (columns.next(), columns.next());
        Self { first: first.unwrap_or(0), second: second.unwrap_or(0), ..self }
    }

    /// Returns each column with its bank and its index in the bank.
    pub fn each(self) -> impl Iterator<Item = (Bank, usize)> {
        let (bank, second) = match self.bank {
            Some(Bank::V) => (Some(Bank::F), Some((Bank::F, self.second))),
            bank => (bank, None),
        };
        let first = bank.map(|bank| (bank, self.first));
        first.into_iter().chain(second).map(|(bank, at)| (bank, usize::from(at)))
    }
}

/// The maximum number of operands that an operation reads or writes.
pub(crate) const MAX_OPERANDS: usize = 5;

/// The operands that an operation reads, or those that it writes. Unused slots are empty.
pub type OperandSlots = [Slot; MAX_OPERANDS];

/// One operand of a known bank.
pub trait Operand: Copy {
    fn slot(self) -> Slot;

    fn of(slot: Slot) -> Self;
}

impl Operand for Columns {
    fn slot(self) -> Slot {
        Columns::slot(self)
    }

    fn of(slot: Slot) -> Self {
        slot.columns()
    }
}

/// Operands of known banks, in their order.
pub trait Operands: Copy {
    fn row(self) -> OperandSlots;

    fn of_row(row: OperandSlots) -> Self;
}

macro_rules! banks {
    ($($bank:ident: |$slot:ident| $of:expr;)*) => {
        $(impl Operand for $bank {
            #[inline(always)]
            fn slot(self) -> Slot {
                Columns::$bank(self).slot()
            }

            #[inline(always)]
            fn of($slot: Slot) -> Self {
                debug_assert_eq!($slot.bank, Some(Bank::$bank), "an operand of another bank");
                $of
            }
        })*
    };
}

banks! {
    F: |slot| F(slot.first);
    I: |slot| I(slot.first);
    B: |slot| B(slot.first);
    V: |slot| V(F(slot.first), F(slot.second));
}

impl<T: Operand> Operands for T {
    #[inline(always)]
    fn row(self) -> OperandSlots {
        (self,).row()
    }

    #[inline(always)]
    fn of_row(row: OperandSlots) -> Self {
        Self::of(row[0])
    }
}

impl Operands for OperandSlots {
    fn row(self) -> OperandSlots {
        self
    }

    fn of_row(row: OperandSlots) -> Self {
        row
    }
}

impl Operands for () {
    fn row(self) -> OperandSlots {
        OperandSlots::default()
    }

    fn of_row(_: OperandSlots) -> Self {}
}

macro_rules! rows {
    ($(($($operand:ident $at:tt),*))*) => {
        $(impl<$($operand: Operand),*> Operands for ($($operand,)*) {
            #[inline(always)]
            fn row(self) -> OperandSlots {
                let mut row = OperandSlots::default();
                $(row[$at] = self.$at.slot();)*
                row
            }

            #[inline(always)]
            fn of_row(row: OperandSlots) -> Self {
                ($($operand::of(row[$at]),)*)
            }
        })*
    };
}

rows! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
}
