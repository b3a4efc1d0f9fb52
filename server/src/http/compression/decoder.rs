//! Decoding of request bodies. Output is produced in bounded pieces, however small the input is, so that a decompression bomb reaches the
//! limit of its body before it takes memory.

use std::io::{self, BufRead, ErrorKind, Read};

use bytes::{Buf, Bytes};
use futures::stream::{BoxStream, try_unfold};
use futures::{StreamExt, TryStreamExt};
use leadscribe_engine::diagnostic::{Diagnostic, Location, request};
use tokio::task::yield_now;

use super::ContentCoding;
use crate::http::problem::{Code, Problem};

/// Maximum size of a decoded chunk, in bytes.
const CHUNK_BYTES: usize = 64 * 1024;

/// Size of brotli's input buffer, in bytes.
const BROTLI_BUFFER_BYTES: usize = 4 * 1024;

/// First seven bits of a brotli stream with a window of up to 1 GiB. RFC 7932 doesn't have such windows, but the decoder accepts
/// them, and allocates the window before it returns a byte.
const BROTLI_LARGE_WINDOW: u8 = 0b001_0001;

/// Base-2 logarithm of the largest window that a decoder of zstd must support (RFC 9659), in bytes.
const MAX_ZSTD_WINDOW_BITS: u32 = 23;

/// Decodes the chunks of a body.
///
/// # Errors
/// Within the stream: the errors of the chunks, and 400 if they are not a complete body in this coding.
pub fn decode_chunks(
    chunks: BoxStream<'static, Result<Bytes, Problem>>,
    coding: ContentCoding,
) -> BoxStream<'static, Result<Bytes, Problem>> {
    let body = EncodedBody { chunks, decoder: Decoder::new(coding), coding };
    try_unfold(body, |mut body| async move { Ok(body.next().await?.map(|chunk| (chunk, body))) }).boxed()
}

struct EncodedBody {
    chunks: BoxStream<'static, Result<Bytes, Problem>>,
    decoder: Decoder,
    coding: ContentCoding,
}

impl EncodedBody {
    /// Returns the next decoded bytes, or `None` at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        // A large body is decoded on an async thread, so others get their turn between its chunks.
        yield_now().await;
        let mut output = vec![0; CHUNK_BYTES];
        let mut length = 0;
        while length < CHUNK_BYTES {
            match self.decoder.read(&mut output[length..]) {
                Ok(0) => {
                    let has_more = self.decoder.input().has_remaining() || self.chunks.try_next().await?.is_some();
                    if has_more {
                        return Err(self.invalid());
                    }
                    break;
                }
                Ok(count) => length += count,
                // Returns early, so that the progress of a slow client is seen.
                Err(error) if error.kind() == ErrorKind::WouldBlock && length > 0 => break,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let next_chunk = self.chunks.try_next().await?;
                    self.decoder.input().push(next_chunk);
                }
                Err(_) => return Err(self.invalid()),
            }
        }
        output.truncate(length);
        Ok((length > 0).then(|| output.into()))
    }

    fn invalid(&self) -> Problem {
        let message = request::damaged_encoding(self.coding.name());
        let diagnostic = Diagnostic::new(Location::default(), "invalid_content_encoding", message);
        Problem::from_diagnostic(Code::InvalidRequest, diagnostic)
    }
}

/// The decoders behind one interface.
enum Decoder {
    Zstd(zstd::Decoder<'static, Input>),
    Brotli(Box<brotli::Decompressor<Input>>),
    Gzip(Box<flate2::bufread::MultiGzDecoder<Input>>),
}

impl Decoder {
    fn new(coding: ContentCoding) -> Self {
        let input = Input::default();
        match coding {
            ContentCoding::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(input).expect("no dictionary");
                decoder.window_log_max(MAX_ZSTD_WINDOW_BITS).expect("a supported window");
                Self::Zstd(decoder)
            }
            ContentCoding::Brotli => Self::Brotli(Box::new(brotli::Decompressor::new(input, BROTLI_BUFFER_BYTES))),
            ContentCoding::Gzip => Self::Gzip(Box::new(flate2::bufread::MultiGzDecoder::new(input))),
        }
    }

    fn input(&mut self) -> &mut Input {
        match self {
            Self::Zstd(decoder) => decoder.get_mut(),
            Self::Brotli(decoder) => decoder.get_mut(),
            Self::Gzip(decoder) => decoder.get_mut(),
        }
    }

    /// Decodes into `output`. Fails with [`ErrorKind::WouldBlock`] if it needs more input.
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Zstd(decoder) => decoder.read(output),
            Self::Brotli(decoder) if decoder.get_ref().starts_with_large_window() => Err(ErrorKind::InvalidData.into()),
            Self::Brotli(decoder) => decoder.read(output),
            Self::Gzip(decoder) => decoder.read(output),
        }
    }
}

/// The encoded bytes that have arrived and are not decoded yet.
#[derive(Default)]
struct Input {
    chunk: Bytes,
    /// True if no chunk follows.
    is_complete: bool,
    /// True if the decoder has read a part.
    is_started: bool,
}

impl Input {
    /// Adds the next chunk, or `None` at the end of the body.
    fn push(&mut self, chunk: Option<Bytes>) {
        match chunk {
            Some(chunk) => self.chunk = chunk,
            None => self.is_complete = true,
        }
    }

    fn has_remaining(&self) -> bool {
        self.chunk.has_remaining()
    }

