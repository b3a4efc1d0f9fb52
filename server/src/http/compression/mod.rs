//! Compression of responses and decoding of request bodies (RFC 9110, sections 8.4 and 12.5.3).
//!
//! Levels are chosen for speed: a page of leads is compressed faster than a client receives it over a fast line.
//!
//! A response that contains a secret is never compressed ([`Route::returns_secret`](super::routes::Route::returns_secret)). Otherwise its
//! length would reveal whether text chosen by an attacker occurs in the secret (the BREACH attack). Event streams are not compressed
//! either: the encoder would hold events back.

mod decoder;
mod encoder;

use bytes::Bytes;
use futures::stream::{self, BoxStream, Stream, try_unfold};
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, HeaderValue, header};
use http_body_util::BodyExt;
use sync_wrapper::SyncStream;
use tokio::task::yield_now;
use warp::Reply;

use super::etag;
use super::reply::Response;
use super::response_budget::MemoryBytes;
use encoder::{ENCODER_MEMORY_BYTES, Encoder};

pub use decoder::decode_chunks;

/// Smaller bodies are not compressed: they fit into three packets, and compressing them would slow lookups of few leads.
const MIN_BYTES: usize = 4_096;

/// Number of bytes to compress before other tasks get their turn. Takes less than a tenth of a millisecond with zstd.
const SLICE_BYTES: usize = 64 * 1024;

/// Media types that are compressed.
const COMPRESSIBLE_TYPES: [&str; 7] = [
    "application/json",
    "application/jsonl",
    "application/problem+json",
    "application/x-subrip",
    "text/csv",
    "text/plain",
    "text/vtt",
];

/// A content coding of responses and request bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentCoding {
    /// Zstandard (RFC 8878).
    Zstd,
    /// Brotli (RFC 7932).
    Brotli,
    /// gzip (RFC 1952).
    Gzip,
}

impl ContentCoding {
    /// All codings. The fastest is first, and is preferred if the client accepts several equally.
    pub const ALL: [Self; 3] = [Self::Zstd, Self::Brotli, Self::Gzip];

    /// Name in headers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// True if `name` is a name of the coding, in any case.
    fn has_name(self, name: &str) -> bool {
        name.eq_ignore_ascii_case(self.name()) || self == Self::Gzip && name.eq_ignore_ascii_case("x-gzip")
    }
}

/// Returns the coding of a request body.
///
/// # Errors
/// The value of `Content-Encoding` if it names several codings or an unsupported one.
pub fn request_coding(headers: &HeaderMap) -> Result<Option<ContentCoding>, String> {
    let values =
        headers.get_all(header::CONTENT_ENCODING).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let value = values.collect::<Vec<_>>().join(", ");
    let mut names = value.split(',').map(str::trim).filter(|name| !name.eq_ignore_ascii_case("identity"));
    let coding = match (names.next(), names.next()) {
        (None | Some(""), None) => return Ok(None),
        (Some(name), None) => ContentCoding::ALL.into_iter().find(|coding| coding.has_name(name)),
        _ => None,
    };
    coding.map(Some).ok_or(value)
}

/// Picks the coding that `Accept-Encoding` prefers. `offered` is in the server's order of preference. Returns `None` if the body must or
/// should be sent uncompressed, or if the client accepts none of the offered codings.
pub fn negotiate(headers: &HeaderMap, offered: &[ContentCoding]) -> Option<ContentCoding> {
    let (mut qualities, mut wildcard, mut identity) = ([None; ContentCoding::ALL.len()], None, None);
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    for entry in values.flat_map(|value| value.split(',')) {
        let (name, parameters) = entry.split_once(';').unwrap_or((entry, ""));
        let Some(quality) = parse_quality(parameters) else { continue };
        let name = name.trim();
        match ContentCoding::ALL.iter().position(|coding| coding.has_name(name)) {
            Some(position) => qualities[position] = Some(quality),
            None if name == "*" => wildcard = Some(quality),
            None if name.eq_ignore_ascii_case("identity") => identity = Some(quality),
            None => {}
        }
    }
    let mut best = None;
    let mut best_quality = identity.unwrap_or(0.0);
    for coding in offered {
        let quality = qualities[*coding as usize].or(wildcard).unwrap_or(0.0);
        // Compression is preferred to a plain body of the same quality.
        if quality > best_quality || best.is_none() && quality > 0.0 && quality == best_quality {
            (best, best_quality) = (Some(*coding), quality);
        }
    }
    best
}

/// Parses the parameters of an entry: none, or `q=0.5`. Returns `None` for anything else.
fn parse_quality(parameters: &str) -> Option<f32> {
    let parameters = parameters.trim();
    if parameters.is_empty() {
        return Some(1.0);
    }
    let (name, value) = parameters.split_once('=')?;
    let quality = value.trim().parse().ok()?;
    (name.trim().eq_ignore_ascii_case("q") && (0.0..=1.0).contains(&quality)).then_some(quality)
}

