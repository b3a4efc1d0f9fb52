//! Devices that are known: browsers in which somebody has logged in before.
//!
//! A known device has log-in attempts of its own, so that nobody who knows an e-mail can keep its owner out. It proves itself
//! by a code over its id, under the hash of the account's password. So nothing is kept of it here, nobody else can make such
//! a proof, and a new password makes every device unknown.
//!
//! What a browser keeps is one cookie for all who log in there, `user.id.code` for each, who came last first.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use leadscribe_engine::api::UserId;
use sha2::Sha256;

/// What the code is about, so that it can't be taken for another under the same key.
const PURPOSE: &[u8] = b"leadscribe device";

/// Between those who log in with one browser. Neither base64 nor a number has it.
const BETWEEN: char = '~';

/// Bytes of an id: no two devices have the same.
const ID_BYTES: usize = 16;

/// Characters of an id and of a code, in base64.
const ID_CHARACTERS: usize = 22;
const CODE_CHARACTERS: usize = 43;

/// So many people are known in one browser, which a desk of several shifts has. With 20 the cookie stays below 2,000 bytes.
const MOST: usize = 20;

/// The id of the device in which this account is known by what a browser keeps.
pub fn known<'a>(kept: Option<&'a str>, user: UserId, hash: &str) -> Option<&'a str> {
    let proof = proofs(kept).find(|proof| proof.user == user)?;
    let given = URL_SAFE_NO_PAD.decode(proof.code).ok()?;
    code(proof.id, user, hash).verify_slice(&given).is_ok().then_some(proof.id)
}

/// What a browser is to keep, from now on with this account: by the id by which it is known already, or by a new one.
pub fn remember(kept: Option<&str>, id: Option<&str>, user: UserId, hash: &str) -> String {
    let id = id.map_or_else(new_id, str::to_owned);
    let code = URL_SAFE_NO_PAD.encode(code(&id, user, hash).finalize().into_bytes());
    let others = proofs(kept).filter(|proof| proof.user != user).take(MOST - 1);
    others.fold(format!("{user}.{id}.{code}"), |all, Proof { user, id, code }| {
        format!("{all}{BETWEEN}{user}.{id}.{code}")
    })
}

/// What a browser shows for one account.
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
    fn a_device_is_known_to_its_account_until_the_password_changes() {
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
    fn a_browser_of_many_knows_those_who_came_last() {
        let kept = (0..30).fold(String::new(), |kept, user| remember(Some(&kept), None, UserId(user), ONE));
        let who: Vec<_> = (0..30).filter(|user| known(Some(&kept), UserId(*user), ONE).is_some()).collect();
        assert_eq!(who, (10..30).collect::<Vec<_>>());
        assert!(kept.len() < 2_000, "{}", kept.len());
        assert_eq!(remember(Some(&kept), None, UserId(15), ONE).matches("~15.").count(), 0, "each stands there once");
    }
}
