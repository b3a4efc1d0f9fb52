//! Checks of the speech recogniser.

use std::time::Duration;

use tokio::net::TcpStream;
use url::Url;

use super::{Finding, Setup};
use crate::config::{RecognizerKind, Role};
use crate::speech::model::{self, Languages};

const CHECK: &str = "recogniser";

/// Timeout for a connection to a remote recogniser.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) async fn check(setup: &Setup) -> Vec<Finding> {
    let speech = &setup.config.speech;
    if setup.config.worker.role == Role::Api {
        return vec![Finding::ok(CHECK, "runs in worker processes")];
    }
    let name = match &setup.recognizer {
        Ok(name) => name,
        Err(error) => {
            return vec![Finding::fault(
                CHECK,
                error.clone(),
                "until this is fixed, submitted calls wait; none are lost",
            )];
        }
    };
    match speech.recognizer {
        RecognizerKind::Off => {
            let remedy = "submitted calls wait; remove --recognizer off from processes that should transcribe";
            vec![Finding::warning(CHECK, "none in this process", remedy)]
        }
        RecognizerKind::Embedded => {
            vec![
                Finding::ok(CHECK, format!("the model {name} is installed and its checksum is correct")),
                languages(setup),
            ]
        }
        RecognizerKind::Http => vec![reached(&speech.url).await],
    }
}

/// Checks that the model supports the languages in which calls may be submitted.
fn languages(setup: &Setup) -> Finding {
    let codes = model::languages(&setup.config);
    let is_english = model::named(&setup.config.speech.model).is_ok_and(|model| model.languages == Languages::English);
    let other = codes.iter().find(|code| code.as_str() != "en" && !code.starts_with("en-"));
    match other {
        Some(other) if is_english => Finding::warning(
            "languages",
            format!("calls in {other} are accepted, but the model {} supports only English", setup.config.speech.model),
            "choose a multilingual model with --model, or remove --languages to use the model's languages",
        ),
        _ => Finding::ok("languages", format!("{}: {}", codes.len(), short(codes))),
    }
}

/// Lists the first few codes.
fn short(codes: &[String]) -> String {
    const SHOWN: usize = 6;
    let more = if codes.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", codes.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))
}

async fn reached(url: &str) -> Finding {
    let remedy = "check that server and --speech-url; until then, submitted calls wait";
    let target = Url::parse(url).ok().and_then(|url| {
        let port = url.port_or_known_default()?;
        url.host_str().map(|host| (host.trim_matches(['[', ']']).to_owned(), port))
    });
    let Some((host, port)) = target else {
        return Finding::fault(CHECK, "the server's URL has no host", remedy);
    };
    match tokio::time::timeout(PATIENCE, TcpStream::connect((host.as_str(), port))).await {
        Ok(Ok(_)) => Finding::ok(CHECK, format!("{host}:{port} accepts connections")),
        Ok(Err(error)) => Finding::fault(CHECK, format!("can't connect to {host}:{port}: {error}"), remedy),
        Err(_) => {
            Finding::fault(CHECK, format!("{host}:{port} didn't respond within {} s", PATIENCE.as_secs()), remedy)
        }
    }
}
