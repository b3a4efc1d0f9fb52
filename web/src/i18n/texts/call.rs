//! Texts of the call page: player, transcript and details.

super::texts! {
    all_calls: "All calls" | "Alle Anrufe";
    transcript_details: "Transcript details" | "Details zum Transkript";
    call_not_found: "Call not found" | "Anruf nicht gefunden";
    call_not_found_hint: "Check the ID, or search the call list." | "Prüfen Sie die ID oder suchen Sie in der Anrufliste.";
    download: "Download" | "Herunterladen";
    web_captions: "Web captions" | "Untertitel für Webseiten";
    player_subtitles: "Subtitles for video players" | "Untertitel für Videoplayer";
    text: "Text" | "Text";
    reading_format: "For reading" | "Zum Lesen";
    words_with_times: "Every word with its time" | "Jedes Wort mit Zeitangabe";
    identifier: "Identifier" | "Kennung";
    /// Length of a call.
    for_duration(length): "for {length}" | "Dauer {length}";

    player(id): "Player: call {id}" | "Player: Anruf {id}";
    caller: "Caller" | "Anrufer";
    started: "Started" | "Beginn";
    ended: "Ended" | "Ende";
    callee: "Callee" | "Angerufener";
    both_sides: "Both sides" | "Beide Seiten";
    play: "Play" | "Abspielen";
    pause: "Pause" | "Pause";
    speed: "Speed" | "Geschwindigkeit";
    position: "Position" | "Position";
    cannot_play: "This browser can't play the recording." | "Dieser Browser kann die Aufnahme nicht abspielen.";
    back: "Back 5 seconds" | "5 Sekunden zurück";
    forward: "Forward 5 seconds" | "5 Sekunden vor";
    keyboard: "Keyboard" | "Tastatur";
    enter_key: "Enter" | "Eingabe";
    shift_enter_key: "Shift+Enter" | "Umschalt+Eingabe";
    seek_keys: "Back or forward 5 seconds" | "5 Sekunden zurück oder vor";
    segment_keys: "Previous or next segment, also K and J" | "Vorheriger oder nächster Abschnitt, auch K und J";
    search_call: "Search this call" | "In diesem Anruf suchen";
    match_keys: "Next or previous match" | "Nächster oder vorheriger Treffer";

    conversation: "Conversation" | "Gespräch";
    /// Before the sample of a highlighted word, `uncertain`.
    highlight: "Highlight " | "";
    uncertain: "uncertain" | "Unsichere";
    uncertain_words_suffix: " words" | " Wörter hervorheben";
    follow: "Follow along" | "Mitlesen";
    play_from(time): "Play from {time}" | "Ab {time} abspielen";
    redacted_title: "Removed before storing: possibly a card number" | "Vor dem Speichern entfernt: möglicherweise eine Kartennummer";
    confidence(percent): "{percent}% confidence" | "zu {percent} % sicher";
    time_without_words(length): "{length} without words" | "{length} ohne erkannte Wörter";
    time_without_speech(length): "{length} without speech" | "{length} ohne Sprache";
    this_transcript: "This transcript" | "Dieses Transkript";
    search_transcript: "Search this transcript" | "In diesem Transkript suchen";
    /// Short form for narrow screens.
    search_text: "Search text" | "Im Text suchen";
    no_matches: "No matches" | "Keine Treffer";
    previous_match: "Previous match (Shift+Enter)" | "Vorheriger Treffer (Umschalt+Eingabe)";
    next_match: "Next match (Enter)" | "Nächster Treffer (Eingabe)";

    no_words: "No words recognized" | "Keine Wörter erkannt";
    no_words_recognized(length):
        "There is {length} of speech, but no words were recognized. The language may not be among those chosen when the call was sent."
        | "Es wird {length} lang gesprochen, aber es wurden keine Wörter erkannt. Vielleicht war die Sprache beim Senden des Anrufs nicht ausgewählt.";
    no_speech: "No speech in this call" | "Keine Sprache in diesem Anruf";
    no_speech_found(length): "No speech was found in {length} of audio."
        | "In {length} Aufnahme wurde keine Sprache gefunden.";
    not_transcribed: "Not transcribed yet" | "Noch nicht transkribiert";
    send_to_transcribe: "Send the call to speech recognition to get its transcript."
        | "Senden Sie den Anruf an die Spracherkennung, um ein Transkript zu erhalten.";
    transcription_failed: "Transcription failed" | "Transkription fehlgeschlagen";
    transcription_cancelled: "Transcription cancelled" | "Transkription abgebrochen";
    transcript_deleted: "Transcript deleted" | "Transkript gelöscht";
    transcript_retention_note: "Transcripts are deleted automatically after a set time."
        | "Transkripte werden nach einer festgelegten Zeit automatisch gelöscht.";
    recording_pending: "Preparing the recording" | "Aufnahme wird vorbereitet";
    available_when_ready: "You can play and transcribe the call when it is ready."
        | "Sobald sie bereit ist, können Sie den Anruf abspielen und transkribieren.";
    recording_failed: "Recording failed" | "Aufnahme fehlgeschlagen";
    recording_failed_hint: "The recording couldn't be processed, so the call can't be played or transcribed."
        | "Die Aufnahme konnte nicht verarbeitet werden. Der Anruf lässt sich nicht abspielen oder transkribieren.";
    add_recording: "Add a recording: WAV, MP3, FLAC or Ogg Vorbis" | "Aufnahme hinzufügen: WAV, MP3, FLAC oder Ogg Vorbis";
    wrong_recording: "Wrong recording?" | "Falsche Aufnahme?";
    replace_recording: "Replace it: WAV, MP3, FLAC or Ogg Vorbis" | "Ersetzen: WAV, MP3, FLAC oder Ogg Vorbis";
    no_recording_hint: "This call has no recording to play or transcribe."
        | "Dieser Anruf hat keine Aufnahme zum Abspielen oder Transkribieren.";
    waiting: "Waiting for transcription" | "Wartet auf Transkription";
    in_queue: "The call is in the queue. The transcript appears here when it is ready."
        | "Der Anruf ist in der Warteschlange. Das Transkript erscheint hier, sobald es fertig ist.";
    being_transcribed: "Transcribing" | "Wird transkribiert";
    transcription_running_note: "The transcript appears here when it is ready." | "Das Transkript erscheint hier, sobald es fertig ist.";
    attempt_failed(number, error): "Attempt {number} failed: {error} It will be retried."
        | "Versuch {number} fehlgeschlagen: {error} Er wird wiederholt.";
    /// Before a time.
    sent_at: "Sent " | "Gesendet ";
    transcript_is_loading: "Loading transcript" | "Transkript wird geladen";

    languages: "Languages" | "Sprachen";
    side: "Side" | "Seite";
    sent: "Sent" | "Gesendet";
    finished: "Finished" | "Abgeschlossen";
    words: "Words" | "Wörter";
    redacted_numbers: "Card numbers removed" | "Entfernte Kartennummern";
    none_redacted: "none" | "keine";
    numbers(count): "{count} number" / "{count} numbers" | "{count} Nummer" / "{count} Nummern";
    recognizer: "Model" | "Modell";
    length_of_speech(length): "{length} of speech" | "{length} gesprochen";
    no_speech_label: "no speech" | "keine Sprache";
    language_with_confidence(language, percent): "{language}, {percent}% confidence" | "{language}, zu {percent} % sicher";
}
