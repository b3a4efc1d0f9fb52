//! Lead searches, compared with a reference evaluator that shares no code with the server.

mod conditions;
mod fields;
mod random;
mod reference;
mod rows;
