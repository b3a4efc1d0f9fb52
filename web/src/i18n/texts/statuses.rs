//! Texts of states: calls, recordings, transcriptions, imports and deliveries. Labels of the initial statuses; a label
//! that a user has changed isn't translated.

use leadscribe_engine::api::{INITIAL_STATUSES, LeadStatus};

super::texts! {
    initial_label(str) {
        new: "New" | "Neu";
        dialing: "Dialing" | "Wird angerufen";
        answered: "Answered" | "Erreicht";
        no_answer: "No answer" | "Nicht erreicht";
        busy: "Busy" | "Besetzt";
        callback: "Callback" | "Rückruf";
        converted: "Converted" | "Gewonnen";
        refused: "Refused" | "Abgelehnt";
        not_interested: "Not interested" | "Kein Interesse";
        wrong_number: "Wrong number" | "Falsche Nummer";
        invalid: "Invalid" | "Ungültig";
        dnc: "Do not call" | "Nicht anrufen";
        closed: "Closed" | "Abgeschlossen";
    }

    answered: "Answered" | "Angenommen";
    no_answer: "No answer" | "Keine Antwort";
    busy: "Busy" | "Besetzt";

    in_preparation: "Preparing" | "Wird vorbereitet";
    ready: "Ready" | "Bereit";

    not_sent: "Not sent" | "Nicht gesendet";
    waiting: "Waiting" | "Wartet";
    queued: "Queued" | "In der Warteschlange";
    processing: "Processing" | "In Bearbeitung";
    completed: "Completed" | "Abgeschlossen";

    running: "Running" | "Läuft";
    cancelled: "Cancelled" | "Abgebrochen";

    delivering: "Delivering" | "Wird zugestellt";
    stopped: "Stopped" | "Gestoppt";
}

/// Label of a status: the label that a user set, or the initial label in the panel's language.
pub fn label(status: &LeadStatus) -> String {
    let is_initial = INITIAL_STATUSES.iter().any(|(name, label, _)| status.name == *name && status.label == *label);
    initial_label(&status.name).filter(|_| is_initial).map_or_else(|| status.label.clone(), str::to_owned)
}

/// The statuses with their labels as shown.
pub fn with_translated_labels(statuses: &[LeadStatus]) -> Vec<LeadStatus> {
    statuses.iter().map(|status| LeadStatus { label: label(status), ..status.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use crate::i18n::locale::{Language, set_language};
    use crate::i18n::texts::statuses::*;

    #[test]
    fn initial_labels_are_translated_until_changed() {
        let status = |name: &str, label: &str| LeadStatus { name: name.into(), label: label.into(), dialable: true };
        for (name, initial, _) in INITIAL_STATUSES {
            assert_eq!(label(&status(name, initial)), *initial);
            assert_eq!(initial_label(name), Some(*initial));
        }
        set_language(Language::German);
        for (name, initial, _) in INITIAL_STATUSES {
            assert_ne!(label(&status(name, initial)), *initial);
        }
        assert_eq!(label(&status("busy", "Line busy")), "Line busy");
        assert_eq!(label(&status("seen", "Busy")), "Busy");
        assert_eq!(with_translated_labels(&[status("busy", "Busy")]), [status("busy", "Besetzt")]);
    }
}
