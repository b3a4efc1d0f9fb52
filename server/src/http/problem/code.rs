//! Problem codes: name, status, title and meaning.

use http::StatusCode;

/// Defines the problem codes.
macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $variant:ident = $name:literal, $status:ident, $title:literal;)+) => {
        /// Problem codes. The names are stable: clients match on them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $meaning])+ $variant),+
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// HTTP status of the response.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),+ }
            }

            /// Short title for people.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),+ }
            }

            /// Explanation in full sentences.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($meaning),+).trim_ascii()),+ }
            }
        }
    };
}

codes! {
    /// The bytes are not a valid HTTP/1.1 request, or the request is ambiguous.
    MalformedRequest = "malformed_request", BAD_REQUEST, "Malformed request";
    /// The server doesn't support the HTTP version of the request.
    UnsupportedVersion = "unsupported_http_version", BAD_REQUEST, "Unsupported HTTP version";
    /// The body is invalid; `errors` lists the errors.
    InvalidRequest = "invalid_request", BAD_REQUEST, "Invalid request";
    /// The filter is invalid; `errors` lists the errors.
    InvalidFilter = "invalid_filter", BAD_REQUEST, "Invalid filter";
    /// A value in the path, the query or a header is invalid.
    InvalidParameter = "invalid_parameter", BAD_REQUEST, "Invalid parameter";
    /// The query has a parameter that the operation doesn't support.
    UnknownParameter = "unknown_parameter", BAD_REQUEST, "Unknown parameter";
    /// The request has no credentials, or its session has ended.
    Unauthenticated = "unauthenticated", UNAUTHORIZED, "Authentication required";
    /// The email or password is wrong.
    InvalidLogin = "invalid_login", UNAUTHORIZED, "Incorrect email or password";
    /// There is no such API key.
    InvalidKey = "invalid_api_key", UNAUTHORIZED, "Invalid API key";
    /// The API key has expired.
    ExpiredKey = "expired_api_key", UNAUTHORIZED, "Expired API key";
    /// The API key was revoked.
    RevokedKey = "revoked_api_key", UNAUTHORIZED, "Revoked API key";
    /// The speech token is missing, wrong or revoked.
    InvalidToken = "invalid_token", UNAUTHORIZED, "Invalid speech token";
    /// The role or scope of the caller doesn't cover this.
    Forbidden = "forbidden", FORBIDDEN, "Not permitted";
    /// A request with a session cookie has no valid CSRF token or comes from another origin.
    CsrfFailed = "csrf_failed", FORBIDDEN, "CSRF check failed";
    /// The resource doesn't exist, or the caller may not see it.
    NotFound = "not_found", NOT_FOUND, "Not found";
    /// The path doesn't support this method; `Allow` lists the supported ones.
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "Method not allowed";
    /// The response is not available in any of the types in `Accept`.
    NotAcceptable = "not_acceptable", NOT_ACCEPTABLE, "Not acceptable";
    /// The request arrived too slowly.
    RequestTimeout = "request_timeout", REQUEST_TIMEOUT, "Request timeout";
    /// The request conflicts with stored data.
    Conflict = "conflict", CONFLICT, "Conflict";
    /// A request with this idempotency key is in progress.
    InFlight = "idempotency_in_flight", CONFLICT, "Request already in progress";
    /// Transcription of the call failed; submit the call again.
    TranscriptionFailed = "transcription_failed", CONFLICT, "Transcription failed";
    /// Transcription of the call was cancelled; submit the call again.
    TranscriptionCancelled = "transcription_cancelled", CONFLICT, "Transcription cancelled";
    /// The transcript was purged.
    TranscriptPurged = "transcript_purged", GONE, "Transcript deleted";
    /// Changes after the cursor were purged, or the database was restored; load all records again.
    CursorExpired = "cursor_expired", GONE, "Cursor expired";
    /// The rejected rows of the import were purged.
    RejectedRowsPurged = "rejected_rows_purged", GONE, "Rejected rows deleted";
    /// The record has changed since the version in `If-Match` or `if_updated_at`, or a condition with `*` fails.
    PreconditionFailed = "precondition_failed", PRECONDITION_FAILED, "Precondition failed";
    /// The body is larger than the operation permits.
    BodyTooLarge = "body_too_large", PAYLOAD_TOO_LARGE, "Body too large";
    /// The request target is too long.
    UriTooLong = "uri_too_long", URI_TOO_LONG, "URL too long";
    /// The request head is too large, or has too many headers.
    HeadTooLarge = "head_too_large", REQUEST_HEADER_FIELDS_TOO_LARGE, "Request headers too large";
    /// The operation doesn't accept this content type or content encoding.
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "Unsupported media type";
    /// The range is outside the recording.
    RangeNotSatisfiable = "range_not_satisfiable", RANGE_NOT_SATISFIABLE, "Range not satisfiable";
    /// The body is well formed, but refers to something that doesn't exist.
    Unprocessable = "unprocessable", UNPROCESSABLE_ENTITY, "Unprocessable request";
    /// The body can't be used as a recording.
    UnusableRecording = "unusable_recording", UNPROCESSABLE_ENTITY, "Unusable recording";
    /// The idempotency key was used before for another request.
    KeyReused = "idempotency_key_reused", UNPROCESSABLE_ENTITY, "Idempotency key reused";
    /// Too many attempts; retry after the time in `Retry-After`.
    TooManyRequests = "too_many_requests", TOO_MANY_REQUESTS, "Too many requests";
    /// The token has reached its limit of pending deliveries; retry after the time in `Retry-After`.
    TooManyDeliveries = "too_many_pending_deliveries", TOO_MANY_REQUESTS, "Too many pending deliveries";
    /// The server failed. The cause is in its log, under the request id.
    Internal = "internal", INTERNAL_SERVER_ERROR, "Internal error";
    /// The store is unavailable; retry later.
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, "Temporarily unavailable";
    /// The server is overloaded; retry later.
    Overloaded = "overloaded", SERVICE_UNAVAILABLE, "Overloaded";
}

impl Code {
    /// URI of the problem type.
    pub fn uri(self) -> String {
        format!("urn:leadscribe:problem:{}", self.as_str())
    }
}

/// Returns a Markdown table of all codes.
pub fn table_markdown() -> String {
    let row = |code: &Code| format!("| `{}` | {} | {} |\n", code.as_str(), code.status().as_u16(), code.meaning());
    let rows: String = Code::ALL.iter().map(row).collect();
    format!("| code | status | when |\n|---|---|---|\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::{Code, table_markdown};

    #[test]
    fn table_lists_every_code() {
        let table = table_markdown();
        assert!(
            table.contains("| `idempotency_in_flight` | 409 | A request with this idempotency key is in progress. |\n")
        );
        assert_eq!(table.lines().count(), Code::ALL.len() + 2);
        assert!(Code::ALL.iter().all(|code| code.meaning().ends_with('.')));
    }

    #[test]
    fn code_names_are_unique() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|code| code.status().is_client_error() || code.status().is_server_error()));
    }
}
