//! Certificate authority of the tests, and the files that a server reads.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

/// Certificate authority that the test clients trust.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// Certificate for this machine, and its key, in PEM.
pub struct SignedCertificate {
    pub certificate: String,
    pub key: String,
}

/// Certificate and key files of a server.
pub struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Returns the authority's certificate in PEM.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    pub fn sign(&self) -> SignedCertificate {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        SignedCertificate { certificate: params.signed_by(&key, &self.0).unwrap().pem(), key: key.serialize_pem() }
    }
}

impl CertificateFiles {
    /// Creates the files in this folder.
    pub fn new(folder: &Path, signed: &SignedCertificate) -> Self {
        let files = Self { certificate: folder.join("chain.pem"), key: folder.join("key.pem") };
        files.write(signed);
        files
    }

    /// Writes one file after the other.
    pub fn write(&self, signed: &SignedCertificate) {
        fs::write(&self.certificate, &signed.certificate).unwrap();
        fs::write(&self.key, &signed.key).unwrap();
    }

    /// Returns the options of a server that reads the files and has no recognizer.
    pub fn options(&self) -> [(&'static str, &str); 3] {
        [
            ("LEADSCRIBE_TLS_CERT", self.certificate.to_str().unwrap()),
            ("LEADSCRIBE_TLS_KEY", self.key.to_str().unwrap()),
            ("LEADSCRIBE_RECOGNIZER", "off"),
        ]
    }
}
