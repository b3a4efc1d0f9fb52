//! Targets of deliveries.

pub mod callback_form;
pub mod callback_target;
pub mod endpoint_table;
