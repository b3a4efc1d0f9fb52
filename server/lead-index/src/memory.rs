//! Memory accounting.

use roaring::RoaringBitmap;

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
