//! The Leadscribe engine: validates input, evaluates filters, and decides whether a lead can be called.
//!
//! The same code runs natively in the server and as WebAssembly in the browser, so both reach the same result. It is pure: no I/O, no
//! clock, no randomness. Callers pass `now`. It must not depend on any other crate of the workspace.
//!
//! Modules in reading order:
//!
//! 1. [`api`]: the wire types shared by server and clients.
//! 2. [`diagnostic`]: an error in an input, with its location and a suggested correction, and the catalog of messages in every language.
//! 3. [`json`]: a JSON reader that keeps positions and duplicate keys, and continues after errors.
//! 4. [`time`]: the accepted date-time forms; [`zone`]: time zones and their names; [`day`]: days in a time zone.
//! 5. [`wording`]: the supported languages; the texts are defined where they are used.
//! 6. [`submission`]: the rules of a speech recognition submission.
//! 7. [`record`]: the rules for writing leads, campaigns, campaign leads and calls, from JSON or CSV; [`diacritics`]: letters without
//!    diacritics; [`country`]: the countries of phone numbers; [`csv`]: the rows of CSV files.
//! 8. [`filter`]: the filter language: parse, check, evaluate, print, explain.
//! 9. [`callable`]: the reasons not to call a campaign lead at a given time.
//! 10. [`transcript_search`]: transcript search terms and their matches.
//! 11. [`formats`]: transcripts as WebVTT, SRT and text.
//! 12. [`callback`]: the template of a callback's body.
//! 13. [`host`]: functions that the JavaScript host provides in WebAssembly.
//! 14. [`js_api`]: the results of the JavaScript API; `wasm` binds it, behind the feature `js`.
//! 15. `schema`: JSON Schemas generated from the tables above, behind the feature `openapi`.

pub mod api;
pub mod callable;
pub mod callback;
pub mod country;
pub mod csv;
pub mod day;
pub mod diacritics;
pub mod diagnostic;
pub mod filter;
pub mod formats;
pub mod host;
pub mod js_api;
pub mod json;
pub mod language;
pub mod record;
#[cfg(feature = "openapi")]
pub mod schema;
pub mod submission;
pub mod suggest;
pub mod time;
pub mod transcript_search;
#[cfg(feature = "js")]
pub mod wasm;
pub mod wording;
pub mod zone;
