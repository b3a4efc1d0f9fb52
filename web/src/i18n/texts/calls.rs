//! Texts of the call list and of sending calls to speech recognition.

use leadscribe_engine::api::SkipReason;

super::texts! {
    calls_found: "Calls found" | "Gefundene Anrufe";
    selected_calls: "Selected calls" | "Ausgewählte Anrufe";
    selected(count): "{count} call selected" / "{count} calls selected" | "{count} Anruf ausgewählt" / "{count} Anrufe ausgewählt";
    select_first: "Select calls in the table first" | "Wählen Sie zuerst Anrufe in der Tabelle aus";
    send_to_recognition: "Send to speech recognition" | "An die Spracherkennung senden";
    cancel_transcription: "Cancel transcription" | "Transkription abbrechen";
    cancel_title: "Cancel transcription?" | "Transkription abbrechen?";
    /// For the selected calls.
    cancel_text(count):
        "You can send the call again later."
        / "Waiting and running transcriptions of the {count} calls are cancelled. Finished transcripts are kept. You can send the calls again later."
        | "Sie können den Anruf später erneut senden."
        / "Wartende und laufende Transkriptionen der {count} Anrufe werden abgebrochen. Fertige Transkripte bleiben erhalten. Sie können die Anrufe später erneut senden.";
    keep_transcribing: "Keep transcribing" | "Weiter transkribieren";
    /// Number of calls whose transcription was cancelled.
    cancelled(count): "{count} transcription cancelled" / "{count} transcriptions cancelled"
        | "{count} Transkription abgebrochen" / "{count} Transkriptionen abgebrochen";
    nothing_to_cancel: "Nothing to cancel" | "Nichts abzubrechen";
    /// Shown if the transcriptions finish while the confirmation is open.
    already_transcribed: "Already transcribed: nothing to cancel" | "Bereits transkribiert: nichts abzubrechen";
    no_match: "No matching calls" | "Keine passenden Anrufe";
    show_all: "Show all calls" | "Alle Anrufe anzeigen";
    no_calls_hint: "Import a CSV file, or connect your phone system through the API."
        | "Importieren Sie eine CSV-Datei oder binden Sie Ihre Telefonanlage per API an.";
    import_calls: "Import calls" | "Anrufe importieren";

    select_page: "Select all calls on this page" | "Alle Anrufe dieser Seite auswählen";
    select_call(id): "Select call {id}" | "Anruf {id} auswählen";
    numbers: "Numbers" | "Rufnummern";
    agent: "Agent" | "Agent";
    outcome: "Outcome" | "Ergebnis";
    recording: "Recording" | "Aufnahme";
    inbound: "Inbound" | "Eingehend";
    outbound: "Outbound" | "Ausgehend";
    unknown: "unknown" | "unbekannt";
    /// Before the called number.
    to: "to" | "an";
    transcript_of(id): "Transcript of call {id}" | "Transkript von Anruf {id}";

    play(id, length): "Play the recording of call {id}, {length}" | "Aufnahme von Anruf {id} abspielen, {length}";
    pause(id): "Pause the recording of call {id}" | "Aufnahme von Anruf {id} pausieren";

    search: "Search numbers, leads and agents" | "Rufnummern, Leads und Agenten durchsuchen";
    number_or_name: "Number, lead, agent" | "Nummer, Lead, Agent";
    any_campaign: "Campaign: all" | "Kampagne: alle";
    direction: "Direction" | "Richtung";
    any_direction: "Direction: all" | "Richtung: alle";
    any_outcome: "Outcome: all" | "Ergebnis: alle";
    any_recording: "Recording: all" | "Aufnahme: alle";
    any_transcription: "Transcription: all" | "Transkription: alle";
    /// Time at which a transcription completed or failed.
    transcribed_from: "Transcribed after" | "Transkribiert ab";
    transcribed_until: "Transcribed before" | "Transkribiert bis";

    send_calls(count): "Send {count} call to speech recognition" / "Send {count} calls to speech recognition"
        | "{count} Anruf an die Spracherkennung senden" / "{count} Anrufe an die Spracherkennung senden";
    same_settings_as_last_time: "Same settings as last time." | "Gleiche Einstellungen wie beim letzten Mal.";
    check_first: "Check" | "Prüfen";
    token_and_language_first: "Choose a token and a language first." | "Wählen Sie zuerst Token und Sprache.";
    token_first: "Choose a token first." | "Wählen Sie zuerst ein Token.";
    language_first: "Choose a language first." | "Wählen Sie zuerst eine Sprache.";
    speech_token: "Speech token" | "Sprach-Token";
    token_access_hint: "Through the API, only this token can read the transcripts. Users can always read them."
        | "Per API kann nur dieses Token die Transkripte lesen. Benutzer können sie immer lesen.";
    choose_token: "Choose a token…" | "Token wählen …";
    languages_spoken: "Languages spoken" | "Gesprochene Sprachen";
    languages_hint(max): "Up to {max}; most likely first." | "Bis zu {max}; die wahrscheinlichste zuerst.";
    recording_side: "Recording side" | "Gesprächsseite";
    both: "Both" | "Beide";
    needs_two_channels: "A single side requires a two-channel recording."
        | "Für eine einzelne Seite ist eine Aufnahme mit zwei Kanälen nötig.";
    min_duration: "Minimum duration (seconds)" | "Mindestdauer (Sekunden)";
    created_from: "Calls created after" | "Anrufe angelegt ab";
    created_until: "Calls created before" | "Anrufe angelegt bis";

    would_be_transcribed(count): "{count} call will be transcribed" / "{count} calls will be transcribed"
        | "{count} Anruf wird transkribiert" / "{count} Anrufe werden transkribiert";
    sent_to_recognition: "Sent to speech recognition" | "An die Spracherkennung gesendet";
    sent(count): "{count} call sent" / "{count} calls sent" | "{count} Anruf gesendet" / "{count} Anrufe gesendet";
    /// With a duration such as `7 min 12 s`.
    length(length): "{length} of audio." | "{length} Aufnahme.";
    skipped(count): "{count} call skipped." / "{count} calls skipped."
        | "{count} Anruf übersprungen." / "{count} Anrufe übersprungen.";
    length_and_skipped(count, length):
        "{length} of audio, {count} call skipped." / "{length} of audio, {count} calls skipped."
        | "{length} Aufnahme, {count} Anruf übersprungen." / "{length} Aufnahme, {count} Anrufe übersprungen.";
    outcome_per_call: "Result per call" | "Ergebnis je Anruf";
    ready: "Ready" | "Bereit";
    accepted: "Sent" | "Gesendet";
    transcription_number(id): "Transcription {id}" | "Transkription {id}";
    view_skipped_calls: "View skipped calls" | "Übersprungene Anrufe anzeigen";

    skipped_calls: "Skipped calls" | "Übersprungene Anrufe";
    skipped_call_count(count): "{count} skipped call" / "{count} skipped calls" | "{count} übersprungener Anruf" / "{count} übersprungene Anrufe";
    skipped_calls_hint: "Calls that couldn't be sent. This list is stored in this browser."
        | "Anrufe, die nicht gesendet werden konnten. Diese Liste ist in diesem Browser gespeichert.";
    skipped_at: "Skipped" | "Übersprungen";
    no_skipped_calls: "No skipped calls" | "Keine übersprungenen Anrufe";
    no_skipped_calls_hint: "Calls that speech recognition doesn't accept appear here."
        | "Hier erscheinen Anrufe, die die Spracherkennung nicht annimmt.";
    send_again(count): "Send {count} call again" / "Send {count} calls again" | "{count} Anruf erneut senden" / "{count} Anrufe erneut senden";
    send_with_other_settings: "Send with other settings…" | "Mit anderen Einstellungen senden …";
    check_again: "Check again" | "Erneut prüfen";
    checked(ready, all): "{ready} of {all} can be sent now." | "{ready} von {all} können jetzt gesendet werden.";
    clear_list: "Clear list" | "Liste leeren";
    list_cleared: "List cleared" | "Liste geleert";
    /// For a call in the list of skipped calls.
    remove_from_list(id): "Remove call {id} from the list" | "Anruf {id} aus der Liste entfernen";
    removed_from_list(id): "Removed call {id}" | "Anruf {id} entfernt";

    no_token_yet: "No speech token yet" | "Noch kein Sprach-Token";
    token_required: "You need a speech token to send calls or transcripts. "
        | "Zum Senden von Anrufen oder Transkripten brauchen Sie ein Sprach-Token. ";
    /// Link text, followed by a period.
    create_token: "Create one in Settings" | "Legen Sie eines in den Einstellungen an";
    ask_administrator: "Ask an administrator to create one." | "Bitten Sie einen Administrator, eines anzulegen.";

    not_transcribed_yet: "Recordings can't be transcribed yet" | "Aufnahmen können noch nicht transkribiert werden";
    sent_calls_wait(reason): "{reason} Sent calls wait until this is fixed." | "{reason} Gesendete Anrufe warten, bis das behoben ist.";
    recognition_is_off: "Speech recognition is off" | "Die Spracherkennung ist ausgeschaltet";
    sent_calls_wait_for_operator: "Sent calls wait until the server operator turns it on."
        | "Gesendete Anrufe warten, bis der Betreiber des Servers sie einschaltet.";
    model_is_loading: "Loading the speech recognition model…" | "Das Modell der Spracherkennung wird geladen …";
    in_queue(count): "{count} in queue" / "{count} in queue" | "{count} in der Warteschlange" / "{count} in der Warteschlange";

    /// Reason why calls were skipped, after their number.
    skipped_reason(SkipReason) {
        NotFound: "not found" | "nicht gefunden";
        OutOfRange: "outside the time range" | "außerhalb des Zeitraums";
        RecordingMissing: "without a recording" | "ohne Aufnahme";
        RecordingPending: "with a recording still being prepared" | "mit Aufnahme in Vorbereitung";
        RecordingFailed: "with a failed recording" | "mit fehlgeschlagener Aufnahme";
        TooShort: "too short" | "zu kurz";
        SideUnavailable: "with only one channel" | "mit nur einem Kanal";
        AlreadySent: "already sent" | "bereits gesendet";
    }
}
