//! Reasons why a file can't be used as a recording.

super::messages! {
    pub;
    empty: "the file is empty; send the recording itself" | "die Datei ist leer; senden Sie die Aufnahme selbst";
    unknown_format:
        "no audio format is recognized; raw telephone audio (`.sln`, `.ulaw`, `.alaw`, `.gsm`, `.g729`) has no header and \
         can't be read; convert it to WAV, for example with \
         `sox -t raw -r 8000 -e signed -b 16 -c 1 call.sln call.wav`" |
        "kein Audioformat erkannt; rohe Telefonaufnahmen (`.sln`, `.ulaw`, `.alaw`, `.gsm`, `.g729`) haben keinen Dateikopf und \
         lassen sich nicht lesen; wandeln Sie sie in WAV um, zum Beispiel mit \
         `sox -t raw -r 8000 -e signed -b 16 -c 1 call.sln call.wav`";
    other_audio(name):
        "`{name}` can't be read; convert the file to WAV, for example with `ffmpeg -i FILE call.wav`" |
        "`{name}` lässt sich nicht lesen; wandeln Sie die Datei in WAV um, zum Beispiel mit `ffmpeg -i DATEI call.wav`";
    no_audio(name):
        "the file is {name}, not audio; send WAV, MP3, FLAC or Ogg Vorbis" |
        "die Datei ist kein Audio, sondern {name}; senden Sie WAV, MP3, FLAC oder Ogg Vorbis";
    office_document: "an Office document" | "ein Office-Dokument";
    sqlite_database: "an SQLite database" | "eine SQLite-Datenbank";
    elf_program: "an ELF program" | "ein ELF-Programm";
    windows_program: "a Windows program" | "ein Windows-Programm";
    plain_text: "plain text" | "reiner Text";
    wav_encoding(name, tag):
        "the audio of the WAV file is encoded as `{name}` (format `{tag}`), which can't be read; record as `wav` with 16-bit PCM, or \
         convert the file, for example with `ffmpeg -i FILE call.wav`" |
        "der Ton der WAV-Datei ist als `{name}` kodiert (Format `{tag}`) und lässt sich nicht lesen; nehmen Sie als `wav` mit \
         16-Bit-PCM auf oder wandeln Sie die Datei um, zum Beispiel mit `ffmpeg -i DATEI call.wav`";
    unknown_wav_encoding(tag):
        "the audio of the WAV file is in an unknown encoding (format `{tag}`), which can't be read; record as `wav` with 16-bit PCM, \
         or convert the file, for example with `ffmpeg -i FILE call.wav`" |
        "der Ton der WAV-Datei ist in einer unbekannten Kodierung (Format `{tag}`) und lässt sich nicht lesen; nehmen Sie als `wav` \
         mit 16-Bit-PCM auf oder wandeln Sie die Datei um, zum Beispiel mit `ffmpeg -i DATEI call.wav`";
    damaged_format_chunk(field, value):
        "the format chunk of the WAV file is damaged: `{field}` can't be `{value}`" |
        "der Format-Chunk der WAV-Datei ist beschädigt: `{field}` kann nicht `{value}` sein";
    no_format_chunk: "the WAV file has no format chunk (`fmt `)" | "die WAV-Datei hat keinen Format-Chunk (`fmt `)";
    no_data_chunk:
        "the WAV file has no data chunk, or a damaged chunk precedes it" |
        "die WAV-Datei hat keinen Daten-Chunk (`data`), oder ein beschädigter Chunk steht davor";
    damaged_header(container):
        "the header of the `{container}` file is damaged" |
        "der Kopf der `{container}`-Datei ist beschädigt";
    encoding(container):
        "the audio of the `{container}` file is in an encoding that can't be read; convert it to WAV, for example with \
         `ffmpeg -i FILE call.wav`" |
        "der Ton der `{container}`-Datei ist in einer Kodierung, die sich nicht lesen lässt; wandeln Sie sie in WAV um, zum Beispiel \
         mit `ffmpeg -i DATEI call.wav`";
    no_sound(container): "the `{container}` file contains no audio" | "die `{container}`-Datei enthält keinen Ton";
    damaged(container):
        "the `{container}` file is damaged: most of its audio can't be decoded" |
        "die `{container}`-Datei ist beschädigt; der größte Teil des Tons lässt sich nicht dekodieren";
    decoder_crashed: "the file is damaged: it can't be decoded" | "die Datei ist beschädigt und lässt sich nicht dekodieren";
    channels(found): "expected 1 or 2 channels, found {found}" | "erwartet: 1 oder 2 Kanäle, gefunden: {found}";
    sample_rate(min, max, found):
        "expected {min} to {max} samples per second, found {found}" |
        "erwartet: {min} bis {max} Abtastwerte pro Sekunde, gefunden: {found}";
    chained:
        "the file contains several recordings, one after another; send each one separately" |
        "die Datei enthält mehrere Aufnahmen hintereinander; senden Sie sie einzeln";
    too_long: "the recording is longer than 24 hours" | "die Aufnahme ist länger als 24 Stunden";
    too_slow: "the recording takes too long to decode" | "das Dekodieren der Aufnahme dauert zu lange";
}
