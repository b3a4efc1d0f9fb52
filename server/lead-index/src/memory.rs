//! Memory accounting.

use leadscribe_engine::filter::fields::FIELDS;
use roaring::RoaringBitmap;

use crate::LeadIndex;
use crate::fields::LEAD_FIELDS;

/// Average overhead of an allocation in bytes: header and rounding.
pub(crate) const ALLOCATION_OVERHEAD: usize = 12;

/// Bytes of the reference counts of a shared allocation.
pub(crate) const ARC_OVERHEAD: usize = 16;

/// Bytes of a bitmap's containers.
pub(crate) fn bitmap_bytes(bitmap: &RoaringBitmap) -> usize {
    let statistics = bitmap.statistics();
    let values = statistics.n_values_array_containers as usize * 2
        + statistics.n_bitset_containers as usize * 8192
        + statistics.n_run_containers as usize * 32;
    values + statistics.n_containers as usize * (32 + ALLOCATION_OVERHEAD)
}

impl LeadIndex {
    /// Total memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.memory_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    /// Memory use of each part in bytes.
    pub fn memory_by_part(&self) -> Vec<(String, usize)> {
        let mut parts = vec![("rows".to_owned(), self.rows.bytes()), ("ids".to_owned(), self.slots.bytes())];
        let columns = FIELDS[LEAD_FIELDS].iter().zip(&self.columns);
        parts.extend(columns.map(|(field, column)| (field.property.to_owned(), column.bytes())));
        let custom = self.custom.iter().map(|(name, column)| name.len() + column.bytes());
        parts.push(("custom fields".to_owned(), custom.sum()));
        parts.push(("campaign leads".to_owned(), self.by_campaign.values().map(|columns| columns.bytes()).sum()));
        parts
    }
}
