//! A row's lead as JSON, with all members or with those asked for.

use std::collections::BTreeSet;

use super::lead::{CUSTOM_FIELDS, Form, MEMBERS, take_date, take_json};
use super::{ID, MEMBERS as FIRST, TIMES, bytes, flags, times};

/// Which members of a lead are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members(u32);

impl Members {
    /// Every member.
    pub const ALL: Self = Self((1 << MEMBERS.len()) - 1);

    /// Those with these names. Names of what isn't a lead's own, such as `campaigns`, mean nothing here.
    pub fn named(names: &BTreeSet<String>) -> Self {
        let is_named = |key: &str| names.contains(key.trim_matches(['"', ':']));
        let bits = MEMBERS.iter().enumerate().map(|(member, (key, _))| u32::from(is_named(key)) << member);
        Self(bits.fold(0, |all, bit| all | bit))
    }

    /// Those that the filter asks for.
    pub fn of(fields: Option<&BTreeSet<String>>) -> Self {
        fields.map_or(Self::ALL, Self::named)
    }
}

/// Appends the lead without its closing brace.
pub(super) fn write(row: &[u8], members: Members, out: &mut Vec<u8>) {
    let flags = flags(row);
    let mut rest = &row[FIRST..];
    let mut before = b'{';
    for (member, (key, form)) in MEMBERS.iter().enumerate() {
        let has = flags >> member & 1 == 1;
        if members.0 >> member & 1 == 0 {
            match form {
                Form::Json if has => _ = take_json(&mut rest),
                Form::Date if has => _ = take_date(&mut rest),
                _ => {}
            }
            continue;
        }
        out.push(before);
        before = b',';
        out.extend_from_slice(key.as_bytes());
        match form {
            Form::Json if has => out.extend_from_slice(take_json(&mut rest)),
            Form::Date if has => times::write_date(take_date(&mut rest), out),
            Form::Json if member == CUSTOM_FIELDS => out.extend_from_slice(b"{}"),
            Form::Json | Form::Date => out.extend_from_slice(b"null"),
            Form::Flag => out.extend_from_slice(if has { b"true" } else { b"false" }),
            Form::Time(number) => times::write_time(bytes::fixed(row, TIMES + 8 * number), out),
            Form::Id => write_value(bytes::fixed(row, ID), out),
        }
    }
    if before == b'{' {
        out.push(before);
    }
}

/// Appends a text.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    if words.iter().any(|word| has_escaped(*word)) || rest.iter().any(|byte| is_escaped(*byte)) {
        return write_value(text, out);
    }
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Appends anything else.
pub(super) fn write_value(value: impl serde::Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &value).expect("plain data is written to memory");
}

/// Whether JSON writes this byte of a text in another way.
fn is_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Whether any of these bytes [`is_escaped`]. Below zero, a byte borrows from the next; but then it is such a byte.
fn has_escaped(bytes: [u8; 8]) -> bool {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = EACH << 7;
    let word = u64::from_le_bytes(bytes);
    let below = |word: u64, bound: u8| word.wrapping_sub(EACH * u64::from(bound)) & !word;
    let equal = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
    (below(word, b' ') | equal(b'"') | equal(b'\\')) & HIGH != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_written_as_serde_json_does(text in "[ -~\u{0}-\u{30}éł€😀]{0,30}", plain in "[a-zé!# \\[\\]]{0,30}") {
            for text in [text, plain] {
                let mut out = Vec::new();
                write_text(&text, &mut out);
                prop_assert_eq!(out, serde_json::to_vec(&text).unwrap());
            }
        }

        #[test]
        fn eight_bytes_have_an_escaped_one_if_one_is(bytes: [u8; 8], few in proptest::array::uniform8(0x1e_u8..0x24)) {
            for bytes in [bytes, few, bytes.map(|byte| byte | 0x80)] {
                prop_assert_eq!(has_escaped(bytes), bytes.iter().any(|byte| is_escaped(*byte)));
            }
        }
    }
}
