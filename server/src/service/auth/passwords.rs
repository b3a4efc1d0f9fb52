//! Passwords: Argon2id hashes, and rules for new passwords.
//!
//! Hashing and strength checks take a whole core, so their concurrency is limited. New passwords have a separate limit, so
//! that password changes never delay logins.

use std::time::Duration;

use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use argon2::{Algorithm, Argon2, Params, Version};
use leadscribe_engine::diagnostic::{Diagnostic, Location, account};
use tokio::time::timeout;
use zxcvbn::Score;

use crate::blocking_pool::BlockingPool;

// Argon2id parameters: the minimum of OWASP's Password Storage Cheat Sheet.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Permitted length of a password in characters.
pub const PERMITTED_LENGTH: std::ops::RangeInclusive<usize> = 12..=256;

/// Number of characters used to estimate the strength. The running time of zxcvbn grows faster than the square of the
/// length: the worst 64 characters found take 0.3 s, the worst 100 take 0.9 s.
const MAX_CHECKED_CHARACTERS: usize = 64;

/// Minimum strength: at least 10⁸ guesses. Rejects the passwords of public lists, even with a year or a special character added.
const MIN_SCORE: Score = Score::Three;

/// Maximum time for the strength check or the hash of a new password, including the wait for a permit.
const NEW_PASSWORD_TIMEOUT: Duration = Duration::from_secs(5);

/// Words that attackers try first on this server: its own name and German words. The lists of zxcvbn cover English.
const COMMON_WORDS: [&str; 10] =
    ["leadscribe", "lead", "scribe", "passwort", "kennwort", "willkommen", "geheim", "hallo", "schatz", "callcenter"];

/// A hash that matches no password, with the parameters above. Makes a login with an unknown email address take as long as
/// others.
const DUMMY_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Error while hashing, comparing or checking a password.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The stored hash is malformed, or its parameters are out of range.
    #[error("password hashing failed: {0}")]
    Hashing(argon2::password_hash::Error),
    /// The hashing thread panicked.
    #[error("password hashing ended without a result")]
    Task(#[from] tokio::task::JoinError),
    /// Too many new passwords are being checked.
    #[error("too many new passwords are being checked; retry later")]
    Busy,
}

/// Hashes, compares and checks passwords with limited concurrency: each hash takes 19 MiB and a whole core.
#[derive(Debug)]
pub struct Passwords {
    /// Compares passwords.
    comparisons: BlockingPool,
    /// Checks and hashes new passwords, one at a time.
    new_passwords: BlockingPool,
}

impl Passwords {
    /// Creates a pool for `max_concurrent` concurrent comparisons, at least one.
    pub fn new(max_concurrent: usize) -> Self {
        Self { comparisons: BlockingPool::new(max_concurrent), new_passwords: BlockingPool::new(1) }
    }

    /// Returns the Argon2id hash of a new password in PHC format.
    ///
    /// # Errors
    /// [`PasswordError::Busy`] after 5 s; or the hashing thread panicked.
    pub async fn hash(&self, password: String) -> Result<String, PasswordError> {
        let hash = move || {
            let hash: PasswordHash = argon2().hash_password(password.as_bytes()).map_err(PasswordError::Hashing)?;
            Ok(hash.to_string())
        };
        self.with_deadline(hash).await?
    }