/// Compresses the body of a response, if the client accepts a `coding` and the body is worth it. A complete body is compressed at once; a
/// stream while it is sent.
pub async fn compress(mut response: Response, coding: Option<ContentCoding>) -> Response {
    let length = hyper::body::Body::size_hint(response.body()).exact();
    if length.is_some_and(|length| length < MIN_BYTES as u64) || !is_compressible(response.headers()) {
        return response;
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let Some(coding) = coding else { return response };
    if length.is_some() { compress_whole(response, coding).await } else { compress_stream(response, coding) }
}

/// True for a media type that is text, unless the body is a part or is already encoded.
fn is_compressible(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let media_type = media_type.split(';').next().unwrap_or("").trim_end();
    COMPRESSIBLE_TYPES.contains(&media_type)
        && !headers.contains_key(header::CONTENT_ENCODING)
        && !headers.contains_key(header::CONTENT_RANGE)
}

async fn compress_whole(response: Response, coding: ContentCoding) -> Response {
    let (mut parts, body) = response.into_parts();
    // A body of known length is collected without waiting and without a copy.
    let content =
        body.collect().now_or_never().and_then(Result::ok).map(|content| content.to_bytes()).unwrap_or_default();
    let mut encoder = Encoder::new(coding);
    for slice in content.chunks(SLICE_BYTES) {
        encoder.write(slice);
        if slice.len() == SLICE_BYTES {
            yield_now().await;
        }
    }
    let compressed = encoder.finish();
    if compressed.len() >= content.len() {
        return Response::from_parts(parts, content.into());
    }
    parts.extensions.insert(MemoryBytes(compressed.capacity()));
    mark_as_encoded(&mut parts.headers, coding);
    Response::from_parts(parts, compressed.into())
}

/// Compresses a stream, unless all of it is ready and shorter than [`MIN_BYTES`]. Doesn't wait for chunks: the head of the response must not,
/// and memory for them is reserved later.
fn compress_stream(response: Response, coding: ContentCoding) -> Response {
    let (mut parts, body) = response.into_parts();
    let mut chunks = body.into_data_stream();
    let (mut first_chunks, mut length, mut is_complete) = (Vec::new(), 0, false);
    while length < MIN_BYTES
        && !is_complete
        && let Some(next_chunk) = chunks.next().now_or_never()
    {
        is_complete = next_chunk.is_none();
        length += next_chunk.iter().flatten().map(Bytes::len).sum::<usize>();
        first_chunks.extend(next_chunk);
    }
    let chunks = stream::iter(first_chunks).chain(chunks).boxed();
    if is_complete {
        return with_stream(parts, chunks);
    }
    mark_as_encoded(&mut parts.headers, coding);
    if let Some(MemoryBytes(bytes)) = parts.extensions.get_mut() {
        *bytes += ENCODER_MEMORY_BYTES;
    }
    with_stream(parts, encode_chunks(chunks, coding))
}

fn with_stream(
    parts: http::response::Parts,
    chunks: impl Stream<Item = Result<Bytes, warp::Error>> + Send + 'static,
) -> Response {
    Response::from_parts(parts, warp::reply::stream(SyncStream::new(chunks)).into_response().into_body())
}

/// Compresses the chunks of a stream. An error of the stream ends the result too, before the encoder writes its end mark.
fn encode_chunks<E: Send + 'static>(
    chunks: BoxStream<'static, Result<Bytes, E>>,
    coding: ContentCoding,
) -> impl Stream<Item = Result<Bytes, E>> + Send + 'static {
    let source = ChunkSource { chunks, rest: Bytes::new() };
    try_unfold(Some((source, Encoder::new(coding))), |state| async move {
        let Some((mut source, mut encoder)) = state else { return Ok(None) };
        while let Some(slice) = source.next_slice().await? {
            encoder.write(&slice);
            let output = encoder.take_output();
            if !output.is_empty() {
                return Ok(Some((output.into(), Some((source, encoder)))));
            }
            yield_now().await;
        }
        Ok(Some((encoder.finish().into(), None)))
    })
}

/// Chunks of a stream, cut into slices.
struct ChunkSource<E> {
    chunks: BoxStream<'static, Result<Bytes, E>>,
    /// The part of the last chunk that has not been returned yet.
    rest: Bytes,
}

impl<E> ChunkSource<E> {
    /// Returns at most [`SLICE_BYTES`].
    async fn next_slice(&mut self) -> Result<Option<Bytes>, E> {
        while self.rest.is_empty() {
            match self.chunks.next().await.transpose()? {
                Some(chunk) => self.rest = chunk,
                None => return Ok(None),
            }
        }
        Ok(Some(self.rest.split_to(self.rest.len().min(SLICE_BYTES))))
    }
}

