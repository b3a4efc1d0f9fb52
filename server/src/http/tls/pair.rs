//! A certificate and its key, as two PEM files hold them. Pure: no files, no clock.

use std::path::{Path, PathBuf};

use chrono::DateTime;
use leadscribe_engine::api::Timestamp;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};
use x509_cert::Certificate;
use x509_cert::der::Decode;
use x509_cert::time::Time;

/// Where the two are.
#[derive(Clone, Debug)]
pub struct Files {
    /// The certificate and those between it and one that clients trust, in this order.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why two files can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// A file can't be read.
    #[error("can't read {file}: {cause}")]
    Unreadable {
        /// Which.
        file: String,
        /// Why, in the words of the system.
        cause: String,
    },
    /// A file is PEM, but damaged.
    #[error("expected PEM in {0}, found a part of it that is damaged")]
    Damaged(String),
    /// No certificate in a file.
    #[error("expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in {0}, found none")]
    NoCertificate(String),
    /// No private key in a file.
    #[error("expected a private key in PEM (-----BEGIN PRIVATE KEY-----) in {0}, found none")]
    NoKey(String),
    /// The private key can't be read without a passphrase.
    #[error(
        "expected a private key without a passphrase in {0}, found an encrypted one; `openssl pkey -in FILE -out NEW` decrypts it"
    )]
    Encrypted(String),
    /// What is called a certificate is none.
    #[error("expected an X.509 certificate in {0}, found something else")]
    NotX509(String),
    /// The key is of a kind that TLS doesn't use, or of a size that is no longer safe.
    #[error("expected an RSA (2048 bits or more), ECDSA or Ed25519 key in {0}, found another kind of key")]
    UnusableKey(String),
    /// The key isn't that of the certificate.
    #[error("expected the key of the certificate in {certificate}, found that of another one in {key}")]
    Mismatch {
        /// The file of the certificate.
        certificate: String,
        /// The file of the key.
        key: String,
    },
}

/// What the two files held.
#[derive(Clone, PartialEq, Eq)]
pub struct Texts {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// A certificate that can be shown, with the key that proves it.
pub struct Pair {
    /// For rustls.
    pub certified: CertifiedKey,
    /// Not valid before.
    pub begins: Timestamp,
    /// Not valid after.
    pub ends: Timestamp,
}

impl Files {
    /// Reads both.
    ///
    /// # Errors
    /// One can't be read.
    pub fn read(&self) -> Result<Texts, PairError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| PairError::Unreadable { file: name(path), cause: error.to_string() })
        };
        Ok(Texts { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    /// Makes a pair of what they held.
    ///
    /// # Errors
    /// See [`PairError`].
    pub fn pair(&self, texts: &Texts, provider: &CryptoProvider) -> Result<Pair, PairError> {
        let (certificate, key) = (name(&self.certificate), name(&self.key));
        let chain = CertificateDer::pem_slice_iter(&texts.certificate).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(|_| PairError::Damaged(certificate.clone()))?;
        let first = chain.first().ok_or_else(|| PairError::NoCertificate(certificate.clone()))?;
        let parsed = Certificate::from_der(first).map_err(|_| PairError::NotX509(certificate.clone()))?;
        let validity = parsed.tbs_certificate.validity;
        let private = private_key(&texts.key, &key)?;
        let certified = CertifiedKey::from_der(chain, private, provider).map_err(|error| match error {
            Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                PairError::Mismatch { certificate: certificate.clone(), key: key.clone() }
            }
            Error::InvalidCertificate(_) => PairError::NotX509(certificate.clone()),
            _ => PairError::UnusableKey(key.clone()),
        })?;
        Ok(Pair { certified, begins: timestamp(validity.not_before), ends: timestamp(validity.not_after) })
    }
}

/// When the certificate in two files that can be used is valid: from, and until.
///
/// # Errors
/// See [`PairError`].
pub fn validity(files: &Files) -> Result<(Timestamp, Timestamp), PairError> {
    let pair = files.pair(&files.read()?, &aws_lc_rs::default_provider())?;
    Ok((pair.begins, pair.ends))
}

fn private_key(text: &[u8], file: &str) -> Result<PrivateKeyDer<'static>, PairError> {
    PrivateKeyDer::from_pem_slice(text).map_err(|error| {
        // The marks of PKCS #8 and of what OpenSSL wrote before it.
        let is_encrypted = [&b"-----BEGIN ENCRYPTED PRIVATE KEY-----"[..], b"Proc-Type: 4,ENCRYPTED"]
            .iter()
            .any(|mark| text.windows(mark.len()).any(|part| part == *mark));
        match error {
            _ if is_encrypted => PairError::Encrypted(file.to_owned()),
            PemError::NoItemsFound => PairError::NoKey(file.to_owned()),
            _ => PairError::Damaged(file.to_owned()),
        }
    })
}

fn timestamp(time: Time) -> Timestamp {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    DateTime::from_timestamp(seconds, 0).unwrap_or(DateTime::<chrono::Utc>::MAX_UTC)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
