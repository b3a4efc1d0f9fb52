//! Texts of the transcript search and of delivering its results.

super::texts! {
    found: "Transcripts found" | "Gefundene Transkripte";
    deliver_results: "Deliver these results…" | "Diese Ergebnisse zustellen…";
    none_yet: "No transcript yet" | "Noch kein Transkript";
    how_they_come: "Calls that are sent to speech recognition are read and searched here."
        | "Anrufe, die an die Spracherkennung gesendet wurden, werden hier gelesen und durchsucht.";
    choose_calls: "Choose calls to send" | "Anrufe zum Senden wählen";
    no_match: "No transcript matches" | "Kein Transkript passt zum Filter";
    take_away: "Take a condition away to see more." | "Nehmen Sie eine Bedingung weg, um mehr zu sehen.";
    /// With the search text in quotes.
    nothing_says(words): "Nothing says {words}" | "Nirgends wird {words} gesagt";
    /// Search text in quotes.
    quoted(words): "“{words}”" | "„{words}“";
    try_fewer: "Try fewer words, or only a beginning: deliver* finds delivery too."
        | "Versuchen Sie weniger Wörter, oder nur einen Wortanfang: liefer* findet auch Lieferung.";
    without_filters: "Search without filters" | "Ohne Filter suchen";
    show_all: "Show all transcripts" | "Alle Transkripte zeigen";

    words_said: "Words that are said" | "Gesagte Wörter";
    what_was_said: "What was said?" | "Was wurde gesagt?";
    search: "Search" | "Suchen";
    /// Before a sample of a phrase.
    all_are_said: "All of them are said: words, " | "Alles davon wird gesagt: Wörter, ";
    phrase_sample: "\"words in a row\"" | "\"Wörter in Folge\"";
    and_beginnings: ", and beginnings such as " | " und Wortanfänge wie ";
    beginning_sample: "deliver*" | "liefer*";
    language: "Language" | "Sprache";
    length: "Length" | "Länge";
    any_language: "Language: any" | "Sprache: alle";
    token: "Token" | "Token";
    any_token: "Token: any" | "Token: alle";
    calls_from: "Calls from" | "Anrufe ab";
    calls_till: "Calls till" | "Anrufe bis";
    shortest: "Shortest, seconds" | "Kürzeste, Sekunden";
    longest: "Longest, seconds" | "Längste, Sekunden";

    more_in_call(count): "{count} more in this call" / "{count} more in this call"
        | "{count} weitere in diesem Anruf" / "{count} weitere in diesem Anruf";
    matches(count): "{count} match" / "{count} matches" | "{count} Treffer" / "{count} Treffer";
    no_words: "No words were understood." | "Es wurden keine Wörter verstanden.";
    nobody_spoke: "Nobody spoke in this call." | "In diesem Anruf hat niemand gesprochen.";

    deliver_title: "Deliver these results" | "Diese Ergebnisse zustellen";
    being_delivered(count): "{count} call is being delivered." / "{count} calls are being delivered."
        | "{count} Anruf wird zugestellt." / "{count} Anrufe werden zugestellt.";
    newest_delivered(most, total): "The newest {most} of {total} are delivered."
        | "Die neuesten {most} von {total} werden zugestellt.";
    token_owns_none: "This token owns none of the calls found." | "Diesem Token gehört keiner der gefundenen Anrufe.";
    send_test: "Send a test" | "Testzustellung senden";
    deliver: "Deliver" | "Zustellen";
    deliver_calls(count): "Deliver {count} call" / "Deliver {count} calls"
        | "{count} Anruf zustellen" / "{count} Anrufe zustellen";
    test_under_way: "It is on its way. " | "Sie ist unterwegs. ";
    test_again: "It wasn't taken, and is tried again. " | "Sie wurde nicht angenommen und wird wiederholt. ";
    test_taken: "The endpoint took it. " | "Die Callback-Adresse hat sie angenommen. ";
    test_lost: "It did not get through. " | "Sie kam nicht an. ";
    test_delivery(id): "Test delivery {id}" | "Testzustellung {id}";
    see_attempts: "See its attempts" | "Versuche ansehen";

    token_signs: "Its transcripts are delivered, signed with its secret."
        | "Seine Transkripte werden zugestellt, signiert mit seinem Geheimnis.";
    choose: "Choose…" | "Wählen…";
    deliver_to: "Deliver to" | "Zustellen an";
    method: "Method" | "Methode";
    body_per_call: "Body, one for each call" | "Inhalt, einer je Anruf";
    template: "Template of the body" | "Vorlage des Inhalts";
    made_up_call: "What a made-up call becomes" | "Was aus einem erfundenen Anruf wird";
    preview: "Preview of the body" | "Vorschau des Inhalts";
    put_in: "Put in at the cursor:" | "An der Schreibmarke einfügen:";
}
