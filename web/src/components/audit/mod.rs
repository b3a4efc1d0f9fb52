//! Who changed what, and what was changed.

pub mod actor;
pub mod changed_fields;
pub mod changed_too;
pub mod filter;
pub mod past_change;
pub mod past_change_list;
pub mod past_remark;
pub mod table;
