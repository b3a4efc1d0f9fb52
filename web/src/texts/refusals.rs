//! Translations of the server's refusals by code, for languages other than English. Functions return `None` for English and for
//! unknown codes.

use leadscribe_engine::api::SkipReason;

use crate::language::{Language, language};

/// Short title of a refusal.
pub fn title(code: &str) -> Option<&'static str> {
    in_german(code, |code| {
        Some(match code {
            "malformed_request" => "Fehlerhafte Anfrage",
            "unsupported_http_version" => "HTTP-Version nicht unterstützt",
            "invalid_request" => "Ungültige Eingabe",
            "invalid_filter" => "Ungültiger Filter",
            "invalid_parameter" | "unknown_parameter" => "Ungültiger Parameter",
            "unauthenticated" => "Anmeldung erforderlich",
            "invalid_login" => "E-Mail oder Passwort ist falsch",
            "invalid_api_key" => "Ungültiger API-Schlüssel",
            "expired_api_key" => "Abgelaufener API-Schlüssel",
            "revoked_api_key" => "Widerrufener API-Schlüssel",
            "invalid_token" => "Ungültiges Token der Spracherkennung",
            "forbidden" => "Nicht erlaubt",
            "csrf_failed" => "Anfrage nicht aus dieser Oberfläche",
            "not_found" => "Nicht gefunden",
            "method_not_allowed" => "Methode nicht erlaubt",
            "not_acceptable" => "Keine passende Form der Antwort",
            "request_timeout" => "Zeit überschritten",
            "conflict" => "Widerspruch zum Bestand",
            "idempotency_in_flight" => "Die gleiche Anfrage läuft noch",
            "transcription_failed" => "Transkription fehlgeschlagen",
            "transcription_cancelled" => "Transkription abgebrochen",
            "transcript_purged" => "Transkript gelöscht",
            "rejected_rows_purged" => "Abgelehnte Zeilen gelöscht",
            "body_too_large" => "Inhalt zu groß",
            "uri_too_long" => "Adresse zu lang",
            "head_too_large" => "Kopf der Anfrage zu groß",
            "unsupported_media_type" => "Medientyp nicht unterstützt",
            "range_not_satisfiable" => "Bereich nicht vorhanden",
            "unprocessable" => "Nicht ausführbar",
            "unusable_recording" => "Unbrauchbare Aufnahme",
            "idempotency_key_reused" => "Idempotenzschlüssel schon verwendet",
            "too_many_requests" => "Zu viele Versuche",
            "too_many_open_deliveries" => "Zu viele offene Zustellungen",
            "internal" => "Interner Fehler",
            "unavailable" => "Vorübergehend nicht verfügbar",
            "overloaded" => "Überlastet",
            _ => return None,
        })
    })
}

/// Explanation and next step.
pub fn advice(code: &str) -> Option<&'static str> {
    in_german(code, |code| {
        Some(match code {
            "invalid_request" | "invalid_parameter" | "unknown_parameter" => "Prüfen Sie die Eingaben.",
            "invalid_filter" => "Prüfen Sie den Filter.",
            "unauthenticated" => "Melden Sie sich an, und versuchen Sie es noch einmal.",
            "invalid_login" => "Prüfen Sie beides, auch Groß- und Kleinschreibung.",
            "invalid_token" => "Das Token ist unbekannt oder widerrufen.",
            "forbidden" => "Dafür reicht Ihre Rolle nicht.",
            "csrf_failed" => "Laden Sie die Seite neu, und versuchen Sie es noch einmal.",
            "not_found" => "Das gibt es nicht, oder nicht mehr.",
            "request_timeout" => "Die Daten kamen zu langsam an. Versuchen Sie es noch einmal.",
            "conflict" => "Das widerspricht dem, was gespeichert ist. Laden Sie die Seite neu.",
            "idempotency_in_flight" => "Warten Sie einen Augenblick.",
            "transcription_failed" | "transcription_cancelled" => "Sie können den Anruf noch einmal senden.",
            "rejected_rows_purged" => "Was ein Import abgelehnt hat, wird hier 30 Tage aufbewahrt.",
            "transcript_purged" => "Transkripte werden hier nur eine begrenzte Zeit aufbewahrt.",
            "body_too_large" => "Was Sie senden, ist größer als erlaubt.",
            "unsupported_media_type" => "Diese Art von Datei wird hier nicht angenommen.",
            "unprocessable" => "Darin steht etwas, das es nicht gibt.",
            "unusable_recording" => "Die Datei lässt sich nicht als Aufnahme verwenden.",
            "too_many_open_deliveries" => {
                "Warten Sie, bis einige beendet sind, oder stellen Sie weniger auf einmal zu."
            }
            "too_many_requests" => "Warten Sie eine Minute, und versuchen Sie es dann noch einmal.",
            "internal" => {
                "Der Server konnte das nicht ausführen. Die Ursache steht in seinem Protokoll, unter der Nummer der Anfrage."
            }
            "unavailable" => "Der Speicher ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.",
            "overloaded" => "Der Server ist gerade ausgelastet. Versuchen Sie es gleich noch einmal.",
            _ => return None,
        })
    })
}

