//! Passwords: Argon2id, with a bound on how many are hashed at once; and which ones are taken.

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use leadscribe_engine::fault::{Fault, Place};
use tokio::sync::Semaphore;
use zxcvbn::Score;

/// OWASP's Password Storage Cheat Sheet, the floor for Argon2id: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Length of a password in characters. The most is for the sake of whoever hashes it.
pub const CHARACTERS: std::ops::RangeInclusive<usize> = 12..=256;

/// Those that are guessed within less than 10⁸ tries are refused: what is on the lists of known passwords, and what people make
/// of it with a year or a sign.
const LEAST_SCORE: Score = Score::Three;

/// Words that whoever guesses at this server's staff tries first: its own, and German ones, as the lists of known passwords have
/// English ones.
const TRIED_FIRST: [&str; 10] =
    ["leadscribe", "lead", "scribe", "passwort", "kennwort", "willkommen", "geheim", "hallo", "schatz", "callcenter"];

/// The hash of nobody's password, with the parameters above: an unknown e-mail takes as long as a known one.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A password could not be hashed or compared.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The kept hash is none, or the parameters are out of range.
    #[error("password hashing failed: {0}")]
    Hashing(argon2::password_hash::Error),
    /// The thread that hashed broke off.
    #[error("password hashing broke off")]
    Task(#[from] tokio::task::JoinError),
}

/// Hashes and compares passwords, few at a time: each takes 19 MiB and a whole core.
#[derive(Debug)]
pub struct Passwords {
    permits: Semaphore,
}

impl Passwords {
    /// At most `at_once` at a time, and at least one.
    pub fn new(at_once: usize) -> Self {
        Self { permits: Semaphore::new(at_once.max(1)) }
    }

    /// The Argon2id hash of a password, in PHC form.
    ///
    /// # Errors
    /// When the hashing thread breaks off.
    pub async fn hash(&self, password: String) -> Result<String, PasswordError> {
        self.work(move || {
            let hash: PasswordHash = argon2().hash_password(password.as_bytes()).map_err(PasswordError::Hashing)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// Whether a password has this hash. Without a hash it takes as long, and is false.
    ///
    /// # Errors
    /// When the hash is none in PHC form, or the hashing thread breaks off.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, PasswordError> {
        self.work(move || {
            let known = hash.is_some();
            let text = hash.as_deref().unwrap_or(NOBODY);
            let hash = PasswordHash::new(text).map_err(|error| PasswordError::Hashing(error.into()))?;
            match argon2().verify_password(password.as_bytes(), &hash) {
                Ok(()) => Ok(known),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(PasswordError::Hashing(error)),
            }
        })
        .await
    }

    /// What is wrong with a new password at `place`, if anything, for the account of this e-mail. Its length is judged, and
    /// whether it is among those that are guessed first; rules on characters make passwords worse (NIST SP 800-63B, 3.1.1.2).
    ///
    /// # Errors
    /// When the thread that judges breaks off.
    pub async fn check_new(&self, password: &str, email: &str, place: Place) -> Result<Option<Fault>, PasswordError> {
        let characters = password.chars().count();
        if !CHARACTERS.contains(&characters) {
            let (least, most) = CHARACTERS.into_inner();
            let detail = format!("expected a password of {least} to {most} characters, found {characters}");
            return Ok(Some(Fault::new(place, "invalid_password", detail)));
        }
        let (password, email) = (password.to_owned(), email.to_owned());
        // Most are judged in a quarter of a millisecond; one that is made for it takes a second.
        let is_hard = self.work(move || Ok(is_hard_to_guess(&password, &email))).await?;
        let detail = "expected a password that is hard to guess, found one that is among the first to be tried";
        let hint = "take some words that have nothing to do with each other nor with the e-mail, or let a password manager make one";
        Ok((!is_hard).then(|| Fault::new(place, "common_password", detail).hint(hint)))
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let _permit = self.permits.acquire().await.expect("the semaphore is never closed");
        tokio::task::spawn_blocking(work).await?
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("a test hashes with these parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Words that are tried first count nothing in a longer password either: the letters and digits that are left without them must
/// be hard to guess.
fn is_hard_to_guess(password: &str, email: &str) -> bool {
    let (lower, email) = (password.to_lowercase(), email.to_lowercase());
    let of_the_account = email.split(|c: char| !c.is_alphanumeric()).chain([email.as_str()]);
    let mut known: Vec<_> = TRIED_FIRST.into_iter().chain(of_the_account).filter(|word| word.len() > 2).collect();
    known.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut rest = known.iter().fold(lower.clone(), |rest, word| rest.replace(word, ""));
    if rest != lower {
        rest.retain(char::is_alphanumeric);
    }
    [password, &rest].into_iter().all(|password| zxcvbn::zxcvbn(password, &known).score() >= LEAST_SCORE)
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::fault::Place;

    use super::Passwords;

    #[tokio::test]
    async fn a_password_is_known_by_its_hash_and_nobody_has_none() {
        let passwords = Passwords::new(1);
        let hash = passwords.hash("correct horse battery".to_owned()).await.expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let verify =
            |password: &str, hash: Option<&str>| passwords.verify(password.to_owned(), hash.map(str::to_owned));
        assert!(verify("correct horse battery", Some(&hash)).await.expect("compared"));
        assert!(!verify("correct horse batterz", Some(&hash)).await.expect("compared"));
        assert!(!verify("correct horse battery", None).await.expect("compared"));
    }

    #[tokio::test]
    async fn what_is_guessed_first_is_refused() {
        let passwords = Passwords::new(1);
        let judged = async |password: &str| {
            let fault = passwords.check_new(password, "zoe.quist@example.com", Place::default()).await.expect("judged");
            fault.map(|fault| fault.code)
        };
        for common in [
            "password1234",
            "Password2026!",
            "qwertyuiop12",
            "q1w2e3r4t5y6",
            "aaaaaaaaaaaa",
            "123456789012",
            "administrator",
            "iloveyou1234",
            "manchesterunited",
            "passwortpasswort",
            "Passwort1234!",
            "Willkommen2026",
            "Hallo!Callcenter1",
            "Leadscribe2026",
            "zoe.quist@example.com",
            "quistquist2026",
            "Quist-leadscribe-Zoe-2026!",
            "zoe.quist@example.com zoe.quist@example.com 1",
        ] {
            assert_eq!(judged(common).await.as_deref(), Some("common_password"), "{common}");
        }
        for good in [
            "correct horse battery",
            "mein hund heisst rex",
            "xK9#mQ2$vL7p",
            "long enough it is",
            "zoe has correct horse battery",
        ] {
            assert_eq!(judged(good).await, None, "{good}");
        }
        assert_eq!(judged("xK9#mQ2$vL7").await.as_deref(), Some("invalid_password"));
    }
}
