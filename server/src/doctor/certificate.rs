//! Check of the certificate, if TLS is on.

use chrono::TimeDelta;

use super::{Finding, Setup};
use crate::http::tls::{Files, validity};

const CHECK: &str = "certificate";

/// Remaining validity at which a renewal is overdue. Certificates of ninety days are renewed a month before they expire.
const LATE: TimeDelta = TimeDelta::days(14);

/// Returns `None` without TLS.
pub(super) fn check(setup: &Setup) -> Option<Finding> {
    let (certificate, key) = setup.config.http.tls_files()?;
    let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
    let name = certificate.display();
    Some(match validity(&files) {
        Err(error) => Finding::fault(CHECK, error.to_string(), "fix the files of --tls-cert and --tls-key"),
        Ok((begins, _)) if setup.now < begins => {
            let found = format!("{name} is not valid before {begins}");
            Finding::fault(CHECK, found, "clients reject it until then; check this machine's clock")
        }
        Ok((_, ends)) if setup.now > ends => {
            Finding::fault(CHECK, format!("{name} expired at {ends}"), "clients reject it; renew it")
        }
        Ok((_, ends)) if setup.now + LATE > ends => {
            let remedy = "check why it wasn't renewed; a new one in the same files is loaded without a restart";
            Finding::warning(CHECK, format!("{name} expires at {ends}"), remedy)
        }
        Ok((_, ends)) => Finding::ok(CHECK, format!("{name} is valid until {ends}")),
    })
}
