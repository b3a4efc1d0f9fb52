//! Texts of the transcript search and of delivering its results.

super::texts! {
    placeholder: "Search words" | "Wörter suchen";
    found: "Transcripts found" | "Gefundene Transkripte";
    deliver_results: "Send to webhook…" | "An Webhook senden …";
    no_transcripts: "No transcripts yet" | "Noch keine Transkripte";
    no_transcripts_hint: "Calls sent to speech recognition appear here."
        | "Hier erscheinen Anrufe, die an die Spracherkennung gesendet wurden.";
    choose_calls: "Choose calls to send" | "Anrufe zum Senden wählen";
    no_match: "No matching transcripts" | "Keine passenden Transkripte";
    /// With the search text in quotes.
    no_results_for(words): "No results for {words}" | "Keine Ergebnisse für {words}";
    /// Search text in quotes.
    quoted(words): "“{words}”" | "„{words}“";
    no_results_hint: "Try fewer words, or only the start of a word: deliver* also finds delivery."
        | "Versuchen Sie es mit weniger Wörtern oder nur einem Wortanfang: liefer* findet auch Lieferung.";
    without_filters: "Search without filters" | "Ohne Filter suchen";
    show_all: "Show all transcripts" | "Alle Transkripte anzeigen";

    /// Before a sample of a phrase.
    search_hint_all_words: "Finds calls with all words. Phrases: " | "Findet Anrufe mit allen Wörtern. Wortfolgen: ";
    search_hint_phrase: "\"pay by card\"" | "\"mit Karte zahlen\"";
    search_hint_prefixes: ", prefixes: " | ", Wortanfänge: ";
    search_hint_prefix: "deliver*" | "liefer*";
    any_language: "Language: all" | "Sprache: alle";
    calls_from: "Calls from" | "Anrufe ab";
    calls_until: "Calls until" | "Anrufe bis";
    min_duration: "Min. duration (s)" | "Mindestdauer (Sek.)";
    max_duration: "Max. duration (s)" | "Höchstdauer (Sek.)";

    more_in_call(count): "{count} more in this call" / "{count} more in this call"
        | "{count} weitere in diesem Anruf" / "{count} weitere in diesem Anruf";
    matches(count): "{count} match" / "{count} matches" | "{count} Treffer" / "{count} Treffer";
    no_words: "No words recognized." | "Keine Wörter erkannt.";
    no_speech: "No speech in this call." | "Keine Sprache in diesem Anruf.";

    deliver_title: "Send to webhook" | "An Webhook senden";
    sending_calls(count): "Sending {count} call…" / "Sending {count} calls…"
        | "{count} Anruf wird gesendet …" / "{count} Anrufe werden gesendet …";
    newest_limit_note(max, total): "Only the newest {max} of {total} will be sent."
        | "Nur die neuesten {max} von {total} werden gesendet.";
    token_has_no_calls: "None of these calls belongs to this token." | "Keiner dieser Anrufe gehört zu diesem Token.";
    send_test: "Send test" | "Test senden";
    test_in_progress: "Sending… " | "Wird gesendet … ";
    test_retrying: "Failed; retrying. " | "Fehlgeschlagen; wird wiederholt. ";
    test_delivered: "Delivered. " | "Zugestellt. ";
    test_failed: "Failed. " | "Fehlgeschlagen. ";
    test_delivery(id): "Test delivery {id}" | "Testzustellung {id}";
    view_attempts: "View attempts" | "Versuche anzeigen";

    signature_hint: "Sends this token's transcripts, signed with its signing secret."
        | "Sendet die Transkripte dieses Tokens, signiert mit dessen Signaturschlüssel.";
    deliver_to: "Webhook URL" | "Webhook-Adresse";
    method: "Method" | "Methode";
    body_per_call: "Body (one request per call)" | "Inhalt (eine Anfrage je Anruf)";
    sample_preview: "Preview with sample data" | "Vorschau mit Beispieldaten";
    preview: "Body preview" | "Inhaltsvorschau";
    insert_placeholder: "Insert:" | "Einfügen:";
}
