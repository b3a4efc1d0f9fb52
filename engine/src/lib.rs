//! The Leadscribe engine: what is valid, what a filter means, and why a lead can't be called now.
//!
//! The same code runs natively in the server and as WebAssembly in the browser, so both give the same verdict. It is
//! pure: no I/O, no clock, no randomness; callers pass `now`. It may not depend on any other crate of the workspace.
//!
//! Modules in reading order:
//!
//! 1. [`api`]: the wire types both sides (de)serialise.
//! 2. [`fault`]: one fault of an input: where it stands, what was expected, what would cure it; [`message`]: what is said of
//!    it, in every language.
//! 3. [`json`]: a JSON reader that keeps positions and duplicate keys, and goes on after an error.
//! 4. [`time`]: the date-time forms that are accepted; [`zone`]: time zones and their names; [`day`]: days by the clock of a
//!    time zone.
//! 5. [`wording`]: the languages in which people are told things; the texts stand where they are used.
//! 6. [`submission`]: the rules of a speech recognition submission.
//! 7. [`record`]: the rules of leads, campaigns, campaign leads and calls that are written, from JSON or from CSV; [`letters`]:
//!    letters without their marks; [`country`]: the countries of phone numbers.
//! 8. [`filter`]: the filter language: parse, check, evaluate, print, explain.
//! 9. [`callable`]: why a campaign lead can't be called at a given moment.
//! 10. [`words`]: what is searched in transcripts, and where it is found.
//! 11. [`formats`]: transcripts as WebVTT, SRT and text.
//! 12. [`callback`]: the template of what is delivered to a callback.
//! 13. [`host`]: what a JavaScript engine is asked for in WebAssembly.
//! 14. [`face`]: what the JavaScript face answers; `wasm` binds it, behind the feature `js`.
//! 15. `schema`: JSON Schemas made of the tables above, behind the feature `openapi`.

pub mod api;
pub mod callable;
pub mod callback;
pub mod country;
pub mod day;
pub mod face;
pub mod fault;
pub mod filter;
pub mod formats;
pub mod host;
pub mod json;
pub mod language;
pub mod letters;
pub mod message;
pub mod record;
#[cfg(feature = "openapi")]
pub mod schema;
pub mod submission;
pub mod suggest;
pub mod time;
#[cfg(feature = "js")]
pub mod wasm;
pub mod wording;
pub mod words;
pub mod zone;
