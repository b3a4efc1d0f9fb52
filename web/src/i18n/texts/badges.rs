//! Texts of states: calls, recordings, transcriptions, imports and deliveries.

super::texts! {
    answered: "Answered" | "Angenommen";
    no_answer: "No answer" | "Keine Antwort";
    busy: "Busy" | "Besetzt";

    in_preparation: "Preparing" | "Wird vorbereitet";
    ready: "Ready" | "Bereit";

    not_sent: "Not sent" | "Nicht gesendet";
    queued: "Queued" | "In der Warteschlange";
    processing: "Processing" | "In Bearbeitung";
    completed: "Completed" | "Abgeschlossen";

    running: "Running" | "Läuft";
    cancelled: "Cancelled" | "Abgebrochen";

    delivering: "Delivering" | "Wird zugestellt";
    stopped: "Stopped" | "Gestoppt";
}
