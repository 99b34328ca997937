//! A table of values that are computed when first needed, by whichever thread needs them first.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// A value, and how much memory it takes.
pub(super) trait Kept {
    /// Returns the memory that it takes, in bytes.
    fn bytes(&self) -> usize;
}

impl Kept for u32 {
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// A key and its value, once there is one.
type Slot<V> = OnceLock<(u64, Arc<V>)>;

/// Values by keys. Values are added and never replaced, so reading takes no lock. A full table gives values that
/// it does not keep.
#[derive(Debug)]
pub(super) struct Table<V> {
    slots: Box<[Slot<V>]>,
    bytes: AtomicUsize,
    max_bytes: usize,
}

/// A value of a table, or one that there was no room for.
#[derive(Debug)]
pub(super) enum Held<'t, V> {
    Kept(&'t V),
    Own(Box<V>),
}

impl<V> Deref for Held<'_, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        match self {
            Self::Kept(value) => value,
            Self::Own(value) => value,
        }
    }
}

/// Returns a number that depends on all bits of a key, by Fibonacci hashing.
#[inline]
pub(super) fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
}

/// The maximum number of slots that are tried for a key.
const MAX_PROBES: usize = 64;

impl<V: Kept> Table<V> {
    /// Returns an empty table. The number of slots is a power of two.
    pub(super) fn new(slots: usize, max_bytes: usize) -> Self {
        debug_assert!(slots.is_power_of_two(), "a mask finds the slot");
        let slots = (0..slots).map(|_| OnceLock::new()).collect();
        Self { slots, bytes: AtomicUsize::new(0), max_bytes }
    }

    /// Returns the memory that all values take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the value of a key, if it is there.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        for slot in self.probes(key) {
            match slot.get() {
                Some((of, value)) if *of == key => return Some(value),
                Some(_) => {}
                None => break,
            }
        }
        None
    }

    /// Returns the value of a key, and computes it if it is not there.
    #[inline]
    pub(super) fn get_or_make(&self, key: u64, make: impl FnOnce() -> V) -> Held<'_, V> {
        match self.get(key) {
            Some(value) => Held::Kept(value),
            None => self.make(key, make),
        }
    }

    /// Calls a function with each value.
    pub(super) fn each(&self, visit: impl FnMut(&V)) {
        self.slots.iter().filter_map(OnceLock::get).map(|(_, value)| &**value).for_each(visit);
    }

    #[cold]
    fn make(&self, key: u64, make: impl FnOnce() -> V) -> Held<'_, V> {
        let mut make = Some(make);
        if self.bytes() < self.max_bytes {
            for slot in self.probes(key) {
                // While one thread computes the value of a slot, others that need the slot wait.
                let (of, value) = slot.get_or_init(|| {
                    let value = make.take().map(|make| make()).map(Arc::new);
                    let value = value.unwrap_or_else(|| unreachable!("only one slot is filled"));
                    self.bytes.fetch_add(value.bytes(), Ordering::Relaxed);
                    (key, value)
                });
                if *of == key {
                    return Held::Kept(value);
                }
            }
        }
        let value = make.take().map(|make| make());
        Held::Own(Box::new(value.unwrap_or_else(|| unreachable!("the value was not made"))))
    }

    /// Returns a table with the values for which a condition holds.
    pub(super) fn copy_if(&self, keep: impl Fn(&V) -> bool) -> Self {
        let copy = Self::new(self.slots.len(), self.max_bytes);
        for (key, value) in self.slots.iter().filter_map(OnceLock::get) {
            if keep(value) {
                let free = copy.probes(*key).find(|slot| slot.get().is_none());
                if free.is_some_and(|slot| slot.set((*key, Arc::clone(value))).is_ok()) {
                    copy.bytes.fetch_add(value.bytes(), Ordering::Relaxed);
                }
            }
        }
        copy
    }

    /// Returns the slots that may hold a key, in the order in which they are tried.
    #[inline]
    fn probes(&self, key: u64) -> impl Iterator<Item = &OnceLock<(u64, Arc<V>)>> {
        let first = hash(key);
        let mask = self.slots.len() - 1;
        (0..MAX_PROBES.min(self.slots.len())).map(move |probe| &self.slots[(first + probe) & mask])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_until_the_table_is_full() {
        let table = Table::new(4, usize::MAX);
        for key in 0..4 {
            assert!(matches!(table.get_or_make(key, || key as u32 + 10), Held::Kept(_)));
        }
        for key in 0..4 {
            assert_eq!(*table.get_or_make(key, || 0), key as u32 + 10, "kept");
        }
        let fifth = table.get_or_make(9, || 19);
        assert!(matches!(fifth, Held::Own(_)), "{fifth:?}");
        assert_eq!(*fifth, 19);
        let fewer = table.copy_if(|value| *value == 12);
        assert_eq!(
            (fewer.bytes(), *fewer.get_or_make(2, || 0), *fewer.get_or_make(3, || 0)),
            (4, 12, 0)
        );
    }

    #[test]
    fn no_more_memory_is_kept_than_allowed() {
        let table = Table::new(16, 8);
        for key in 0..8 {
            assert_eq!(*table.get_or_make(key, || 1), 1);
        }
        assert_eq!(table.bytes(), 8);
    }
}
