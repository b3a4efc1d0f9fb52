//! A certificate and its private key in two PEM files. Only [`Files::read`] accesses the file system.

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

/// Paths of the two files.
#[derive(Clone, Debug)]
pub struct Files {
    /// The certificate, followed by any intermediate certificates.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Reason why the files can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// A file can't be read.
    #[error("can't read {file}: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's error message.
        cause: String,
    },
    /// A file contains damaged PEM.
    #[error("expected PEM in {0}, found a part of it that is damaged")]
    Damaged(String),
    /// No certificate in a file.
    #[error("expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in {0}, found none")]
    NoCertificate(String),
    /// No private key in a file.
    #[error("expected a private key in PEM (-----BEGIN PRIVATE KEY-----) in {0}, found none")]
    NoKey(String),
    /// The private key is encrypted.
    #[error(
        "expected a private key without a passphrase in {0}, found an encrypted one; `openssl pkey -in FILE -out NEW` decrypts it"
    )]
    Encrypted(String),
    /// The PEM section is not an X.509 certificate.
    #[error("expected an X.509 certificate in {0}, found something else")]
    NotX509(String),
    /// TLS doesn't support this kind of key, or its size is no longer safe.
    #[error("expected an RSA (2048 bits or more), ECDSA or Ed25519 key in {0}, found another kind of key")]
    UnusableKey(String),
    /// The key doesn't belong to the certificate.
    #[error("expected the key of the certificate in {certificate}, found that of another one in {key}")]
    Mismatch {
        /// The file with the certificate.
        certificate: String,
        /// The file with the key.
        key: String,
    },
}

/// Contents of the two files.
#[derive(Clone, PartialEq, Eq)]
pub struct Texts {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// A certificate with its private key.
pub struct Pair {
    /// The pair for rustls.
    pub certified: CertifiedKey,
    /// Start of validity.
    pub begins: Timestamp,
    /// End of validity.
    pub ends: Timestamp,
}

impl Files {
    /// Reads both files.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn read(&self) -> Result<Texts, PairError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| PairError::Unreadable { file: name(path), cause: error.to_string() })
        };
        Ok(Texts { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    /// Parses the contents of both files.
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

/// Returns start and end of the validity of the certificate.
///
/// # Errors
/// See [`PairError`].
pub fn validity(files: &Files) -> Result<(Timestamp, Timestamp), PairError> {
    let pair = files.pair(&files.read()?, &aws_lc_rs::default_provider())?;
    Ok((pair.begins, pair.ends))
}

fn private_key(text: &[u8], file: &str) -> Result<PrivateKeyDer<'static>, PairError> {
    PrivateKeyDer::from_pem_slice(text).map_err(|error| {
        // Markers of encrypted keys in PKCS #8 and in OpenSSL's older format.
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
