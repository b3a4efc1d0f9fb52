//! Known devices: browsers in which a user has logged in before.
//!
//! Login attempts from a known device are limited separately, so an attacker can't lock out the owner of an account. The
//! device proves itself with an HMAC over its id, keyed with the hash of the account's password. The server therefore stores
//! nothing about devices, only the server can create a proof, and a new password makes every device unknown.
//!
//! A browser keeps one cookie for all its users: `user.id.code` for each, latest login first.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use leadscribe_engine::api::UserId;
use sha2::Sha256;

/// Domain separation: the code can't be used for another purpose under the same key.
const DOMAIN: &[u8] = b"leadscribe device";

/// Separator between the users in a cookie. It occurs neither in base64 nor in numbers.
const SEPARATOR: char = '~';

/// Number of bytes of a random, unique device id.
const ID_BYTES: usize = 16;

/// Number of characters of an id in base64.
const ID_CHARACTERS: usize = 22;
/// Number of characters of a code in base64.
const CODE_CHARACTERS: usize = 43;

/// Maximum number of users known in one browser, enough for a desk shared by several shifts. With 20 the cookie stays below
/// 2,000 bytes.
const MAX_USERS: usize = 20;

/// Returns the id of the device if the browser's cookie (`cookie`) holds a valid proof for this account.
pub fn verified_device_id<'a>(cookie: Option<&'a str>, user: UserId, password_hash: &str) -> Option<&'a str> {
    let proof = parse_proofs(cookie).find(|proof| proof.user == user)?;
    let presented_code = URL_SAFE_NO_PAD.decode(proof.code).ok()?;
    mac(proof.id, user, password_hash).verify_slice(&presented_code).is_ok().then_some(proof.id)
}

/// Returns the new cookie of a browser, including this account. `id` is its existing device id; `None` creates one.
pub fn updated_cookie(cookie: Option<&str>, id: Option<&str>, user: UserId, password_hash: &str) -> String {
    let id = id.map_or_else(new_id, str::to_owned);
    let code = URL_SAFE_NO_PAD.encode(mac(&id, user, password_hash).finalize().into_bytes());
    let other_proofs = parse_proofs(cookie).filter(|proof| proof.user != user).take(MAX_USERS - 1);
    other_proofs.fold(format!("{user}.{id}.{code}"), |cookie_value, DeviceProof { user, id, code }| {
        format!("{cookie_value}{SEPARATOR}{user}.{id}.{code}")
    })
}

/// Proof for one account in the cookie of a browser.
struct DeviceProof<'a> {
    user: UserId,
    id: &'a str,
    code: &'a str,
}

fn parse_proofs(cookie: Option<&str>) -> impl Iterator<Item = DeviceProof<'_>> {
    cookie.unwrap_or_default().split(SEPARATOR).filter_map(|proof| {
        let mut parts = proof.split('.');
        let (user, id, code) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let is_complete = id.len() == ID_CHARACTERS && code.len() == CODE_CHARACTERS && parts.next().is_none();
        is_complete.then_some(DeviceProof { user: UserId(user), id, code })
    })
}

fn new_id() -> String {
    let mut bytes = [0; ID_BYTES];
    rand::fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

fn mac(id: &str, user: UserId, password_hash: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(password_hash.as_bytes()).expect("HMAC accepts keys of any length");
    for part in [DOMAIN, &user.0.to_be_bytes(), id.as_bytes()] {
        mac.update(part);
    }
    mac
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::UserId;

    use super::{updated_cookie, verified_device_id};

    const HASH: &str = "$argon2id$one";

    #[test]
    fn device_is_known_until_password_changes() {
        let (ann, bob) = (UserId(1), UserId(2));
        let cookie = updated_cookie(None, None, ann, HASH);
        let id = verified_device_id(Some(&cookie), ann, HASH).expect("a known device").to_owned();
        assert_eq!(verified_device_id(Some(&cookie), bob, HASH), None);
        assert_eq!(verified_device_id(Some(&cookie), ann, "$argon2id$two"), None);
        assert_eq!(updated_cookie(Some(&cookie), Some(&id), ann, HASH), cookie, "the device cookie is unchanged");
        let other_cookie = updated_cookie(None, None, ann, HASH);
        let (_, code) = other_cookie.rsplit_once('.').expect("a code");
        let forgeries = [
            cookie.replacen("1.", "2.", 1),
            format!("1.{id}.{code}"),
            format!("1.{id}."),
            format!("1.{id}"),
            cookie.replace('.', "~"),
            "~.~..".to_owned(),
        ];
        for forged in forgeries {
            assert_eq!(verified_device_id(Some(&forged), ann, HASH), None, "{forged}");
            assert_eq!(verified_device_id(Some(&forged), bob, HASH), None, "{forged}");
        }
        assert_eq!(verified_device_id(None, ann, HASH), None);
    }

    #[test]
    fn browser_remembers_most_recent_accounts() {
        let cookie =
            (0..30).fold(String::new(), |cookie, user| updated_cookie(Some(&cookie), None, UserId(user), HASH));
        let known_users: Vec<_> =
            (0..30).filter(|user| verified_device_id(Some(&cookie), UserId(*user), HASH).is_some()).collect();
        assert_eq!(known_users, (10..30).collect::<Vec<_>>());
        assert!(cookie.len() < 2_000, "{}", cookie.len());
        assert_eq!(
            updated_cookie(Some(&cookie), None, UserId(15), HASH).matches("~15.").count(),
            0,
            "user 15 is first in the cookie, and its previous entry is removed"
        );
    }
}
