//! TLS for connections to the server, with the verification that `sslmode` requires.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::error::OpenError;

/// Trusted root certificates.
#[derive(Debug)]
pub(super) enum RootSource {
    /// Certificates that the system trusts.
    System,
    /// Certificates in a PEM file.
    File(PathBuf),
}

/// Verification of the server.
#[derive(Debug)]
pub(super) enum Verification {
    /// None: protects against eavesdropping, but not against impersonation.
    None,
    /// The certificate must be signed by a trusted authority.
    Chain(RootSource),
    /// Like [`Self::Chain`], and the certificate must match the host name in the URL.
    ChainAndName(RootSource),
}

/// TLS configuration of the client.
pub(super) fn client_config(verification: Verification) -> Result<ClientConfig, OpenError> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let (trust, checks_name) = match verification {
        Verification::None => (None, false),
        Verification::Chain(roots) => (Some(TrustedCertificates::read(roots)?), false),
        Verification::ChainAndName(roots) => (Some(TrustedCertificates::read(roots)?), true),
    };
    let verifier = Verifier { trust, checks_name, provider: Arc::clone(&provider) };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows the versions of TLS that are safe")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    // Servers may require it for direct TLS (`sslnegotiation=direct`).
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(config)
}

#[derive(Debug)]
struct TrustedCertificates {
    roots: RootCertStore,
    /// Also trusted as server certificates, because many servers use a self-signed one.
    server_certificates: Vec<CertificateDer<'static>>,
}

impl TrustedCertificates {
    fn read(source: RootSource) -> Result<Self, OpenError> {
        let mut roots = RootCertStore::empty();
        let (description, certificates, server_certificates) = match source {
            RootSource::System => {
                ("the system's certificates".to_owned(), rustls_native_certs::load_native_certs().certs, Vec::new())
            }
            RootSource::File(path) => {
                let description = path.display().to_string();
                let result = CertificateDer::pem_file_iter(&path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
                let certificates = result.map_err(|_| OpenError::Certificates(description.clone()))?;
                (description, certificates.clone(), certificates)
            }
        };
        let (added_count, _) = roots.add_parsable_certificates(certificates);
        if added_count == 0 {
            Err(OpenError::Certificates(description))
        } else {
            Ok(Self { roots, server_certificates })
        }
    }
}

#[derive(Debug)]
struct Verifier {
    trust: Option<TrustedCertificates>,
    /// True if the host name is compared.
    checks_name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(trust) = &self.trust {
            let parsed = ParsedCertificate::try_from(certificate)?;
            if !trust.server_certificates.contains(certificate) {
                let algorithms = self.provider.signature_verification_algorithms.all;
                verify_server_cert_signed_by_trust_anchor(&parsed, &trust.roots, intermediates, now, algorithms)?;
            }
            if self.checks_name {
                verify_server_name(&parsed, name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