    /// Returns whether a password matches a hash. Without a hash, takes as long and returns false.
    ///
    /// # Errors
    /// The hash is malformed, or the hashing thread panicked.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, PasswordError> {
        let verify = move || {
            let text = hash.as_deref().unwrap_or(DUMMY_HASH);
            let parsed = PasswordHash::new(text).map_err(|error| PasswordError::Hashing(error.into()))?;
            match argon2().verify_password(password.as_bytes(), &parsed) {
                Ok(()) => Ok(hash.is_some()),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(PasswordError::Hashing(error)),
            }
        };
        self.comparisons.run(verify).await?
    }

    /// Checks a new password of the account with this email address and returns its error at `location`, if any. Checks length
    /// and strength. There are no rules about kinds of characters, because they make passwords weaker (NIST SP 800-63B,
    /// 3.1.1.2).
    ///
    /// # Errors
    /// [`PasswordError::Busy`] after 5 s; or the checking thread panicked.
    pub async fn check_new(
        &self,
        password: &str,
        email: &str,
        location: Location,
    ) -> Result<Option<Diagnostic>, PasswordError> {
        let characters = password.chars().count();
        if !PERMITTED_LENGTH.contains(&characters) {
            let (min, max) = PERMITTED_LENGTH.into_inner();
            let message = match characters {
                0 => account::password_required(),
                _ => account::password_length(min, max, characters),
            };
            return Ok(Some(Diagnostic::new(location, "invalid_password", message)));
        }
        let (password, email) = (password.to_owned(), email.to_owned());
        let is_strong = self.with_deadline(move || is_strong(&password, &email)).await?;
        let diagnostic = || Diagnostic::new(location, "common_password", account::weak_password());
        Ok((!is_strong).then(|| diagnostic().suggest(account::stronger_password())))
    }

    async fn with_deadline<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PasswordError> {
        let result = timeout(NEW_PASSWORD_TIMEOUT, self.new_passwords.run(work)).await;
        Ok(result.map_err(|_| PasswordError::Busy)??)
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("a test hashes with these parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Estimates the strength of the password, and of its letters and digits without common words and parts of the email
/// address. Both must be strong. Uses lower case, which is never stronger.
fn is_strong(password: &str, email: &str) -> bool {
    let (lowercase, email) = (password.to_lowercase(), email.to_lowercase());
    let email_parts = email.split(|c: char| !c.is_alphanumeric()).chain([email.as_str()]);
    let mut common_parts: Vec<_> = COMMON_WORDS.into_iter().chain(email_parts).filter(|word| word.len() > 2).collect();
    common_parts.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let is_strong = |text: &str| {
        let beginning: String = text.chars().take(MAX_CHECKED_CHARACTERS).collect();
        zxcvbn::zxcvbn(&beginning, &common_parts).score() >= MIN_SCORE
    };
    let mut remaining = common_parts.iter().fold(lowercase.clone(), |remaining, word| remaining.replace(word, ""));
    if remaining == lowercase {
        return is_strong(&lowercase);
    }
    remaining.retain(char::is_alphanumeric);
    is_strong(&remaining) && is_strong(&lowercase)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use leadscribe_engine::diagnostic::Location;
    use tokio::time::timeout;

    use super::{PasswordError, Passwords};
    use crate::worker::testing::{drop_after_polls, run_with_one_blocking_thread};

    #[tokio::test]
    async fn verifies_passwords_by_their_hash() {
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
    async fn rejects_weak_passwords() {
        let passwords = Passwords::new(1);
        let diagnostic_code = async |password: &str| {
            let diagnostic =
                passwords.check_new(password, "zoe.quist@example.com", Location::default()).await.expect("checked");
            diagnostic.map(|diagnostic| diagnostic.code)
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
            assert_eq!(diagnostic_code(common).await.as_deref(), Some("common_password"), "{common}");
        }
        for strong in [
            "correct horse battery",
            "mein hund heisst rex",
            "xK9#mQ2$vL7p",
            "long enough it is",
            "zoe has correct horse battery",
        ] {
            assert_eq!(diagnostic_code(strong).await, None, "{strong}");
        }
        assert_eq!(diagnostic_code("xK9#mQ2$vL7").await.as_deref(), Some("invalid_password"));
    }

    #[test]
    fn abandoned_hashes_never_exceed_the_limit() {
        run_with_one_blocking_thread(async {
            let (passwords, password) = (Passwords::new(2), "correct horse battery");
            let _first = drop_after_polls(1, passwords.verify(password.to_owned(), None)).await.unwrap_err();
            assert_eq!(passwords.comparisons.available_permits(), 1, "the abandoned comparison still holds a permit");
            let _second = drop_after_polls(1, passwords.verify(password.to_owned(), None)).await.unwrap_err();
            assert_eq!(passwords.comparisons.available_permits(), 0);
            let _third = drop_after_polls(1, passwords.check_new(password, "", Location::default())).await.unwrap_err();
            assert_eq!(passwords.new_passwords.available_permits(), 0);
        });
    }

    #[tokio::test(start_paused = true)]
    async fn new_passwords_never_delay_logins() {
        let passwords = Passwords::new(1);
        let _permit = passwords.new_passwords.acquire().await;
        let verified =
            timeout(Duration::from_secs(60), passwords.verify("correct horse battery".to_owned(), None)).await;
        assert!(!verified.expect("not delayed").expect("compared"));
        let result = passwords.check_new("correct horse battery", "", Location::default()).await;
        assert!(matches!(result, Err(PasswordError::Busy)), "{result:?}");
        let result = passwords.hash("correct horse battery".to_owned()).await;
        assert!(matches!(result, Err(PasswordError::Busy)), "{result:?}");
    }

    #[tokio::test]
    async fn checks_the_strength_of_the_first_64_characters() {
        let passwords = Passwords::new(1);
        let weak = "a".repeat(64) + "xK9#mQ2$vL7p correct horse";
        let diagnostic = passwords.check_new(&weak, "", Location::default()).await.expect("checked");
        assert_eq!(diagnostic.expect("an error").code, "common_password");
    }
}
