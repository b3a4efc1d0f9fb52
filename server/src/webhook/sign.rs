//! The signature of a delivery, as the Standard Webhooks specification says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue};
use leadscribe_engine::api::{Delivery, Timestamp};
use sha2::{Digest as _, Sha256};
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};

/// Length of a key: the specification permits 24 to 64 bytes.
const KEY_BYTES: usize = 32;

/// Bytes of a SHA-256 digest that tell the bodies of one delivery apart.
const DIGEST_BYTES: usize = 8;

/// Why a delivery can't be signed. A secret is kept as it was made, so this is never the receiver's doing.
#[derive(Debug, thiserror::Error)]
#[error("the delivery can't be signed")]
pub struct SignError;

/// A new secret, from the system's randomness: `whsec_` and base64.
pub fn fresh_secret() -> String {
    let mut key = [0; KEY_BYTES];
    rand::fill(&mut key);
    format!("whsec_{}", STANDARD.encode(key))
}

/// The id of a message: the same for every attempt and replay with this body, and another one for another body. The
/// creation time in it keeps the ids of two installations apart.
///
/// The digest covers the delivery too, so that equal bodies of two deliveries don't show that they are equal.
pub fn message_id(delivery: &Delivery, body: &[u8]) -> String {
    let name = format!("msg_{}_{}", delivery.id, delivery.created_at.timestamp_micros());
    let digest = Sha256::new().chain_update(&name).chain_update(body).finalize();
    let digest: String = digest.iter().take(DIGEST_BYTES).map(|byte| format!("{byte:02x}")).collect();
    format!("{name}_{digest}")
}

/// The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, with one signature for each secret.
///
/// # Errors
/// A secret is no secret, there is none, or the body isn't UTF-8.
pub fn headers(message_id: &str, at: Timestamp, body: &[u8], secrets: &[String]) -> Result<HeaderMap, SignError> {
    let seconds = at.timestamp();
    let sign = |secret: &String| Webhook::new(secret)?.sign(message_id, seconds, body);
    let signatures = secrets.iter().map(sign).collect::<Result<Vec<_>, _>>().map_err(|_| SignError)?;
    if signatures.is_empty() {
        return Err(SignError);
    }
    let value = |text: &str| HeaderValue::from_str(text).map_err(|_| SignError);
    Ok(HeaderMap::from_iter([
        (http::HeaderName::from_static(HEADER_WEBHOOK_ID), value(message_id)?),
        (http::HeaderName::from_static(HEADER_WEBHOOK_TIMESTAMP), seconds.into()),
        (http::HeaderName::from_static(HEADER_WEBHOOK_SIGNATURE), value(&signatures.join(" "))?),
    ]))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::Timestamp;
    use standardwebhooks::Webhook;

    use super::{fresh_secret, headers};
    use crate::clock::{Clock, SystemClock};

    #[test]
    fn signs_as_the_example_of_the_specification() {
        let at: Timestamp = "2022-04-07T21:39:13Z".parse().expect("a time");
        let body = br#"{"email":"test@example.com","username":"test_user"}"#;
        let secrets = ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD".to_owned()];
        let headers = headers("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", at, body, &secrets).expect("headers");
        assert_eq!(headers["webhook-id"], "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk");
        assert_eq!(headers["webhook-timestamp"], "1649367553");
        assert_eq!(headers["webhook-signature"], "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
    }

    #[test]
    fn every_secret_verifies_and_no_other() {
        let secrets = [fresh_secret(), fresh_secret()];
        let headers = headers("msg_1", SystemClock.now(), b"{}", &secrets).expect("headers");
        for secret in &secrets {
            Webhook::new(secret).expect("a secret").verify(b"{}", &headers).expect("a signature of this secret");
            Webhook::new(secret).expect("a secret").verify(b"{ }", &headers).expect_err("another body");
        }
        Webhook::new(&fresh_secret()).expect("a secret").verify(b"{}", &headers).expect_err("another secret");
    }

    #[test]
    fn what_can_not_be_signed_is_refused() {
        let at = SystemClock.now();
        for secrets in [vec![], vec!["whsec_!".to_owned()]] {
            let refused = headers("msg_1", at, b"{}", &secrets).expect_err("no signature");
            assert_eq!(refused.to_string(), "the delivery can't be signed");
        }
    }
}
