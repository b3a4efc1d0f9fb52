//! Check of the certificate, if TLS is on.

use chrono::TimeDelta;

use super::{CheckContext, CheckResult};
use crate::http::tls::{CertificateFiles, validity};

const CHECK: &str = "certificate";

/// Remaining validity at which a renewal is overdue. 90-day certificates are renewed a month before they expire.
const RENEWAL_MARGIN: TimeDelta = TimeDelta::days(14);

/// Returns `None` without TLS.
pub(super) fn check(context: &CheckContext) -> Option<CheckResult> {
    let (certificate, key) = context.config.http.tls_files()?;
    let files = CertificateFiles { certificate: certificate.to_owned(), key: key.to_owned() };
    let path = certificate.display();
    Some(match validity(&files) {
        Err(error) => CheckResult::error(CHECK, error.to_string(), "fix the files of --tls-cert and --tls-key"),
        Ok((not_before, _)) if context.now < not_before => {
            let problem = format!("{path} is not valid before {not_before}");
            CheckResult::error(CHECK, problem, "clients reject it until then; check this machine's clock")
        }
        Ok((_, not_after)) if context.now > not_after => {
            CheckResult::error(CHECK, format!("{path} expired at {not_after}"), "clients reject it; renew it")
        }
        Ok((_, not_after)) if context.now + RENEWAL_MARGIN > not_after => {
            let remedy = "check why it wasn't renewed; a new one in the same files is loaded without a restart";
            CheckResult::warning(CHECK, format!("{path} expires at {not_after}"), remedy)
        }
        Ok((_, not_after)) => CheckResult::ok(CHECK, format!("{path} is valid until {not_after}")),
    })
}
