//! Access to the browser: DOM, focus, storage and scheduling. Knows nothing of the panel.

pub mod dom;
pub mod focus;
pub mod query;
pub mod scheduler;
pub mod storage;
