//! A message for the case that Xlib ends the program: it does so if the server is gone, without an understandable message,
//! and cannot be stopped.
//!
//! When Xlib exits, the thread-local values of the calling thread are dropped. So the message is written by the destructor of
//! a thread-local value.

use std::cell::RefCell;

/// Makes sure that a message is written if the program ends while this value exists.
pub(super) struct ExitMessage(());

/// Calls a function when the thread ends.
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
    /// Registers a function that writes the message. It is called at the end of the thread unless the returned value is
    /// dropped before.
    pub(super) fn new(say: impl FnOnce() + 'static) -> Self {
        KEPT.with_borrow_mut(|kept| kept.0 = Some(Box::new(say)));
        Self(())
    }
}

impl Drop for ExitMessage {
    fn drop(&mut self) {
        // At the end of the thread, the value may already be gone.
        let _ = KEPT.try_with(|kept| kept.borrow_mut().0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn the_message_is_written_at_the_end_of_the_thread_unless_dropped() {
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
