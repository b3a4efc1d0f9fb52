//! Finds the end of a request body, where the next head begins. Pure: counts bytes and keeps none.

/// State of a body that is being received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// Number of bytes still to come.
    Length(u64),
    /// Chunked encoding: see [`Chunked`].
    Chunked(Chunked),
    /// Invalid chunked encoding. hyper refuses it and closes the connection, so later bytes don't matter.
    Broken,
}

/// Position within a chunked body (RFC 9112, section 7.1). Parsed exactly as hyper does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chunked {
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
    LastEnd,
}

impl Body {
    /// Creates a body with a known length.
    pub fn of_length(bytes: u64) -> Self {
        Self::Length(bytes)
    }

    /// Creates a body in chunked encoding.
    pub fn chunked() -> Self {
        Self::Chunked(Chunked::Size(None))
    }

    /// True once the whole body has been seen.
    pub fn is_over(self) -> bool {
        self == Self::Length(0)
    }

    /// Returns the minimum number of bytes before the end of the body.
    pub fn least_left(self) -> u64 {
        match self {
            Self::Length(left) | Self::Chunked(Chunked::Data(left)) => left,
            Self::Chunked(_) => 1,
            Self::Broken => u64::MAX,
        }
    }

    /// Advances over the next bytes of the connection and returns how many belong to the body. Fewer than all means that the body has
    /// ended.
    pub fn follow(&mut self, bytes: &[u8]) -> usize {
        let mut seen = 0;
        while seen < bytes.len() && !self.is_over() {
            let run = usize::try_from(self.least_left()).unwrap_or(usize::MAX).min(bytes.len() - seen);
            *self = match *self {
                Self::Length(left) => Self::Length(left - run as u64),
                Self::Chunked(Chunked::Data(left)) if left == run as u64 => Self::Chunked(Chunked::DataEnd),
                Self::Chunked(Chunked::Data(left)) => Self::Chunked(Chunked::Data(left - run as u64)),
                Self::Chunked(place) => after(place, bytes[seen]),
                Self::Broken => Self::Broken,
            };
            seen += run;
        }
        seen
    }
}

/// Returns the state after one more byte outside the data.
fn after(place: Chunked, byte: u8) -> Body {
    use Chunked::{Data, DataEnd, Extension, LastEnd, NextChunk, Size, SizeEnd, Trailer, TrailerEnd, TrailerStart};
    let next = match (place, byte) {
        (Size(size), _) if byte.is_ascii_hexdigit() => {
            let digit = char::from(byte).to_digit(16).map(u64::from);
            match size.unwrap_or(0).checked_mul(16).zip(digit) {
                Some((size, digit)) => Size(Some(size + digit)),
                None => return Body::Broken,
            }
        }
        (Size(Some(size)), b';' | b' ' | b'\t') => Extension(size),
        (Size(Some(size)) | Extension(size), b'\r') => SizeEnd(size),
        (Extension(_), b'\n') => return Body::Broken,
        (Extension(size), _) => Extension(size),
        (SizeEnd(0), b'\n') => TrailerStart,
        (SizeEnd(size), b'\n') => Data(size),
        (DataEnd, b'\r') => NextChunk,
        (NextChunk, b'\n') => Size(None),
        (TrailerStart, b'\r') => LastEnd,
        (Trailer, b'\r') => TrailerEnd,
        (TrailerStart | Trailer, _) => Trailer,
        (TrailerEnd, b'\n') => TrailerStart,
        (LastEnd, b'\n') => return Body::of_length(0),
        _ => return Body::Broken,
    };
    Body::Chunked(next)
}

#[cfg(test)]
mod tests {
    use super::Body;

    #[test]
    fn finds_end_of_body() {
        let chunks = "5\r\nhello\r\nA;name=\"value\"\r\nGET / HTTP\r\n0\r\nTrailer: x\r\n\r\n";
        for (body, text) in [(Body::of_length(5), "hello"), (Body::chunked(), chunks), (Body::chunked(), "0\r\n\r\n")] {
            let whole = format!("{text}GET /next");
            let mut at_once = body;
            assert_eq!(at_once.follow(whole.as_bytes()), text.len(), "{text}");
            assert!(at_once.is_over());
            let mut by_byte = body;
            assert_eq!(whole.bytes().map(|byte| by_byte.follow(&[byte])).sum::<usize>(), text.len(), "{text}");
        }
    }

    #[test]
    fn invalid_chunks_never_end() {
        for text in ["x", ";\r\n", "1\nab", "5\r\nhello!", "1;a\n", "11111111111111111\r\n", "0\r\n\rx", "0\r\na\rb"] {
            let mut body = Body::chunked();
            let whole = format!("{text}\r\n0\r\n\r\nGET /");
            assert_eq!(body.follow(whole.as_bytes()), whole.len(), "{text:?}");
            assert_eq!(body, Body::Broken, "{text:?}");
        }
    }
}
