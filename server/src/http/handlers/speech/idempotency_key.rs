//! The header `Idempotency-Key`, and the answer to a submission.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::http::query::Reader;
use crate::http::reply::{self, Response};
use crate::service::submit_calls::Submitted;

/// The name of the header.
const NAME: &str = "Idempotency-Key";

/// Most characters of a key.
const MAX_LENGTH: usize = 255;

/// Tells that an answer was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The key, if one is given: 1 to [`MAX_LENGTH`] visible ASCII characters. What is wrong with it is reported with the
/// faults of the query.
pub fn read(headers: &HeaderMap, faults: &mut Reader<'_>) -> Option<String> {
    const CODE: &str = "invalid_idempotency_key";
    let mut values = headers.get_all(NAME).iter();
    let value = values.next()?;
    if values.next().is_some() {
        faults.refuse(NAME, CODE, "this header may stand only once");
        return None;
    }
    let key = std::str::from_utf8(value.as_bytes()).unwrap_or("");
    if !(1..=MAX_LENGTH).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        faults.refuse(NAME, CODE, &format!("expected 1 to {MAX_LENGTH} visible ASCII characters, without blanks"));
        return None;
    }
    Some(key.to_owned())
}

/// The answer to a submission.
pub fn answer(submitted: &Submitted) -> Response {
    let mut response = reply::json(&submitted.response);
    if submitted.replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
