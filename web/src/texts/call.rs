//! Texts of the call page: player, transcript and facts.

super::texts! {
    call: "Call" | "Anruf";
    all_calls: "All calls" | "Alle Anrufe";
    the_call: "The call" | "Der Anruf";
    about_transcript: "About the transcript" | "Zum Transkript";
    no_such_call: "There is no such call" | "Diesen Anruf gibt es nicht";
    look_again: "Look at its number again, or find it in the list."
        | "Prüfen Sie seine Nummer, oder suchen Sie ihn in der Liste.";
    download: "Download" | "Herunterladen";
    for_web: "Captions for the web" | "Untertitel für das Web";
    for_players: "Subtitles for players" | "Untertitel für Player";
    text: "Text" | "Text";
    to_be_read: "To be read" | "Zum Lesen";
    every_word: "With every word and its time" | "Mit jedem Wort und seiner Zeit";
    identifier: "Identifier" | "Kennung";
    /// Length of a call.
    lasting(length): "for {length}" | "Dauer {length}";

    player(id): "Player: call {id}" | "Player: Anruf {id}";
    caller: "Caller" | "Anrufer";
    started: "Started" | "Begonnen";
    ended: "Ended" | "Beendet";
    callee: "Callee" | "Angerufener";
    both_sides: "Both sides" | "Beide Seiten";
    play: "Play" | "Abspielen";
    pause: "Pause" | "Anhalten";
    speed: "Speed" | "Geschwindigkeit";
    position: "Position" | "Position";
    position_of(position, length): "{position} of {length}" | "{position} von {length}";
    cannot_play: "This browser can't play the recording." | "Dieser Browser kann die Aufnahme nicht abspielen.";
    back: "5 seconds back" | "5 Sekunden zurück";
    on: "5 seconds on" | "5 Sekunden vor";
    keyboard: "Keyboard" | "Tastatur";
    space_key: "Space" | "Leertaste";
    enter_key: "Enter" | "Eingabe";
    shift_enter_key: "Shift+Enter" | "Umschalt+Eingabe";
    play_or_pause: "Play or pause" | "Abspielen oder anhalten";
    back_or_on: "5 seconds back or on" | "5 Sekunden zurück oder vor";
    segment_before_or_after: "Previous or next segment, also K and J"
        | "Voriger oder nächster Abschnitt, auch K und J";
    search_call: "Search in this call" | "In diesem Anruf suchen";
    place_before_or_after: "Next or previous place found" | "Nächste oder vorige Fundstelle";

    what_was_said: "What was said" | "Was gesagt wurde";
    /// Before the sample of a highlighted word, which is `unsure`.
    mark: "Mark " | "";
    unsure: "unsure" | "Unsichere";
    words_after_mark: " words" | " Wörter markieren";
    follow: "Follow along" | "Mitlesen";
    play_from(time): "Play from {time}" | "Ab {time} abspielen";
    taken_out: "Taken out before anything was stored: it may be the number of a card"
        | "Vor dem Speichern entfernt: Es könnte eine Kartennummer sein";
    confidence(percent): "Recognised with {percent} % confidence" | "Mit {percent} % Sicherheit erkannt";
    seconds_without_words(seconds): "{seconds} s without words" | "{seconds} s ohne Worte";
    seconds_without_speech(seconds): "{seconds} s without speech" | "{seconds} s ohne Sprache";
    minutes_without_words(minutes): "{minutes} min without words" | "{minutes} min ohne Worte";
    minutes_without_speech(minutes): "{minutes} min without speech" | "{minutes} min ohne Sprache";
    this_transcript: "This transcript" | "Dieses Transkript";
    search_transcript: "Search in this transcript" | "In diesem Transkript suchen";
    /// Short form for narrow screens.
    search_text: "Search the text" | "Im Text suchen";
    not_found: "Not found" | "Nicht gefunden";
    place_of(place, places): "{place} of {places}" | "{place} von {places}";
    previous_place: "Previous place (Shift+Enter)" | "Vorige Fundstelle (Umschalt+Eingabe)";
    next_place: "Next place (Enter)" | "Nächste Fundstelle (Eingabe)";

    no_words: "No words were understood" | "Es wurden keine Wörter verstanden";
    maybe_other_language(length):
        "Somebody speaks for {length}, but the recogniser made out no words. It may be a language that was not permitted \
         when the call was sent."
        | "Es wird {length} lang gesprochen, doch die Spracherkennung hat keine Wörter verstanden. Vielleicht ist es eine \
           Sprache, die beim Senden des Anrufs nicht zugelassen war.";
    nobody_speaks: "Nobody speaks in this call" | "In diesem Anruf spricht niemand";
    no_speech_found(length):
        "The recogniser listened to {length} and found no speech. Silence and noise are never turned into text."
        | "Die Spracherkennung hat {length} angehört und keine Sprache gefunden. Aus Stille und Geräuschen wird nie Text.";
    not_yet: "Not transcribed yet" | "Noch nicht transkribiert";
    send_and_read: "Send the call to speech recognition, and read here what was said."
        | "Senden Sie den Anruf an die Spracherkennung, und lesen Sie hier, was gesagt wurde.";
    transcription_failed: "The transcription failed" | "Die Transkription ist fehlgeschlagen";
    transcription_cancelled: "The transcription was cancelled" | "Die Transkription wurde abgebrochen";
    send_again: "Send it again" | "Noch einmal senden";
    purged: "The transcript was purged" | "Das Transkript wurde gelöscht";
    kept_for_a_time: "Transcripts are kept for a set time only, and that of this call is over."
        | "Transkripte werden nur eine festgelegte Zeit aufbewahrt, und die dieses Anrufs ist um.";
    recording_pending: "The recording is in preparation" | "Die Aufnahme wird vorbereitet";
    once_it_is_ready: "Once it is ready, the call can be heard and transcribed."
        | "Sobald sie bereit ist, kann der Anruf angehört und transkribiert werden.";
    recording_failed: "The recording failed" | "Die Aufnahme ist fehlgeschlagen";
    could_not_be_prepared: "It could not be prepared, so the call can be neither heard nor transcribed."
        | "Sie konnte nicht vorbereitet werden. Der Anruf kann weder angehört noch transkribiert werden.";
    no_recording: "No recording" | "Keine Aufnahme";
    add_recording: "Add a recording: WAV, MP3, FLAC or Ogg Vorbis" | "Aufnahme hinzufügen: WAV, MP3, FLAC oder Ogg Vorbis";
    wrong_recording: "Wrong recording?" | "Falsche Aufnahme?";
    replace_recording: "Put another one in its place: WAV, MP3, FLAC or Ogg Vorbis" | "Durch eine andere ersetzen: WAV, MP3, FLAC oder Ogg Vorbis";
    nothing_to_hear: "There is no recording of this call that could be heard or transcribed."
        | "Von diesem Anruf gibt es keine Aufnahme, die angehört oder transkribiert werden könnte.";
    waiting: "Waiting for the recogniser" | "Wartet auf die Spracherkennung";
    in_queue: "The call is in the queue. This page shows the text as soon as it is there."
        | "Der Anruf ist eingereiht. Diese Seite zeigt den Text, sobald er da ist.";
    being_transcribed: "Being transcribed" | "Wird transkribiert";
    is_listening: "The recogniser is listening. This page shows the text as soon as it is there."
        | "Die Spracherkennung hört zu. Diese Seite zeigt den Text, sobald er da ist.";
    attempt_failed(number, error): "Attempt {number} failed: {error} It is tried again."
        | "Versuch {number} ist fehlgeschlagen: {error} Es wird noch einmal versucht.";
    /// Before a time.
    sent_at: "Sent " | "Gesendet ";
    transcript_is_loading: "The transcript is loading" | "Das Transkript wird geladen";

    the_transcription: "The transcription" | "Die Transkription";
    languages: "Languages" | "Sprachen";
    side: "Side" | "Seite";
    sent: "Sent" | "Gesendet";
    finished: "Finished" | "Beendet";
    took: "Took" | "Dauer";
    seconds(seconds): "{seconds} s" | "{seconds} s";
    attempts: "Attempts" | "Versuche";
    token: "Token" | "Token";
    the_transcript: "The transcript" | "Das Transkript";
    words: "Words" | "Wörter";
    taken_out_label: "Card numbers taken out" | "Entfernte Kartennummern";
    nothing_taken_out: "none" | "keine";
    numbers(count): "{count} number" / "{count} numbers" | "{count} Nummer" / "{count} Nummern";
    recogniser: "Recogniser" | "Sprach\u{ad}erkennung";
    spoken(length): "{length} spoken" | "{length} gesprochen";
    nobody_spoke: "nobody spoke" | "niemand hat gesprochen";
    language_sure(language, percent): "{language}, {percent} % sure" | "{language}, zu {percent} % sicher";
}
