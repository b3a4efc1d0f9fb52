//! A certificate and its private key in two PEM files. Only [`CertificateFiles::read`] accesses the file system.

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
pub struct CertificateFiles {
    /// The certificate, followed by any intermediate certificates.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Reason why the files can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// A file can't be read.
    #[error("can't read {file}: {cause}")]
    Unreadable {
        file: String,
        /// The system's error message.
        cause: String,
    },
    /// A file contains damaged PEM.
    #[error("{0} is damaged: it isn't valid PEM")]
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
    #[error("the key in {key} doesn't belong to the certificate in {certificate}")]
    Mismatch {
        /// The file with the certificate.
        certificate: String,
        /// The file with the key.
        key: String,
    },
}

/// Contents of the two files.
#[derive(Clone, PartialEq, Eq)]
pub struct FileContents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// A certificate with its private key.
pub struct CertificatePair {
    /// The pair for rustls.
    pub certified_key: CertifiedKey,
    /// Start of validity.
    pub not_before: Timestamp,
    /// End of validity.
    pub not_after: Timestamp,
}

impl CertificateFiles {
    /// Reads both files.
    ///
    /// # Errors
    /// A file can't be read.
    pub fn read(&self) -> Result<FileContents, CertificateError> {
        let read_file = |path: &Path| {
            std::fs::read(path)
                .map_err(|error| CertificateError::Unreadable { file: display_path(path), cause: error.to_string() })
        };
        Ok(FileContents { certificate: read_file(&self.certificate)?, key: read_file(&self.key)? })
    }

    /// Parses the contents of both files.
    ///
    /// # Errors
    /// See [`CertificateError`].
    pub fn parse(
        &self,
        contents: &FileContents,
        provider: &CryptoProvider,
    ) -> Result<CertificatePair, CertificateError> {
        let (certificate, key) = (display_path(&self.certificate), display_path(&self.key));
        let chain = CertificateDer::pem_slice_iter(&contents.certificate).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(|_| CertificateError::Damaged(certificate.clone()))?;
        let first = chain.first().ok_or_else(|| CertificateError::NoCertificate(certificate.clone()))?;
        let x509 = Certificate::from_der(first).map_err(|_| CertificateError::NotX509(certificate.clone()))?;
        let validity = x509.tbs_certificate.validity;
        let private_key_der = private_key(&contents.key, &key)?;
        let certified_key = CertifiedKey::from_der(chain, private_key_der, provider).map_err(|error| match error {
            Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                CertificateError::Mismatch { certificate: certificate.clone(), key: key.clone() }
            }
            Error::InvalidCertificate(_) => CertificateError::NotX509(certificate.clone()),
            _ => CertificateError::UnusableKey(key.clone()),
        })?;
        Ok(CertificatePair {
            certified_key,
            not_before: to_timestamp(validity.not_before),
            not_after: to_timestamp(validity.not_after),
        })
    }
}

/// Reads the files and returns the start and end of the certificate's validity.
///
/// # Errors
/// See [`CertificateError`].
pub fn validity(files: &CertificateFiles) -> Result<(Timestamp, Timestamp), CertificateError> {
    let pair = files.parse(&files.read()?, &aws_lc_rs::default_provider())?;
    Ok((pair.not_before, pair.not_after))
}

fn private_key(text: &[u8], file: &str) -> Result<PrivateKeyDer<'static>, CertificateError> {
    PrivateKeyDer::from_pem_slice(text).map_err(|error| {
        // Markers of encrypted keys in PKCS #8 and in OpenSSL's older format.
        let is_encrypted = [&b"-----BEGIN ENCRYPTED PRIVATE KEY-----"[..], b"Proc-Type: 4,ENCRYPTED"]
            .iter()
            .any(|marker| text.windows(marker.len()).any(|part| part == *marker));
        match error {
            _ if is_encrypted => CertificateError::Encrypted(file.to_owned()),
            PemError::NoItemsFound => CertificateError::NoKey(file.to_owned()),
            _ => CertificateError::Damaged(file.to_owned()),
        }
    })
}

fn to_timestamp(time: Time) -> Timestamp {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    DateTime::from_timestamp(seconds, 0).unwrap_or(DateTime::<chrono::Utc>::MAX_UTC)
}

fn display_path(path: &Path) -> String {
    path.display().to_string()
}
