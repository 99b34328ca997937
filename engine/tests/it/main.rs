//! The engine with what ships beside it: scenarios, scripts and reference data.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read what ships has failed"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "what is compared with the engine is computed without it, by the platform's functions"
)]

mod classics;
mod shipped;
mod steerbench;
mod support;
