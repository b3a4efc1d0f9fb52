//! Texts of the call page: player, transcript and facts.

super::texts! {
    call: "Call" | "Anruf";
    all_calls: "All calls" | "Alle Anrufe";
    the_call: "Call" | "Anruf";
    about_transcript: "Transcript details" | "Details zum Transkript";
    no_such_call: "Call not found" | "Anruf nicht gefunden";
    look_again: "Check the number, or search the call list." | "Prüfen Sie die Nummer, oder suchen Sie in der Anrufliste.";
    download: "Download" | "Herunterladen";
    for_web: "Web captions" | "Untertitel für Webseiten";
    for_players: "Subtitles for video players" | "Untertitel für Videoplayer";
    text: "Text" | "Text";
    to_be_read: "For reading" | "Zum Lesen";
    every_word: "Every word with its time" | "Jedes Wort mit Zeitangabe";
    identifier: "Identifier" | "Kennung";
    /// Length of a call.
    lasting(length): "for {length}" | "Dauer {length}";

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
    position_of(position, length): "{position} of {length}" | "{position} von {length}";
    cannot_play: "This browser can't play the recording." | "Dieser Browser kann die Aufnahme nicht abspielen.";
    back: "Back 5 seconds" | "5 Sekunden zurück";
    on: "Forward 5 seconds" | "5 Sekunden vor";
    keyboard: "Keyboard" | "Tastatur";
    space_key: "Space" | "Leertaste";
    enter_key: "Enter" | "Eingabe";
    shift_enter_key: "Shift+Enter" | "Umschalt+Eingabe";
    play_or_pause: "Play or pause" | "Wiedergabe oder Pause";
    back_or_on: "Back or forward 5 seconds" | "5 Sekunden zurück oder vor";
    segment_before_or_after: "Previous or next segment, also K and J" | "Vorheriger oder nächster Abschnitt, auch K und J";
    search_call: "Search this call" | "In diesem Anruf suchen";
    place_before_or_after: "Next or previous match" | "Nächster oder vorheriger Treffer";

    what_was_said: "Conversation" | "Gespräch";
    /// Before the sample of a highlighted word, which is `unsure`.
    mark: "Highlight " | "";
    unsure: "uncertain" | "Unsichere";
    words_after_mark: " words" | " Wörter hervorheben";
    follow: "Follow along" | "Mitlesen";
    play_from(time): "Play from {time}" | "Ab {time} abspielen";
    taken_out: "Removed before storing: possibly a card number" | "Vor dem Speichern entfernt: möglicherweise eine Kartennummer";
    confidence(percent): "{percent}% confidence" | "{percent} % Sicherheit";
    seconds_without_words(seconds): "{seconds} s without words" | "{seconds} s ohne Worte";
    seconds_without_speech(seconds): "{seconds} s without speech" | "{seconds} s ohne Sprache";
    minutes_without_words(minutes): "{minutes} min without words" | "{minutes} min ohne Worte";
    minutes_without_speech(minutes): "{minutes} min without speech" | "{minutes} min ohne Sprache";
    this_transcript: "This transcript" | "Dieses Transkript";
    search_transcript: "Search this transcript" | "In diesem Transkript suchen";
    /// Short form for narrow screens.
    search_text: "Search text" | "Im Text suchen";
    not_found: "No matches" | "Keine Treffer";
    place_of(place, places): "{place} of {places}" | "{place} von {places}";
    previous_place: "Previous match (Shift+Enter)" | "Vorheriger Treffer (Umschalt+Eingabe)";
    next_place: "Next match (Enter)" | "Nächster Treffer (Eingabe)";

    no_words: "No words recognised" | "Keine Wörter erkannt";
    maybe_other_language(length):
        "There is {length} of speech, but no words were recognised. The language may not be among those chosen when the call was sent."
        | "Es wird {length} lang gesprochen, aber es wurden keine Wörter erkannt. Vielleicht war die Sprache beim Senden des Anrufs nicht ausgewählt.";
    nobody_speaks: "No speech in this call" | "Keine Sprache in diesem Anruf";
    no_speech_found(length): "No speech was found in {length} of recording."
        | "In {length} Aufnahme wurde keine Sprache gefunden.";
    not_yet: "Not transcribed yet" | "Noch nicht transkribiert";
    send_and_read: "Send the call to speech recognition to get its transcript."
        | "Senden Sie den Anruf an die Spracherkennung, um ein Transkript zu erhalten.";
    transcription_failed: "Transcription failed" | "Transkription fehlgeschlagen";
    transcription_cancelled: "Transcription cancelled" | "Transkription abgebrochen";
    send_again: "Send again" | "Erneut senden";
    purged: "Transcript deleted" | "Transkript gelöscht";
    kept_for_a_time: "Transcripts are deleted automatically after a set time."
        | "Transkripte werden nach einer festgelegten Zeit automatisch gelöscht.";
    recording_pending: "Preparing the recording" | "Aufnahme wird vorbereitet";
    once_it_is_ready: "You can play and transcribe the call when it is ready."
        | "Sobald sie bereit ist, können Sie den Anruf abspielen und transkribieren.";
    recording_failed: "Recording failed" | "Aufnahme fehlgeschlagen";
    could_not_be_prepared: "The recording couldn't be processed, so the call can't be played or transcribed."
        | "Die Aufnahme konnte nicht verarbeitet werden. Der Anruf lässt sich nicht abspielen oder transkribieren.";
    no_recording: "No recording" | "Keine Aufnahme";
    add_recording: "Add a recording: WAV, MP3, FLAC or Ogg Vorbis" | "Aufnahme hinzufügen: WAV, MP3, FLAC oder Ogg Vorbis";
    wrong_recording: "Wrong recording?" | "Falsche Aufnahme?";
    replace_recording: "Replace it: WAV, MP3, FLAC or Ogg Vorbis" | "Ersetzen: WAV, MP3, FLAC oder Ogg Vorbis";
    nothing_to_hear: "This call has no recording to play or transcribe."
        | "Dieser Anruf hat keine Aufnahme zum Abspielen oder Transkribieren.";
    waiting: "Waiting for transcription" | "Wartet auf Transkription";
    in_queue: "The call is in the queue. The transcript appears here when it is ready."
        | "Der Anruf ist in der Warteschlange. Das Transkript erscheint hier, sobald es fertig ist.";
    being_transcribed: "Transcribing" | "Wird transkribiert";
    is_listening: "The transcript appears here when it is ready." | "Das Transkript erscheint hier, sobald es fertig ist.";
    attempt_failed(number, error): "Attempt {number} failed: {error} It will be retried."
        | "Versuch {number} fehlgeschlagen: {error} Er wird wiederholt.";
    /// Before a time.
    sent_at: "Sent " | "Gesendet ";
    transcript_is_loading: "Loading transcript" | "Transkript wird geladen";

    the_transcription: "Transcription" | "Transkription";
    languages: "Languages" | "Sprachen";
    side: "Side" | "Seite";
    sent: "Sent" | "Gesendet";
    finished: "Finished" | "Abgeschlossen";
    took: "Duration" | "Dauer";
    seconds(seconds): "{seconds} s" | "{seconds} s";
    attempts: "Attempts" | "Versuche";
    token: "Token" | "Token";
    the_transcript: "Transcript" | "Transkript";
    words: "Words" | "Wörter";
    taken_out_label: "Card numbers removed" | "Entfernte Kartennummern";
    nothing_taken_out: "none" | "keine";
    numbers(count): "{count} number" / "{count} numbers" | "{count} Nummer" / "{count} Nummern";
    recogniser: "Model" | "Modell";
    spoken(length): "{length} of speech" | "{length} gesprochen";
    nobody_spoke: "no speech" | "keine Sprache";
    language_sure(language, percent): "{language}, {percent}% confidence" | "{language}, {percent} % Sicherheit";
}