/// Text of a fault that only the server detects, because it depends on stored data.
pub fn fault(code: &str) -> Option<&'static str> {
    in_german(code, |code| {
        Some(match code {
            "ambiguous" => "das passt auf mehr als einen Eintrag",
            "callback_not_public" => "die Adresse muss öffentlich erreichbar sein",
            "callback_not_secure" => "die Adresse muss mit https beginnen",
            "changed_since" => "das wurde inzwischen geändert und bleibt, wie es ist",
            "common_password" => {
                "dieses Passwort gehört zu denen, die zuerst geraten werden; nehmen Sie mehrere Wörter, die nichts miteinander und nichts mit der E-Mail zu tun haben"
            }
            "contradictory" => "dieser Kampagnen-Lead gehört zu einem anderen Lead oder einer anderen Kampagne",
            "control_character" => "Steuerzeichen sind hier nicht erlaubt",
            "duplicate" => "das steht hier schon",
            "delivery_open" => "die Zustellung wird gerade versucht; warten Sie, bis das vorbei ist",
            "empty_body" => "die Datei ist leer",
            "ended" => "der Import ist schon beendet",
            "invalid_email" => "das ist keine E-Mail-Adresse",
            "invalid_encoding" | "invalid_utf8" => "das ist kein UTF-8",
            "invalid_file_name" => "der Name der Datei ist zu lang oder enthält unerlaubte Zeichen",
            "invalid_id" => "erwartet wird eine ganze Zahl ab 1",
            "invalid_label" => "die Bezeichnung fehlt, ist zu lang oder enthält Steuerzeichen",
            "invalid_name" => "der Name fehlt, ist zu lang oder enthält unerlaubte Zeichen",
            "invalid_password" => "das Passwort braucht 12 bis 256 Zeichen",
            "invalid_url" => "das ist keine Adresse wie `https://example.com/calls`",
            "invalid_value" => "dieser Wert passt hier nicht",
            "last_admin" => "jemand anderes muss zuerst Administrator werden, denn einer muss bleiben",
            "missing" | "missing_value" => "hier fehlt eine Angabe",
            "not_each_once" => "jeder Status muss genau einmal vorkommen",
            "not_kept" => "was dieser Import geändert hat, ist nicht mehr bekannt",
            "not_permitted" => "dieser Wert ist hier nicht erlaubt",
            "out_of_order" => "das Ende darf nicht vor dem Anfang liegen",
            "out_of_range" => "dieser Wert ist zu klein oder zu groß",
            "recording_kept" => "die Aufnahme des Anrufs ist da, also ist ihr Zustand kein anderer",
            "recording_not_found" | "not_a_recording" => "die Datei der Aufnahme fehlt",
            "revoked" | "token_revoked" => "das Token ist widerrufen; stellen Sie ein neues aus",
            "role_required" => "dafür braucht man eine andere Rolle",
            "taken" => "das gibt es schon",
            "too_long" => "das ist zu lang",
            "too_many" => "das sind zu viele",
            "undone" => "das ist schon rückgängig gemacht",
            "unknown_parameter" => "diesen Parameter gibt es hier nicht",
            "unknown_status" => "diesen Status gibt es nicht",
            "unknown_token" => "dieses Token gibt es nicht",
            "unknown_time_zone" => "diese Zeitzone gibt es nicht",
            "unknown_user" => "diesen Benutzer gibt es nicht",
            "unusable_recording" => "die Datei lässt sich nicht als Aufnahme verwenden",
            "wrong_password" => "das ist nicht Ihr jetziges Passwort",
            _ => return None,
        })
    })
}

/// Reason why a call was skipped.
pub fn skipped(reason: SkipReason) -> &'static str {
    match (language(), reason) {
        (Language::English, reason) => reason.message(),
        (Language::German, SkipReason::NotFound) => "Diesen Anruf gibt es nicht.",
        (Language::German, SkipReason::OutOfRange) => "Der Anruf wurde außerhalb des angegebenen Zeitraums angelegt.",
        (Language::German, SkipReason::RecordingMissing) => "Der Anruf hat keine Aufnahme.",
        (Language::German, SkipReason::RecordingPending) => "Die Aufnahme wird noch vorbereitet.",
        (Language::German, SkipReason::RecordingFailed) => "Die Aufnahme konnte nicht vorbereitet werden.",
        (Language::German, SkipReason::TooShort) => "Die Aufnahme ist kürzer als die kürzeste erlaubte.",
        (Language::German, SkipReason::SideUnavailable) => {
            "Die Aufnahme hat nur einen Kanal; eine Seite allein lässt sich nicht transkribieren."
        }
        (Language::German, SkipReason::AlreadySent) => "Der Anruf wurde schon gesendet.",
    }
}

fn in_german(code: &str, say: impl Fn(&str) -> Option<&'static str>) -> Option<&'static str> {
    match language() {
        Language::English => None,
        Language::German => say(code),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::language::speak;

    #[test]
    fn every_problem_code_has_a_title() {
        let document: Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
        let by_status = document["components"]["schemas"]["Problem"]["x-codes"].as_object().unwrap();
        let codes: Vec<_> = by_status.values().flat_map(|codes| codes.as_array().unwrap()).collect();
        assert!(codes.len() > 30);
        speak(Language::German);
        let missing: Vec<_> = codes.iter().filter(|code| title(code.as_str().unwrap()).is_none()).collect();
        assert_eq!(missing, Vec::<&&Value>::new());
        speak(Language::English);
        assert_eq!(title("internal").or(advice("internal")).or(fault("taken")), None);
    }
}
