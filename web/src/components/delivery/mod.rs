//! Callbacks: their targets and deliveries.

pub mod attempt_list;
pub mod callback_form;
pub mod callback_target;
pub mod endpoint_table;
pub mod filter;
pub mod table;
