//! Known devices: browsers in which a user has logged in before.
//!
//! Log-in attempts from a known device are limited separately, so an attacker can't lock out the owner of an account. The
//! device proves itself with an HMAC over its id, keyed with the hash of the account's password. The server therefore stores
//! nothing about devices, only the server can create a proof, and a new password makes every device unknown.
//!
//! A browser keeps one cookie for all its users: `user.id.code` for each, latest log-in first.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use leadscribe_engine::api::UserId;
use sha2::Sha256;

/// Domain separation: the code can't be used for another purpose under the same key.
const PURPOSE: &[u8] = b"leadscribe device";

/// Separator between the users in a cookie. It occurs neither in base64 nor in numbers.
const BETWEEN: char = '~';

/// Number of bytes of a random, unique device id.
const ID_BYTES: usize = 16;

/// Number of characters of an id and of a code, in base64.
const ID_CHARACTERS: usize = 22;
const CODE_CHARACTERS: usize = 43;

/// Maximum number of users known in one browser, enough for a desk shared by several shifts. With 20 the cookie stays below
/// 2,000 bytes.
const MOST: usize = 20;

/// Returns the id of the device if the browser's cookie (`kept`) holds a valid proof for this account.
pub fn known<'a>(kept: Option<&'a str>, user: UserId, hash: &str) -> Option<&'a str> {
    let proof = proofs(kept).find(|proof| proof.user == user)?;
    let given = URL_SAFE_NO_PAD.decode(proof.code).ok()?;
    code(proof.id, user, hash).verify_slice(&given).is_ok().then_some(proof.id)
}

/// Returns the new cookie of a browser, including this account. `id` is its existing device id; `None` creates one.
pub fn remember(kept: Option<&str>, id: Option<&str>, user: UserId, hash: &str) -> String {
    let id = id.map_or_else(new_id, str::to_owned);
    let code = URL_SAFE_NO_PAD.encode(code(&id, user, hash).finalize().into_bytes());
    let others = proofs(kept).filter(|proof| proof.user != user).take(MOST - 1);
    others.fold(format!("{user}.{id}.{code}"), |all, Proof { user, id, code }| {
        format!("{all}{BETWEEN}{user}.{id}.{code}")
    })
}

/// Proof for one account in the cookie of a browser.
struct Proof<'a> {
    user: UserId,
    id: &'a str,
    code: &'a str,
}

fn proofs(kept: Option<&str>) -> impl Iterator<Item = Proof<'_>> {
    kept.unwrap_or_default().split(BETWEEN).filter_map(|proof| {
        let mut parts = proof.split('.');
        let (user, id, code) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let is_whole = id.len() == ID_CHARACTERS && code.len() == CODE_CHARACTERS && parts.next().is_none();
        is_whole.then_some(Proof { user: UserId(user), id, code })
    })
}

fn new_id() -> String {
    let mut bytes = [0; ID_BYTES];
    rand::fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

fn code(id: &str, user: UserId, hash: &str) -> Hmac<Sha256> {
    let mut code = Hmac::<Sha256>::new_from_slice(hash.as_bytes()).expect("a key of any length is taken");
    for part in [PURPOSE, &user.0.to_be_bytes(), id.as_bytes()] {
        code.update(part);
    }
    code
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::UserId;

    use super::{known, remember};

    const ONE: &str = "$argon2id$one";

    #[test]
    fn device_is_known_until_password_changes() {
        let (ann, bob) = (UserId(1), UserId(2));
        let kept = remember(None, None, ann, ONE);
        let id = known(Some(&kept), ann, ONE).expect("known").to_owned();
        assert_eq!(known(Some(&kept), bob, ONE), None);
        assert_eq!(known(Some(&kept), ann, "$argon2id$two"), None);
        assert_eq!(remember(Some(&kept), Some(&id), ann, ONE), kept, "it stays the same device");
        let other = remember(None, None, ann, ONE);
        let (_, code) = other.rsplit_once('.').expect("a code");
        let forgeries = [
            kept.replacen("1.", "2.", 1),
            format!("1.{id}.{code}"),
            format!("1.{id}."),
            format!("1.{id}"),
            kept.replace('.', "~"),
            "~.~..".to_owned(),
        ];
        for forged in forgeries {
            assert_eq!(known(Some(&forged), ann, ONE), None, "{forged}");
            assert_eq!(known(Some(&forged), bob, ONE), None, "{forged}");
        }
        assert_eq!(known(None, ann, ONE), None);
    }

    #[test]
    fn browser_remembers_most_recent_accounts() {
        let kept = (0..30).fold(String::new(), |kept, user| remember(Some(&kept), None, UserId(user), ONE));
        let who: Vec<_> = (0..30).filter(|user| known(Some(&kept), UserId(*user), ONE).is_some()).collect();
        assert_eq!(who, (10..30).collect::<Vec<_>>());
        assert!(kept.len() < 2_000, "{}", kept.len());
        assert_eq!(remember(Some(&kept), None, UserId(15), ONE).matches("~15.").count(), 0, "each stands there once");
    }
}