    fn starts_with_large_window(&self) -> bool {
        !self.is_started && self.chunk.first().is_some_and(|byte| byte & 0x7F == BROTLI_LARGE_WINDOW)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.chunk.is_empty() && !self.is_complete {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(&self.chunk)
    }

    fn consume(&mut self, count: usize) {
        self.chunk.advance(count);
        self.is_started |= count > 0;
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use futures::stream;
    use proptest::prelude::*;
    use tokio::time::timeout;

    use super::super::encoder::Encoder;
    use super::*;

    fn encode(coding: ContentCoding, body: &[u8]) -> Vec<u8> {
        let mut encoder = Encoder::new(coding);
        encoder.write(body);
        encoder.finish()
    }

    /// Decodes a body that arrives in chunks of `chunk_bytes`.
    async fn decode(coding: ContentCoding, encoded: &[u8], chunk_bytes: usize) -> Result<Vec<u8>, Problem> {
        let chunks: Vec<_> = encoded.chunks(chunk_bytes).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
        let decoded: Vec<_> = decode_chunks(stream::iter(chunks).boxed(), coding).try_collect().await?;
        assert!(decoded.iter().all(|chunk| chunk.len() <= CHUNK_BYTES));
        Ok(decoded.concat())
    }

    #[tokio::test]
    async fn decodes_bodies_in_chunks_of_any_size() {
        let body = "id,first_name\n1,Ada\n".repeat(20_000).into_bytes();
        for coding in ContentCoding::ALL {
            let encoded = encode(coding, &body);
            for chunk_bytes in [1, 7, 4_096, usize::MAX >> 1] {
                assert!(decode(coding, &encoded, chunk_bytes).await.expect("a body") == body, "{coding:?}");
            }
            assert_eq!(decode(coding, &encode(coding, b""), 1).await.expect("an empty body"), b"");
        }
        // A gzip file may have several members, and a zstd file several frames.
        for coding in [ContentCoding::Gzip, ContentCoding::Zstd] {
            let members = [encode(coding, b"1,Ada\n"), encode(coding, b"2,Ben\n")].concat();
            assert_eq!(decode(coding, &members, 3).await.expect("both"), b"1,Ada\n2,Ben\n", "{coding:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn passes_on_decoded_bytes_before_the_next_chunk() {
        for coding in ContentCoding::ALL {
            let mut encoder = Encoder::new(coding);
            encoder.write(b"1,Ada\n");
            match &mut encoder {
                Encoder::Zstd(encoder) => encoder.flush(),
                Encoder::Brotli(encoder) => encoder.flush(),
                Encoder::Gzip(encoder) => encoder.flush(),
            }
            .expect("memory accepts all bytes");
            let chunks = stream::iter([Ok(encoder.take_output().into())]).chain(stream::pending()).boxed();
            let mut decoded = decode_chunks(chunks, coding);
            let chunk = timeout(Duration::from_secs(1), decoded.try_next()).await.expect("no wait for the next chunk");
            assert_eq!(chunk.expect("valid").expect("a chunk"), "1,Ada\n", "{coding:?}");
        }
    }

    #[tokio::test]
    async fn rejects_damaged_and_incomplete_bodies() {
        for coding in ContentCoding::ALL {
            let encoded = encode(coding, &"1,Ada\n".repeat(50).into_bytes());
            let with_rest = [&encoded[..], b"rest"].concat();
            let mut bodies = vec![&b"id,first_name\n1,Ada\n"[..], &encoded[..encoded.len() - 1]];
            // The decoder of brotli reads ahead and ignores bytes after the end.
            bodies.extend((coding != ContentCoding::Brotli).then_some(&with_rest[..]));
            for body in bodies {
                let problem = decode(coding, body, 4_096).await.expect_err("an invalid body");
                assert_eq!(problem.code(), Code::InvalidRequest);
                let message = &problem.to_document("r1").errors[0].message;
                assert_eq!(*message, format!("the body is not complete, valid {}", coding.name()));
            }
        }
    }

    #[tokio::test]
    async fn bomb_is_decoded_only_as_far_as_it_is_read() {
        for coding in ContentCoding::ALL {
            let bomb = encode(coding, &vec![b' '; 20 << 20]);
            let chunks = stream::iter([Ok(bomb.into())]).boxed();
            let mut decoded = decode_chunks(chunks, coding);
            for _ in 0..10 {
                assert!(decoded.try_next().await.expect("valid").expect("more").len() <= CHUNK_BYTES);
            }
        }
    }

    #[tokio::test]
    async fn rejects_brotli_with_a_large_window() {
        // A window of 1 GiB, then an empty last block.
        for body in [&[0x11, 0x1e, 0x03][..], &[0x91, 0x1e, 0x03]] {
            for chunk_bytes in [1, 3] {
                decode(ContentCoding::Brotli, body, chunk_bytes).await.expect_err("not RFC 7932");
            }
        }
        assert_eq!(decode(ContentCoding::Brotli, &[0x06], 1).await.expect("an empty stream"), b"");
    }

    #[tokio::test]
    async fn small_members_are_one_chunk() {
        let body = encode(ContentCoding::Gzip, b" ").repeat(1_000);
        let chunks = stream::iter([Ok(body.into())]).boxed();
        let decoded: Vec<_> = decode_chunks(chunks, ContentCoding::Gzip).try_collect().await.expect("a body");
        assert_eq!(decoded, [vec![b' '; 1_000]]);
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(body in prop::collection::vec(any::<u8>(), 0..200), chunk_bytes in 1_usize..50) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            for coding in ContentCoding::ALL {
                let _either = runtime.block_on(decode(coding, &body, chunk_bytes));
            }
        }
    }
}
