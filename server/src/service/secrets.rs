//! Secrets: API keys, speech recognition tokens, sessions. Random, long, shown once, and kept only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::storage::SecretHash;

/// 256 bits: guessing is hopeless, so a plain hash is enough to keep.
const RANDOM_BYTES: usize = 32;

/// How many characters after the kind are shown to tell secrets apart: 36 of 256 bits.
const SHOWN: usize = 6;

/// What a secret is for; stands at its front, so that a scanner recognises one that leaked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An API key.
    ApiKey,
    /// A speech recognition token.
    SpeechToken,
    /// A session of staff.
    Session,
    /// The token that proves that the panel sent a request.
    Csrf,
}

impl Kind {
    const fn front(self) -> &'static str {
        match self {
            Self::ApiKey => "ls_key_",
            Self::SpeechToken => "ls_tok_",
            Self::Session => "ls_ses_",
            Self::Csrf => "ls_csrf_",
        }
    }
}

/// A secret in the clear. It has no `Debug` and no `Display`: it must be asked for.
pub struct Secret {
    kind: Kind,
    text: String,
}

impl Secret {
    /// A new one, from the system's randomness.
    pub fn new(kind: Kind) -> Self {
        let mut bytes = [0; RANDOM_BYTES];
        rand::fill(&mut bytes);
        Self { kind, text: format!("{}{}", kind.front(), URL_SAFE_NO_PAD.encode(bytes)) }
    }

    /// Its text; show it once.
    pub fn reveal(self) -> String {
        self.text
    }

    /// What is kept of it.
    pub fn hash(&self) -> SecretHash {
        hash(&self.text)
    }

    /// Its first characters, which may be shown again.
    pub fn prefix(&self) -> &str {
        &self.text[..self.kind.front().len() + SHOWN]
    }
}

/// What is kept of a secret that was presented.
pub fn hash(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

/// A password for an account that is made by the program: 128 bits in 22 characters.
pub fn random_password() -> String {
    let mut bytes = [0; 16];
    rand::fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Secret, hash};

    #[test]
    fn a_secret_is_known_by_its_hash_and_shows_little() {
        let (one, two) = (Secret::new(Kind::ApiKey), Secret::new(Kind::ApiKey));
        assert_eq!(one.prefix().len(), 13);
        assert_ne!(one.hash(), two.hash());
        let kept = one.hash();
        let text = one.reveal();
        assert!(text.starts_with("ls_key_") && text.len() == 50);
        assert_eq!(hash(&text), kept);
    }
}
