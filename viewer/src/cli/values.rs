//! Values of options that several commands have.

/// A number of ticks or the like.
pub(super) fn at_least_one(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be an integer from 1".into()),
    }
}

/// A number of threads, 0 being one for each core. More than any machine has cores are a mistake, and too
/// many cannot be started.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 0..=1024) => Ok(number),
        _ => Err("must be an integer from 0 to 1024".into()),
    }
}
