//! Texts of deliveries to callback endpoints.

super::texts! {
    /// Next attempt, as in `next in 3 min`.
    next(when): "next {when}" | "nächster {when}";
    due(when): "due {when}" | "fällig {when}";
    next_attempt(when): "Next attempt {when}" | "Nächster Versuch {when}";
    next_attempt_due(when): "Next attempt due {when}" | "Nächster Versuch fällig {when}";

    deliveries(count): "{count} delivery" / "{count} deliveries" | "{count} Zustellung" / "{count} Zustellungen";
    found: "Deliveries found" | "Gefundene Zustellungen";
    no_match: "No matching deliveries" | "Keine passenden Zustellungen";
    show_all: "Show all deliveries" | "Alle Zustellungen anzeigen";
    no_deliveries: "No deliveries yet" | "Noch keine Zustellungen";

    delivery: "Delivery" | "Zustellung";
    test: "Test" | "Test";
    endpoint: "Webhook" | "Webhook";
    last_response: "Response" | "Antwort";
    ended: "Ended" | "Beendet";
    token_number(id): "Token {id}" | "Token {id}";
    request: "Request" | "Anfrage";

    delivery_queued(id): "Delivery {id} queued" | "Zustellung {id} in der Warteschlange";
    deliver_again: "Resend" | "Erneut senden";
    confirm_resend(id): "Resend delivery {id}?" | "Zustellung {id} erneut senden?";
    resend_note: "The webhook gets the message again. If it is unchanged, its webhook-id stays the same."
        | "Der Webhook erhält die Nachricht erneut. Ist sie unverändert, bleibt auch ihre webhook-id gleich.";
    deliver_now: "Retry now" | "Jetzt wiederholen";
    confirm_retry(id): "Retry delivery {id} now?" | "Zustellung {id} jetzt wiederholen?";
    retry_note: "The next attempt starts after deliveries already waiting for this webhook."
        | "Der nächste Versuch folgt auf die Zustellungen, die für diesen Webhook bereits anstehen.";
    /// Shown if the delivery starts while the confirmation is open.
    already_in_progress: "The delivery is already in progress." | "Die Zustellung läuft bereits.";
    retrying_delivery(id): "Retrying delivery {id}…" | "Zustellung {id} wird wiederholt …";
    no_attempts: "No attempts yet." | "Noch keine Versuche.";
    details: "Details" | "Details";
    delivery_not_found: "Delivery not found" | "Zustellung nicht gefunden";
    all_deliveries: "All deliveries" | "Alle Zustellungen";
    in_progress: "In progress" | "Läuft";
    attempt(number): "Attempt {number}" | "Versuch {number}";
    under_one_millisecond: "< 1 ms" | "< 1 ms";
    milliseconds_text(milliseconds): "{milliseconds} ms" | "{milliseconds} ms";
}
