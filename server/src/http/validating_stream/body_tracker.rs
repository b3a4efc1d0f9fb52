//! Finds the end of a request body, where the next head begins. Pure: counts bytes and keeps none.

/// State of a body that is being received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyTracker {
    /// Number of bytes still to come.
    Length(u64),
    /// Chunked encoding: see [`ChunkedState`].
    Chunked(ChunkedState),
    /// Invalid chunked encoding. hyper rejects it and closes the connection, so later bytes don't matter.
    Invalid,
}

/// Position within a chunked body (RFC 9112, section 7.1). Parsed exactly as hyper does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkedState {
    /// In the digits of a chunk size; `None` before the first digit.
    Size(Option<u64>),
    /// After the digits of a chunk size, in whitespace or an extension.
    Extension(u64),
    /// Before the line feed that ends the line of the size.
    SizeEnd(u64),
    /// In the data, with this many bytes left.
    Data(u64),
    /// Before the carriage return after the data.
    DataEnd,
    /// Before the line feed after the data.
    NextChunk,
    /// At the start of a line after the last chunk.
    TrailerStart,
    /// In a trailer line.
    Trailer,
    /// Before the line feed of a trailer line.
    TrailerEnd,
    /// Before the final line feed.
    FinalEnd,
}

impl BodyTracker {
    /// Creates a body with a known length.
    pub fn with_length(bytes: u64) -> Self {
        Self::Length(bytes)
    }

    /// Creates a body in chunked encoding.
    pub fn chunked() -> Self {
        Self::Chunked(ChunkedState::Size(None))
    }

    /// True once the whole body has been seen.
    pub fn is_complete(self) -> bool {
        self == Self::Length(0)
    }

    /// Returns the minimum number of bytes before the end of the body.
    pub fn min_remaining(self) -> u64 {
        match self {
            Self::Length(remaining) | Self::Chunked(ChunkedState::Data(remaining)) => remaining,
            Self::Chunked(_) => 1,
            Self::Invalid => u64::MAX,
        }
    }

    /// Advances over the next bytes of the connection and returns how many belong to the body. Fewer than all means that the body has
    /// ended.
    pub fn advance(&mut self, bytes: &[u8]) -> usize {
        let mut consumed = 0;
        while consumed < bytes.len() && !self.is_complete() {
            let count = usize::try_from(self.min_remaining()).unwrap_or(usize::MAX).min(bytes.len() - consumed);
            *self = match *self {
                Self::Length(remaining) => Self::Length(remaining - count as u64),
                Self::Chunked(ChunkedState::Data(remaining)) if remaining == count as u64 => {
                    Self::Chunked(ChunkedState::DataEnd)
                }
                Self::Chunked(ChunkedState::Data(remaining)) => {
                    Self::Chunked(ChunkedState::Data(remaining - count as u64))
                }
                Self::Chunked(state) => next_state(state, bytes[consumed]),
                Self::Invalid => Self::Invalid,
            };
            consumed += count;
        }
        consumed
    }
}

/// Returns the state after one more byte outside the data.
fn next_state(state: ChunkedState, byte: u8) -> BodyTracker {
    use ChunkedState::{
        Data, DataEnd, Extension, FinalEnd, NextChunk, Size, SizeEnd, Trailer, TrailerEnd, TrailerStart,
    };
    let next = match (state, byte) {
        (Size(size), _) if byte.is_ascii_hexdigit() => {
            let digit = char::from(byte).to_digit(16).map(u64::from);
            match size.unwrap_or(0).checked_mul(16).zip(digit) {
                Some((size, digit)) => Size(Some(size + digit)),
                None => return BodyTracker::Invalid,
            }
        }
        (Size(Some(size)), b';' | b' ' | b'\t') => Extension(size),
        (Size(Some(size)) | Extension(size), b'\r') => SizeEnd(size),
        (Extension(_), b'\n') => return BodyTracker::Invalid,
        (Extension(size), _) => Extension(size),
        (SizeEnd(0), b'\n') => TrailerStart,
        (SizeEnd(size), b'\n') => Data(size),
        (DataEnd, b'\r') => NextChunk,
        (NextChunk, b'\n') => Size(None),
        (TrailerStart, b'\r') => FinalEnd,
        (Trailer, b'\r') => TrailerEnd,
        (TrailerStart | Trailer, _) => Trailer,
        (TrailerEnd, b'\n') => TrailerStart,
        (FinalEnd, b'\n') => return BodyTracker::with_length(0),
        _ => return BodyTracker::Invalid,
    };
    BodyTracker::Chunked(next)
}

#[cfg(test)]
mod tests {
    use super::BodyTracker;

    #[test]
    fn finds_end_of_body() {
        let chunks = "5\r\nhello\r\nA;name=\"value\"\r\nGET / HTTP\r\n0\r\nTrailer: x\r\n\r\n";
        for (body, text) in [
            (BodyTracker::with_length(5), "hello"),
            (BodyTracker::chunked(), chunks),
            (BodyTracker::chunked(), "0\r\n\r\n"),
        ] {
            let input = format!("{text}GET /next");
            let mut whole_input = body;
            assert_eq!(whole_input.advance(input.as_bytes()), text.len(), "{text}");
            assert!(whole_input.is_complete());
            let mut byte_by_byte = body;
            assert_eq!(input.bytes().map(|byte| byte_by_byte.advance(&[byte])).sum::<usize>(), text.len(), "{text}");
        }
    }

    #[test]
    fn invalid_chunks_never_end() {
        for text in ["x", ";\r\n", "1\nab", "5\r\nhello!", "1;a\n", "11111111111111111\r\n", "0\r\n\rx", "0\r\na\rb"] {
            let mut body = BodyTracker::chunked();
            let input = format!("{text}\r\n0\r\n\r\nGET /");
            assert_eq!(body.advance(input.as_bytes()), input.len(), "{text:?}");
            assert_eq!(body, BodyTracker::Invalid, "{text:?}");
        }
    }
}
