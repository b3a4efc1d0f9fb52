//! Texts of the call list and of sending calls to speech recognition.

super::texts! {
    call(id): "Call {id}" | "Anruf {id}";
    lead(id): "Lead {id}" | "Lead {id}";
    campaign(id): "Campaign {id}" | "Kampagne {id}";

    calls_found: "Calls found" | "Gefundene Anrufe";
    selected_calls: "Selected calls" | "Ausgewählte Anrufe";
    selected(count): "{count} call selected" / "{count} calls selected" | "{count} Anruf ausgewählt" / "{count} Anrufe ausgewählt";
    selection_dropped(count):
        "The selection of {count} call was dropped, as the list is another" /
        "The selection of {count} calls was dropped, as the list is another" |
        "Die Auswahl von {count} Anruf wurde aufgehoben, weil die Liste eine andere ist" /
        "Die Auswahl von {count} Anrufen wurde aufgehoben, weil die Liste eine andere ist";
    select_first: "Select calls in the table first" | "Wählen Sie zuerst Anrufe in der Tabelle aus";
    send_to_recognition: "Send to speech recognition" | "An die Spracherkennung senden";
    cancel_transcription: "Cancel transcription" | "Transkription abbrechen";
    cancel_title: "Stop transcribing?" | "Transkription beenden?";
    /// For the selected calls.
    cancel_text(count):
        "It is given up for this call, which can be sent again."
        / "Of the {count} calls, those that wait or are under way are given up; they can be sent again. Transcripts that are there stay."
        | "Sie wird für diesen Anruf aufgegeben; er kann wieder gesendet werden."
        / "Von den {count} Anrufen werden die aufgegeben, die warten oder laufen; sie können wieder gesendet werden. Fertige Transkripte bleiben.";
    /// Next to a button that changes nothing.
    stop_transcribing: "Stop transcribing" | "Transkription beenden";
    go_on_transcribing: "Go on transcribing" | "Weiter transkribieren";
    /// Number of calls whose transcription was cancelled.
    cancelled(count): "{count} transcription cancelled" / "{count} transcriptions cancelled"
        | "{count} Transkription abgebrochen" / "{count} Transkriptionen abgebrochen";
    none_cancelled: "None of them was waiting any more" | "Keine davon hat noch gewartet";
    /// Shown if this happens while the confirmation is open.
    nothing_to_cancel: "Transcription has ended meanwhile: nothing is left to cancel" |
        "Die Transkription ist inzwischen beendet: Es gibt nichts mehr abzubrechen";
    no_match: "No call matches" | "Kein Anruf passt zum Filter";
    widen: "Widen the filter to see more." | "Fassen Sie den Filter weiter, um mehr zu sehen.";
    show_all: "Show all calls" | "Alle Anrufe zeigen";
    none_yet: "No calls yet" | "Noch keine Anrufe";
    how_they_come: "Import a calls.csv, or let your telephone system write calls over the API."
        | "Importieren Sie eine calls.csv, oder lassen Sie Ihre Telefonanlage Anrufe über die API eintragen.";
    import_calls: "Import calls" | "Anrufe importieren";

    select_page: "Select all calls of this page" | "Alle Anrufe dieser Seite auswählen";
    select_call(id): "Select call {id}" | "Anruf {id} auswählen";
    time: "Time" | "Zeit";
    numbers: "Numbers" | "Rufnummern";
    lead_column: "Lead" | "Lead";
    campaign_column: "Campaign" | "Kampagne";
    agent: "Agent" | "Agent";
    outcome: "Outcome" | "Ergebnis";
    recording: "Recording" | "Aufnahme";
    transcription: "Transcription" | "Transkription";
    inbound: "Inbound" | "Eingehend";
    outbound: "Outbound" | "Ausgehend";
    unknown: "unknown" | "unbekannt";
    /// Before the called number.
    to: "to" | "an";
    transcript: "Transcript" | "Transkript";
    transcript_of(id): "Transcript of call {id}" | "Transkript von Anruf {id}";

    play(id, length): "Play the recording of call {id}, {length}" | "Aufnahme von Anruf {id} abspielen, {length}";
    pause(id): "Pause the recording of call {id}" | "Aufnahme von Anruf {id} anhalten";

    search: "Search numbers, leads and agents" | "Rufnummern, Leads und Agenten durchsuchen";
    number_or_name: "Number, lead, agent" | "Nummer, Lead, Agent";
    any_campaign: "Campaign: any" | "Kampagne: alle";
    direction: "Direction" | "Richtung";
    any_direction: "Direction: any" | "Richtung: alle";
    any_outcome: "Outcome: any" | "Ergebnis: alle";
    any_recording: "Recording: any" | "Aufnahme: alle";
    any_transcription: "Transcription: any" | "Transkription: alle";
    from: "From" | "Von";
    till: "Till" | "Bis";
    /// Time at which a transcription completed or failed.
    transcription_from: "Transcription ended from" | "Transkription endete ab";
    transcription_till: "Transcription ended till" | "Transkription endete bis";

    send_calls(count): "Send {count} call to speech recognition" / "Send {count} calls to speech recognition"
        | "{count} Anruf an die Spracherkennung senden" / "{count} Anrufe an die Spracherkennung senden";
    as_last_time: "This begins with what you chose for your last send." |
        "Hier steht zu Beginn, was Sie beim letzten Senden gewählt haben.";
    start_afresh: "Start afresh" | "Neu beginnen";
    request_body: "The request's body" | "Der Inhalt der Anfrage";
    done: "Done" | "Fertig";
    check_first: "Check first" | "Erst prüfen";
    send: "Send" | "Senden";
    send_some(count): "Send {count} call" / "Send {count} calls" | "{count} Anruf senden" / "{count} Anrufe senden";
    token_and_language_first: "Choose a token and a language first." | "Wählen Sie zuerst Token und Sprache.";
    token_first: "Choose a token first." | "Wählen Sie zuerst ein Token.";
    language_first: "Choose a language first." | "Wählen Sie zuerst eine Sprache.";
    mend_first: "Mend what is marked first." | "Beheben Sie zuerst das Markierte.";
    speech_token: "Speech token" | "Token der Spracherkennung";
    owner_reads:
        "Of all tokens this one alone reads the transcripts; staff read them too." |
        "Von allen Tokens liest nur dieses die Transkripte; Benutzer lesen sie auch.";
    choose_token: "Choose a token…" | "Token wählen…";
    languages_spoken: "Languages spoken" | "Gesprochene Sprachen";
    likeliest_first(most): "1 to {most}, the likeliest first." | "1 bis {most}, die wahrscheinlichste zuerst.";
    recording_side: "Recording side" | "Seite der Aufnahme";
    both: "Both" | "Beide";
    needs_two_channels: "One side alone needs a recording with two channels."
        | "Für nur eine Seite braucht die Aufnahme zwei Kanäle.";
    shortest_recording: "Shortest recording, in seconds" | "Kürzeste Aufnahme, in Sekunden";
    created_from: "Only calls created from" | "Nur Anrufe, angelegt ab";
    created_till: "Only calls created till" | "Nur Anrufe, angelegt bis";

    would_be_transcribed(count): "{count} call would be transcribed" / "{count} calls would be transcribed"
        | "{count} Anruf würde transkribiert" / "{count} Anrufe würden transkribiert";
    sent_to_recognition: "Sent to speech recognition" | "An die Spracherkennung gesendet";
    sent(count): "{count} call sent" / "{count} calls sent" | "{count} Anruf gesendet" / "{count} Anrufe gesendet";
    /// With a duration such as `7 min 12 s`.
    length(length): "{length} of recording." | "{length} Aufnahme.";
    skipped(count): "{count} call skipped." / "{count} calls skipped."
        | "{count} Anruf übersprungen." / "{count} Anrufe übersprungen.";
    length_and_skipped(count, length):
        "{length} of recording, {count} call skipped." / "{length} of recording, {count} calls skipped."
        | "{length} Aufnahme, {count} Anruf übersprungen." / "{length} Aufnahme, {count} Anrufe übersprungen.";
    length_column: "Length" | "Dauer";
    outcome_per_call: "Outcome per call" | "Ergebnis je Anruf";
    call_column: "Call" | "Anruf";
    why: "Why" | "Warum";
    would_be_sent: "Would be sent" | "Würde gesendet";
    accepted: "Accepted" | "Angenommen";
    is_queued(id): "Transcription {id} is queued." | "Transkription {id} ist eingereiht.";
    would_be_skipped: "Would be skipped" | "Würde übersprungen";
    was_skipped: "Skipped" | "Übersprungen";
    see_skipped: "See your skipped calls" | "Ihre übersprungenen Anrufe ansehen";

    skipped_calls: "Skipped calls" | "Übersprungene Anrufe";
    were_skipped(count): "{count} skipped call" / "{count} skipped calls" | "{count} übersprungener Anruf" / "{count} übersprungene Anrufe";
    skipped_about: "Calls that you sent and that couldn't be taken. This browser keeps them for you, with the token and the languages they were sent with."
        | "Anrufe, die Sie gesendet haben und die nicht angenommen werden konnten. Dieser Browser merkt sie sich für Sie, samt Token und Sprachen.";
    skipped_at: "Skipped" | "Übersprungen";
    none_skipped: "No skipped calls" | "Keine übersprungenen Anrufe";
    none_skipped_about: "Calls that speech recognition doesn't take when you send them are listed here, each with the reason."
        | "Hier stehen Anrufe, die die Spracherkennung beim Senden nicht annimmt, jeweils mit dem Grund.";
    can_be_sent: "Can be sent now" | "Kann jetzt gesendet werden";
    send_again(count): "Send {count} call again" / "Send {count} calls again" | "{count} Anruf erneut senden" / "{count} Anrufe erneut senden";
    none_to_send: "Send again" | "Erneut senden";
    send_otherwise: "Send with other settings…" | "Mit anderen Einstellungen senden …";
    check_again: "Check again" | "Erneut prüfen";
    checked(ready, all): "Checked: {ready} of {all} can be sent now" | "Geprüft: {ready} von {all} können jetzt gesendet werden";
    clear_list: "Clear the list" | "Liste leeren";
    list_cleared: "The list is cleared" | "Die Liste ist geleert";
    /// For a call in the list of skipped calls.
    forget(id): "Take call {id} off the list" | "Anruf {id} aus der Liste nehmen";
    forgotten(id): "Call {id} is off the list" | "Anruf {id} ist aus der Liste genommen";

    no_token_yet: "No speech token yet" | "Noch kein Token der Spracherkennung";
    belong_to_token: "Transcripts belong to a token. " | "Transkripte gehören zu einem Token. ";
    /// A link, followed by the rest of the sentence.
    create_token: "Create one under Settings" | "Legen Sie eines unter Einstellungen an";
    then_come_back: ", then come back." | " und kommen Sie dann zurück.";
    ask_administrator: "Ask an administrator to create one." | "Bitten Sie die Verwaltung, eines anzulegen.";

    not_transcribed_yet: "Recordings can't be transcribed yet" | "Aufnahmen können noch nicht transkribiert werden";
    calls_wait(why): "{why} Until then, calls that are sent wait." | "{why} Bis dahin warten gesendete Anrufe.";
    recognition_is_off: "Speech recognition is turned off" | "Die Spracherkennung ist ausgeschaltet";
    wait_for_operator: "Calls that are sent wait until the operator turns it on."
        | "Gesendete Anrufe warten, bis der Betreiber sie einschaltet.";
    model_is_loading: "The recogniser's model is being loaded." | "Das Modell der Spracherkennung wird geladen.";
    none_waits: "No recording waits to be transcribed." | "Keine Aufnahme wartet auf Transkription.";
    wait(count): "{count} recording waits" / "{count} recordings wait"
        | "{count} Aufnahme wartet" / "{count} Aufnahmen warten";
    wait_for(count, age): "{count} recording waits, for {age}" / "{count} recordings wait, the oldest for {age}"
        | "{count} Aufnahme wartet, seit {age}" / "{count} Aufnahmen warten, die älteste seit {age}";
}
