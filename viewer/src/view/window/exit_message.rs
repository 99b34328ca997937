//! What is said when Xlib ends the program: it does so by itself where the server has gone, without a word that a person
//! understands, and gives nobody a chance to stop it.
//!
//! It ends the thread that has asked it for something first, and with it what belongs to that thread.

use std::cell::RefCell;

/// What is to be said, if the program ends while this is kept.
pub(super) struct ExitMessage(());

/// Says it when the thread ends.
struct OnThreadEnd(Option<Box<dyn FnOnce()>>);

impl Drop for OnThreadEnd {
    fn drop(&mut self) {
        if let Some(say) = self.0.take() {
            say();
        }
    }
}

thread_local! {
    static KEPT: RefCell<OnThreadEnd> = const { RefCell::new(OnThreadEnd(None)) };
}

impl ExitMessage {
    /// Has it said, unless what is returned is dropped before.
    pub(super) fn new(say: impl FnOnce() + 'static) -> Self {
        KEPT.with_borrow_mut(|kept| kept.0 = Some(Box::new(say)));
        Self(())
    }
}

impl Drop for ExitMessage {
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
        let (sender, said) = channel();
        let last = sender.clone();
        let ended = thread::spawn(move || {
            drop(ExitMessage::new(move || sender.send("taken back").unwrap()));
            std::mem::forget(ExitMessage::new(move || last.send("said").unwrap()));
        });
        ended.join().unwrap();
        assert_eq!(said.iter().collect::<Vec<_>>(), ["said"]);
    }
}
