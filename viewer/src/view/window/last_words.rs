//! What is said when Xlib ends the program: it does so by itself where the server has gone, without a word that a person
//! understands, and gives nobody a chance to stop it.
//!
//! It ends the thread that has asked it for something first, and with it what belongs to that thread.

use std::cell::RefCell;

/// What is to be said, if the program ends while this is kept.
pub(super) struct LastWords(());

/// Says it when the thread ends.
struct Kept(Option<Box<dyn FnOnce()>>);

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(say) = self.0.take() {
            say();
        }
    }
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept(None)) };
}

impl LastWords {
    /// Has it said, unless what is returned is dropped before.
    pub(super) fn new(say: impl FnOnce() + 'static) -> Self {
        KEPT.with_borrow_mut(|kept| kept.0 = Some(Box::new(say)));
        Self(())
    }
}

impl Drop for LastWords {
    fn drop(&mut self) {
        // At the very end there is nothing left to take back.
        let _ = KEPT.try_with(|kept| kept.borrow_mut().0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn they_are_said_at_the_end_of_a_thread_that_still_has_them() {
        let (tell, said) = channel();
        let last = tell.clone();
        let ended = thread::spawn(move || {
            drop(LastWords::new(move || tell.send("taken back").unwrap()));
            std::mem::forget(LastWords::new(move || last.send("said").unwrap()));
        });
        ended.join().unwrap();
        assert_eq!(said.iter().collect::<Vec<_>>(), ["said"]);
    }
}
