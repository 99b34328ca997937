//! Columns, by their places in the banks.
//!
//! A column holds one value for each lane; a lane is an agent. Three banks of columns hold numbers,
//! integers and booleans; a vector is two columns of numbers.

/// A column of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct F(pub(crate) u16);

/// A column of integers: also rows of agents, obstacles, paths and strings by their place, and tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct I(pub(crate) u16);

/// A column of booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct B(pub(crate) u16);

/// Two columns of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct V(pub(crate) F, pub(crate) F);

/// What columns hold: the sort of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bank {
    F,
    I,
    B,
    /// Two columns of numbers.
    V,
}

/// A column or two of any bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Columns {
    #[default]
    None,
    F(F),
    I(I),
    B(B),
    V(V),
}

impl Columns {
    pub(crate) fn bank(self) -> Option<Bank> {
        match self {
            Self::None => None,
            Self::F(_) => Some(Bank::F),
            Self::I(_) => Some(Bank::I),
            Self::B(_) => Some(Bank::B),
            Self::V(_) => Some(Bank::V),
        }
    }

    /// The columns of numbers among them.
    pub(crate) fn numbers(self) -> impl Iterator<Item = F> {
        let (x, y) = match self {
            Self::F(x) => (Some(x), None),
            Self::V(V(x, y)) => (Some(x), Some(y)),
            Self::None | Self::I(_) | Self::B(_) => (None, None),
        };
        x.into_iter().chain(y)
    }
}

/// The most operands that an operation reads or writes.
pub(crate) const MAX_OPERANDS: usize = 4;

/// The operands that an operation reads, or those that it writes; the rest is none.
pub(crate) type Row = [Columns; MAX_OPERANDS];

/// One operand of a known bank.
pub(crate) trait Operand: Copy {
    fn columns(self) -> Columns;

    fn of(columns: Columns) -> Self;
}

impl Operand for Columns {
    fn columns(self) -> Columns {
        self
    }

    fn of(columns: Columns) -> Self {
        columns
    }
}

/// Operands of known banks, in their order.
pub(crate) trait Operands: Copy {
    fn row(self) -> Row;

    fn of_row(row: Row) -> Self;
}

macro_rules! banks {
    ($($bank:ident)*) => {
        $(impl Operand for $bank {
            #[inline(always)]
            fn columns(self) -> Columns {
                Columns::$bank(self)
            }

            #[inline(always)]
            fn of(columns: Columns) -> Self {
                match columns {
                    Columns::$bank(operand) => operand,
                    _ => unreachable!("{columns:?} is no operand of this bank"),
                }
            }
        })*
    };
}

banks!(F I B V);

impl<T: Operand> Operands for T {
    #[inline(always)]
    fn row(self) -> Row {
        (self,).row()
    }

    #[inline(always)]
    fn of_row(row: Row) -> Self {
        Self::of(row[0])
    }
}

impl Operands for Row {
    fn row(self) -> Row {
        self
    }

    fn of_row(row: Row) -> Self {
        row
    }
}

macro_rules! rows {
    ($(($($operand:ident $at:tt),*))*) => {
        $(impl<$($operand: Operand),*> Operands for ($($operand,)*) {
            #[inline(always)]
            fn row(self) -> Row {
                #[allow(unused_mut)]
                let mut row = Row::default();
                $(row[$at] = self.$at.columns();)*
                row
            }

            #[inline(always)]
            #[allow(clippy::unused_unit)]
            fn of_row(row: Row) -> Self {
                let _ = row;
                ($($operand::of(row[$at]),)*)
            }
        })*
    };
}

rows! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
}
