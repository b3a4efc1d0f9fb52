//! Secrets of API keys, speech tokens and sessions: long, random, shown once, and stored only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::storage::SecretHash;

/// 256 random bits can't be guessed, so a plain hash is sufficient.
const RANDOM_BYTES: usize = 32;

/// Number of characters after the kind prefix that identify a secret in lists: 36 of 256 bits.
const PREFIX_CHARACTERS: usize = 6;

/// Kind of a secret. Its prefix lets secret scanners recognize leaked secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    ApiKey,
    /// A speech token.
    SpeechToken,
    /// A staff session.
    Session,
    /// A CSRF token of the panel.
    Csrf,
}

impl SecretKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::ApiKey => "ls_key_",
            Self::SpeechToken => "ls_tok_",
            Self::Session => "ls_ses_",
            Self::Csrf => "ls_csrf_",
        }
    }
}

/// A secret in clear text. It implements neither `Debug` nor `Display`, to prevent accidental disclosure.
pub struct Secret {
    kind: SecretKind,
    text: String,
}

impl Secret {
    /// Creates a random secret.
    pub fn new(kind: SecretKind) -> Self {
        let mut bytes = [0; RANDOM_BYTES];
        rand::fill(&mut bytes);
        Self { kind, text: format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(bytes)) }
    }

    /// Returns the clear text. Show it only once.
    pub fn reveal(self) -> String {
        self.text
    }

    /// Returns the hash to store.
    pub fn hash(&self) -> SecretHash {
        hash(&self.text)
    }

    /// Returns the first characters, which may be shown again.
    pub fn prefix(&self) -> &str {
        &self.text[..self.kind.prefix().len() + PREFIX_CHARACTERS]
    }
}

/// Returns the stored hash of a presented secret.
pub fn hash(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Returns a generated account password: 128 bits in 22 characters.
pub fn random_password() -> String {
    let mut bytes = [0; 16];
    rand::fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Secret, SecretKind, hash};

    #[test]
    fn secret_is_stored_as_hash_and_shown_as_prefix() {
        let (first, second) = (Secret::new(SecretKind::ApiKey), Secret::new(SecretKind::ApiKey));
        assert_eq!(first.prefix().len(), 13);
        assert_ne!(first.hash(), second.hash());
        let stored_hash = first.hash();
        let text = first.reveal();
        assert!(text.starts_with("ls_key_") && text.len() == 50);
        assert_eq!(hash(&text), stored_hash);
    }
}
