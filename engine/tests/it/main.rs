//! The engine with what ships beside it: scenarios, scripts and reference data.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read what ships has failed"
)]

mod classics;
mod shipped;
mod steerbench;
mod support;
