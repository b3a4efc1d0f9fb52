//! Look-ups against an evaluator that shares no code with them.

mod conditions;
mod fields;
mod random;
mod reference;
mod rows;
