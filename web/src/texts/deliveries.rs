//! Texts of deliveries to callback endpoints.

super::texts! {
    /// Next attempt, as in `next in 3 min`.
    next(when): "next {when}" | "nächster {when}";
    due(when): "due {when}" | "fällig {when}";
    next_attempt(when): "Next attempt {when}" | "Nächster Versuch {when}";
    next_attempt_due(when): "Next attempt due {when}" | "Nächster Versuch fällig {when}";

    deliveries(count): "{count} delivery" / "{count} deliveries" | "{count} Zustellung" / "{count} Zustellungen";
    found: "Deliveries found" | "Gefundene Zustellungen";
    no_match: "No delivery matches" | "Keine Zustellung passt zum Filter";
    widen: "Widen the filter to see more." | "Fassen Sie den Filter weiter, um mehr zu sehen.";
    show_all: "Show all deliveries" | "Alle Zustellungen zeigen";
    none_yet: "No deliveries yet" | "Noch keine Zustellungen";
    how_they_come: "Search transcripts and deliver what is found, or let the holder of a token ask for it over the API."
        | "Durchsuchen Sie Transkripte und stellen Sie zu, was sich findet, oder lassen Sie es über die API mit einem Token anfordern.";
    search_transcripts: "Search transcripts" | "Transkripte durchsuchen";

    delivery: "Delivery" | "Zustellung";
    delivery_number(id): "Delivery {id}" | "Zustellung {id}";
    state: "State" | "Status";
    any_state: "State: any" | "Status: alle";
    call: "Call" | "Anruf";
    test: "Test" | "Test";
    endpoint: "Endpoint" | "Callback-Adresse";
    attempts: "Attempts" | "Versuche";
    last_answer: "Last answer" | "Letzte Antwort";
    created: "Created" | "Angelegt";
    ended: "Ended" | "Beendet";
    token: "Token" | "Token";
    token_number(id): "Token {id}" | "Token {id}";
    any_token: "Token: any" | "Token: alle";
    request: "Request" | "Anfrage";
    request_number(id): "Request {id}" | "Anfrage {id}";

    queued_again(id): "Delivery {id} is queued once more." | "Zustellung {id} ist wieder eingereiht.";
    deliver_again: "Deliver once more" | "Noch einmal zustellen";
    ask_again(id): "Deliver {id} once more?" | "{id} noch einmal zustellen?";
    same_again:
        "The endpoint gets the transcript again. If nothing in the message has changed, its webhook-id is the same as \
         before."
        | "Die Callback-Adresse erhält das Transkript noch einmal. Hat sich in der Nachricht nichts geändert, ist auch die \
           webhook-id dieselbe.";
    deliver_now: "Deliver now" | "Jetzt zustellen";
    ask_now(id): "Deliver {id} now?" | "{id} jetzt zustellen?";
    now_why:
        "The next attempt is due at once, and is made after those that wait for the same endpoint already." |
        "Der nächste Versuch ist sofort fällig und folgt auf die, die schon auf dieselbe Callback-Adresse warten.";
    /// Shown if this happens while the confirmation is open.
    went_on_meanwhile: "The delivery went on meanwhile, or is about to: there is nothing to confirm any more." |
        "Die Zustellung ging inzwischen weiter oder tut es gleich: Es gibt nichts mehr zu bestätigen.";
    due_now(id): "Delivery {id} is due now." | "Zustellung {id} ist jetzt fällig.";
    none_attempted: "None yet." | "Noch keiner.";
    facts: "Facts" | "Angaben";
    template: "Template of the body" | "Vorlage des Inhalts";
    no_such_delivery: "There is no such delivery" | "Diese Zustellung gibt es nicht";
    may_be_purged: "It may have been purged since the link was made."
        | "Sie wurde vielleicht gelöscht, seit der Link entstand.";
    all_deliveries: "All deliveries" | "Alle Zustellungen";
    under_way: "Under way" | "Läuft";
    attempt(number): "Attempt {number}" | "Versuch {number}";
    took_milliseconds(milliseconds): "in {milliseconds} ms" | "in {milliseconds} ms";
    took_seconds(seconds): "in {seconds} s" | "in {seconds} s";
}
