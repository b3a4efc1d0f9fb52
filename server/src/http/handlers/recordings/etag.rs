//! Whether a client has what it asks for already.

use headers::{ETag, HeaderMapExt, IfNoneMatch};

use crate::http::request::Request;

/// Whether the client has this content already.
pub fn has_it(request: &Request, etag: &ETag) -> bool {
    request.headers.typed_get::<IfNoneMatch>().is_some_and(|known| !known.precondition_passes(etag))
}
