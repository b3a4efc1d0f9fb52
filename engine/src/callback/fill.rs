//! Fills in templates. Values are serialized directly into the output instead of being copied per placeholder.

use std::fmt;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{TemplateValue, TextPiece, Values};

/// A part of a template with the values of its placeholders.
pub(super) struct FilledValue<'a> {
    pub part: &'a TemplateValue,
    pub values: &'a Values,
}

/// A template string with text around its placeholders.
struct FilledString<'a> {
    pieces: &'a [TextPiece],
    values: &'a Values,
}

/// A writer that fails beyond `max_bytes` bytes.
struct LimitedWriter {
    bytes: Vec<u8>,
    max_bytes: usize,
}

impl FilledValue<'_> {
    /// Returns the JSON text; `None` if it would exceed `max_bytes` bytes.
    pub fn to_json(&self, max_bytes: usize) -> Option<Vec<u8>> {
        let mut writer = LimitedWriter { bytes: Vec::new(), max_bytes };
        serde_json::to_writer(&mut writer, self).ok().map(|()| writer.bytes)
    }
}

impl Serialize for FilledValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.values;
        let fill_part = |part| FilledValue { part, values };
        match self.part {
            TemplateValue::Constant(value) => value.serialize(serializer),
            TemplateValue::Placeholder(placeholder) => values.get(placeholder).serialize(serializer),
            TemplateValue::Text(pieces) => serializer.collect_str(&FilledString { pieces, values }),
            TemplateValue::Array(items) => serializer.collect_seq(items.iter().map(fill_part)),
            TemplateValue::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, part)| (key, fill_part(part))))
            }
        }
    }
}

impl fmt::Display for FilledString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            TextPiece::Literal(text) => f.write_str(text),
            TextPiece::Placeholder(placeholder) => match self.values.get(placeholder) {
                None | Some(Value::Null) => Ok(()),
                Some(Value::String(text)) => f.write_str(text),
                Some(value) => write!(f, "{value}"),
            },
        })
    }
}

impl io::Write for LimitedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.max_bytes - self.bytes.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
