//! Fills in templates. Values are serialized directly into the output instead of being copied per placeholder.

use std::fmt;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Part, Piece, Values};

/// A part of a template with the values of its placeholders.
pub(super) struct Filled<'a> {
    pub part: &'a Part,
    pub values: &'a Values,
}

/// A template string with text around its placeholders.
struct Text<'a> {
    pieces: &'a [Piece],
    values: &'a Values,
}

/// A writer that fails beyond `most` bytes.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl Filled<'_> {
    /// Returns the JSON text; `None` if it would exceed `most` bytes.
    pub fn text(&self, most: usize) -> Option<Vec<u8>> {
        let mut to = Bounded { bytes: Vec::new(), most };
        serde_json::to_writer(&mut to, self).ok().map(|()| to.bytes)
    }
}

impl Serialize for Filled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.values;
        let filled = |part| Filled { part, values };
        match self.part {
            Part::Fixed(value) => value.serialize(serializer),
            Part::Whole(placeholder) => values.get(placeholder).serialize(serializer),
            Part::Text(pieces) => serializer.collect_str(&Text { pieces, values }),
            Part::Array(items) => serializer.collect_seq(items.iter().map(filled)),
            Part::Object(members) => serializer.collect_map(members.iter().map(|(key, part)| (key, filled(part)))),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Literal(text) => to.write_str(text),
            Piece::Placeholder(placeholder) => match self.values.get(placeholder) {
                None | Some(Value::Null) => Ok(()),
                Some(Value::String(text)) => to.write_str(text),
                Some(value) => write!(to, "{value}"),
            },
        })
    }
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.most - self.bytes.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