fn mark_as_encoded(headers: &mut HeaderMap, coding: ContentCoding) {
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    etag::append_coding(headers, coding.name());
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::Read;

    use futures::stream;
    use proptest::prelude::*;

    use super::*;
    use crate::http::reply;

    fn accepted(value: &str) -> Option<&'static str> {
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(value).expect("a value"))]);
        negotiate(&headers, &ContentCoding::ALL).map(ContentCoding::name)
    }

    fn decode(coding: ContentCoding, body: &[u8]) -> Vec<u8> {
        let mut decoded = Vec::new();
        match coding {
            ContentCoding::Zstd => zstd::Decoder::new(body).and_then(|mut decoder| decoder.read_to_end(&mut decoded)),
            ContentCoding::Brotli => brotli::Decompressor::new(body, 4_096).read_to_end(&mut decoded),
            ContentCoding::Gzip => flate2::read::GzDecoder::new(body).read_to_end(&mut decoded),
        }
        .expect("a complete body");
        decoded
    }

    fn json_response(bytes: usize) -> Response {
        reply::bytes("application/json", format!("[{}]", "\"lead\",".repeat(bytes / 7)))
    }

    async fn body_bytes(response: Response) -> Vec<u8> {
        response.into_body().collect().await.expect("a body").to_bytes().into()
    }

    #[test]
    fn negotiates_by_quality_then_speed() {
        for (value, expected) in [
            ("gzip", Some("gzip")),
            ("x-gzip", Some("gzip")),
            ("GZIP", Some("gzip")),
            ("gzip, deflate, br", Some("br")),
            ("gzip, deflate, br, zstd", Some("zstd")),
            ("gzip;q=1.0, br;q=0.9, zstd;q=0.5", Some("gzip")),
            ("zstd; q=0, br ;q = 0.1", Some("br")),
            ("*", Some("zstd")),
            ("zstd;q=0, *;q=0.5", Some("br")),
            ("gzip;q=0.5, identity", None),
            ("gzip, identity", Some("gzip")),
            ("identity;q=0.5, *;q=0.5", Some("zstd")),
            ("identity", None),
            ("identity;q=0", None),
            ("deflate", None),
            ("gzip;q=0", None),
            ("gzip;q=2, br;q=NaN, zstd;level=1", None),
            ("", None),
        ] {
            assert_eq!(accepted(value), expected, "{value}");
        }
        assert_eq!(negotiate(&HeaderMap::new(), &ContentCoding::ALL), None);
    }

    #[test]
    fn request_has_at_most_one_known_coding() {
        let coding = |value: &str| {
            let value = HeaderValue::from_str(value).expect("a value");
            request_coding(&HeaderMap::from_iter([(header::CONTENT_ENCODING, value)]))
        };
        assert_eq!(request_coding(&HeaderMap::new()), Ok(None));
        for (value, expected) in [
            ("", None),
            ("identity", None),
            ("gzip", Some(ContentCoding::Gzip)),
            ("X-GZIP", Some(ContentCoding::Gzip)),
            ("br", Some(ContentCoding::Brotli)),
            ("identity, zstd", Some(ContentCoding::Zstd)),
        ] {
            assert_eq!(coding(value), Ok(expected), "{value}");
        }
        for value in ["deflate", "gzip, gzip", "gzip;q=1", "aws-chunked"] {
            assert_eq!(coding(value), Err(value.to_owned()));
        }
    }

    #[tokio::test]
    async fn compresses_whole_bodies_and_counts_their_memory() {
        for coding in ContentCoding::ALL {
            for bytes in [MIN_BYTES + 10, 3 * SLICE_BYTES] {
                let plain = body_bytes(json_response(bytes)).await;
                let response = compress(json_response(bytes), Some(coding)).await;
                assert_eq!(response.headers()["content-encoding"], coding.name());
                assert_eq!(response.headers()["vary"], "Accept-Encoding");
                let memory_bytes = response.extensions().get::<MemoryBytes>().expect("the memory of the new body").0;
                assert!(memory_bytes < plain.len(), "{memory_bytes}");
                let compressed = body_bytes(response).await;
                assert!(compressed.len() < plain.len() / 2, "{}", compressed.len());
                assert_eq!(decode(coding, &compressed), plain);
            }
        }
    }

    #[tokio::test]
    async fn leaves_other_bodies_as_they_are() {
        let coding = Some(ContentCoding::Gzip);
        let small = compress(json_response(MIN_BYTES - 10), coding).await;
        assert!(small.headers().get("content-encoding").is_none() && small.headers().get("vary").is_none());
        let plain = compress(json_response(2 * MIN_BYTES), None).await;
        assert!(plain.headers().get("content-encoding").is_none());
        assert_eq!(plain.headers()["vary"], "Accept-Encoding");
        let audio = compress(reply::bytes("audio/wav", vec![0; 2 * MIN_BYTES]), coding).await;
        assert!(audio.headers().get("content-encoding").is_none());
        let mut encoded = json_response(2 * MIN_BYTES);
        encoded.headers_mut().insert("content-encoding", HeaderValue::from_static("br"));
        assert_eq!(compress(encoded, coding).await.headers()["content-encoding"], "br");
        // Random bytes don't become smaller.
        let noise: Vec<u8> = (0..MIN_BYTES).map(|_| rand::random()).collect();
        let response = compress(reply::bytes("text/plain", noise.clone()), coding).await;
        assert!(response.headers().get("content-encoding").is_none());
        assert_eq!(body_bytes(response).await, noise);
    }

    #[tokio::test]
    async fn etag_depends_on_coding() {
        let mut response = json_response(2 * MIN_BYTES);
        response.headers_mut().insert("etag", HeaderValue::from_static("\"5f2a\""));
        assert_eq!(compress(response, Some(ContentCoding::Brotli)).await.headers()["etag"], "\"5f2a-br\"");
    }

    #[tokio::test]
    async fn compresses_streams_and_counts_the_encoder() {
        for coding in ContentCoding::ALL {
            let chunks: Vec<Bytes> = (0..5_000).map(|number| format!("{number},Ada,Berlin\n").into()).collect();
            let plain = chunks.concat();
            let large_chunk = Bytes::from(plain.repeat(5));
            let chunks = chunks.into_iter().chain([large_chunk.clone()]).map(Ok::<_, Infallible>);
            let response = reply::stream(HeaderValue::from_static("text/csv; header=present"), 7, stream::iter(chunks));
            let response = compress(response, Some(coding)).await;
            assert_eq!(response.extensions().get::<MemoryBytes>().expect("memory").0, 7 + ENCODER_MEMORY_BYTES);
            assert_eq!(decode(coding, &body_bytes(response).await), [&plain[..], &large_chunk].concat());
        }
    }

    #[tokio::test]
    async fn broken_stream_is_not_completed() {
        for coding in ContentCoding::ALL {
            let chunks = stream::iter([Ok(Bytes::from_static(b"1,Ada\n")), Err(std::io::Error::other("no database"))]);
            let response = reply::stream(HeaderValue::from_static("text/csv"), 0, chunks);
            let response = compress(response, Some(coding)).await;
            assert!(response.into_body().collect().await.is_err(), "{coding:?}");
        }
    }

    #[tokio::test]
    async fn small_streams_are_not_compressed() {
        let chunks = stream::iter([b"1,Ada\n", b"2,Ben\n"].map(|row| Ok::<_, Infallible>(Bytes::from_static(row))));
        let response = reply::stream(HeaderValue::from_static("text/csv"), 0, chunks);
        let response = compress(response, Some(ContentCoding::Gzip)).await;
        assert_eq!(response.headers().get(header::CONTENT_ENCODING), None);
        assert_eq!(body_bytes(response).await, b"1,Ada\n2,Ben\n");
    }

    #[tokio::test]
    async fn head_does_not_wait_for_the_body() {
        let header_line = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"id,first_name\n"))]);
        let response = reply::stream(HeaderValue::from_static("text/csv"), 7, header_line.chain(stream::pending()));
        let response = compress(response, Some(ContentCoding::Gzip)).now_or_never().expect("no wait");
        assert_eq!(response.headers()["content-encoding"], "gzip");
    }

    #[tokio::test]
    async fn event_streams_are_not_compressed() {
        let events = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"data: 1\n\n"))]);
        let response = reply::stream(HeaderValue::from_static("text/event-stream"), 0, events);
        let response = compress(response, Some(ContentCoding::Gzip)).await;
        assert_eq!(body_bytes(response).await, b"data: 1\n\n");
    }

    proptest! {
        #[test]
        fn decoding_restores_any_body(body in prop::collection::vec(any::<u8>(), 0..2_000), split in 0_usize..100) {
            for coding in ContentCoding::ALL {
                let mut encoder = Encoder::new(coding);
                let (head, tail) = body.split_at(split.min(body.len()));
                encoder.write(head);
                let mut compressed = encoder.take_output();
                encoder.write(tail);
                compressed.extend(encoder.finish());
                prop_assert_eq!(decode(coding, &compressed), &*body);
            }
        }

        #[test]
        fn negotiation_never_panics(value in "[ -~]{0,40}") {
            accepted(&value);
        }
    }
}
