//! Constructors for the few forms of response that handlers return.

use bytes::Bytes;
use futures::Stream;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use sync_wrapper::SyncStream;
use warp::Reply;

use super::response_budget::MemoryBytes;

/// An HTTP response.
pub type Response = warp::reply::Response;

/// 200 with a JSON body.
pub fn json<T: Serialize>(value: &T) -> Response {
    bytes("application/json", to_json(value))
}

/// Returns a value as JSON text.
pub(super) fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("wire types have string keys and no failing serializers")
}

/// 201 with a JSON body and the path of the new resource.
pub fn created<T: Serialize>(location: &str, value: &T) -> Response {
    let mut response = with_status(StatusCode::CREATED, json(value));
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// 202 with a JSON body and the path of the resource that shows the progress.
pub fn accepted<T: Serialize>(location: &str, value: &T) -> Response {
    with_status(StatusCode::ACCEPTED, created(location, value))
}

/// 204 without a body.
pub fn no_content() -> Response {
    with_status(StatusCode::NO_CONTENT, Response::default())
}

/// 200 with a body of the given media type.
pub fn bytes(media_type: &'static str, body: impl Into<Vec<u8>>) -> Response {
    let body = body.into();
    let memory_bytes = MemoryBytes(body.capacity());
    let mut response = shared(media_type, body.into());
    response.extensions_mut().insert(memory_bytes);
    response
}

/// 200 with a body whose memory is shared with other responses.
pub fn shared(media_type: &'static str, body: Bytes) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// 200 with a body that is produced while it is sent. About `memory_bytes` bytes are in memory at a time. An error in the stream closes the
/// connection, so that the client doesn't mistake a part for the whole.
pub fn stream<S, E>(media_type: HeaderValue, memory_bytes: usize, body: S) -> Response
where
    S: Stream<Item = Result<Bytes, E>> + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
{
    let mut response = warp::reply::stream(SyncStream::new(body)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response.extensions_mut().insert(MemoryBytes(memory_bytes));
    response
}

/// Returns the response with another status.
pub fn with_status(status: StatusCode, mut response: Response) -> Response {
    *response.status_mut() = status;
    response
}
