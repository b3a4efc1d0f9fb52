//! A row's lead as JSON, with all members or a selection.

use std::collections::BTreeSet;

use leadscribe_engine::json::{write_days, write_micros, write_value};

use super::lead::{CUSTOM_FIELDS_INDEX, Encoding, MEMBERS, take_date, take_json, time_offset};
use super::{ID_OFFSET, MEMBERS_OFFSET, bytes, flags};

/// Selection of a lead's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members(u64);

impl Members {
    /// Every member.
    pub const ALL: Self = Self(u64::MAX >> (u64::BITS as usize - MEMBERS.len()));

    /// Members with these names. Names that aren't the lead's own members, such as `campaigns`, are ignored.
    pub fn from_names(names: &BTreeSet<String>) -> Self {
        let is_selected = |key: &str| names.contains(key.trim_matches(['"', ':']));
        let bits = MEMBERS.iter().enumerate().map(|(index, (key, _))| u64::from(is_selected(key)) << index);
        Self(bits.fold(0, |bits_so_far, bit| bits_so_far | bit))
    }

    /// Members that the filter selects.
    pub fn from_selection(fields: Option<&BTreeSet<String>>) -> Self {
        fields.map_or(Self::ALL, Self::from_names)
    }
}

/// Appends the lead without its closing brace.
pub(super) fn write(row: &[u8], members: Members, out: &mut Vec<u8>) {
    let flags = flags(row);
    let mut rest = &row[MEMBERS_OFFSET..];
    let mut separator = b'{';
    for (index, (key, encoding)) in MEMBERS.iter().enumerate() {
        let has_value = flags >> index & 1 == 1;
        if members.0 >> index & 1 == 0 {
            match encoding {
                Encoding::Json if has_value => _ = take_json(&mut rest),
                Encoding::Date if has_value => _ = take_date(&mut rest),
                _ => {}
            }
            continue;
        }
        out.push(separator);
        separator = b',';
        out.extend_from_slice(key.as_bytes());
        match encoding {
            Encoding::Json if has_value => out.extend_from_slice(take_json(&mut rest)),
            Encoding::Date if has_value => write_days(take_date(&mut rest), out),
            Encoding::Json if index == CUSTOM_FIELDS_INDEX => out.extend_from_slice(b"{}"),
            Encoding::Json | Encoding::Date => out.extend_from_slice(b"null"),
            Encoding::FlagBit => out.extend_from_slice(if has_value { b"true" } else { b"false" }),
            Encoding::Time => write_micros(bytes::i64_at(row, time_offset(index)), out),
            Encoding::Id => write_value(&bytes::i64_at(row, ID_OFFSET), out),
        }
    }
    if separator == b'{' {
        out.push(separator);
    }
}
