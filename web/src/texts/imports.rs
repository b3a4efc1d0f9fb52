//! Texts of imports: file, columns, results of the rows, and undo.

use leadscribe_engine::api::{FindingCode, ImportKind, LeftReason};

super::texts! {
    imports: "Imports" | "Importe";
    role_only_reads: "Your role may look at imports, but not start one." | "Ihre Rolle darf Importe ansehen, aber keinen starten.";
    earlier: "Earlier imports" | "Frühere Importe";
    search_names: "Search file names" | "Dateinamen suchen";
    name: "Name of the file…" | "Name der Datei …";
    any_kind: "Holds: anything" | "Enthält: alles";
    any_state: "State: any" | "Status: alle";
    no_match: "No import matches" | "Kein Import passt zum Filter";
    widen: "Widen the filter to see more." | "Fassen Sie den Filter weiter, um mehr zu sehen.";
    show_all: "Show all imports" | "Alle Importe zeigen";
    none_yet: "No imports yet" | "Noch keine Importe";
    none_yet_about: "Files that were imported are listed here, with what became of their rows."
        | "Hier stehen importierte Dateien und was aus ihren Zeilen wurde.";

    campaigns: "Campaigns" | "Kampagnen";
    leads: "Leads" | "Leads";
    campaign_leads: "Campaign leads" | "Kampagnen-Leads";
    calls: "Calls" | "Anrufe";

    import_a_file: "Import a file" | "Datei importieren";
    what_it_holds: "What the file holds" | "Was die Datei enthält";
    campaigns_file: "Campaigns as a CSV file" | "Kampagnen als CSV-Datei";
    leads_file: "Leads as a CSV file" | "Leads als CSV-Datei";
    campaign_leads_file: "Campaign leads as a CSV file" | "Kampagnen-Leads als CSV-Datei";
    calls_file: "Calls as a CSV file" | "Anrufe als CSV-Datei";
    drop_or_pick: "Drop it here, or press to pick it" | "Hier ablegen oder zum Auswählen klicken";
    workbook: "This is a workbook of a spreadsheet. Save its sheet as CSV there, and drop that file."
        | "Das ist eine Arbeitsmappe einer Tabellenkalkulation. Speichern Sie das Blatt dort als CSV und legen Sie diese Datei hier ab.";
    utf32: "This file is UTF-32, which can't be read. Save it as “CSV UTF-8” and pick it again."
        | "Diese Datei ist UTF-32 und kann nicht gelesen werden. Speichern Sie sie als „CSV UTF-8“ und wählen Sie sie erneut.";
    unknown_delimiter: "The first line (sep=) names a separator that can't be read. Save the file with commas, semicolons, tabs or bars."
        | "Die erste Zeile (sep=) nennt ein Trennzeichen, das nicht gelesen werden kann. Speichern Sie die Datei mit Kommas, Semikolons, Tabulatoren oder Pipe-Zeichen.";
    unreadable: "The browser can't read this file." | "Der Browser kann diese Datei nicht lesen.";
    nothing_in_it: "There is nothing in this file." | "Diese Datei ist leer.";

    columns: "Columns" | "Spalten";
    columns_about: "The first line names them, in any order; other names can be given their field. An empty cell is no value."
        | "Die erste Zeile nennt sie in beliebiger Reihenfolge; anderen Namen kann ein Feld zugeordnet werden. Eine leere Zelle ist kein Wert.";
    note_campaigns: "Calling hours go by each lead's own time zone." | "Anrufzeiten gelten in der Zeitzone des jeweiligen Leads.";
    note_leads: "Custom fields stand as custom.<name>." | "Eigene Felder heißen custom.<name>.";
    note_campaign_leads: "An unknown status is added to the list of statuses."
        | "Ein unbekannter Status wird in die Liste der Status aufgenommen.";
    note_calls: "Asterisk’s own Master.csv and FreePBX’s CSV reports are taken as they are, together with the folder of their recordings. Those of other files are uploaded per call, or imported with the command line."
        | "Die Master.csv von Asterisk und CSV-Berichte von FreePBX werden so genommen, wie sie sind, zusammen mit dem Ordner ihrer Aufnahmen. Die anderer Dateien werden je Anruf hochgeladen oder mit der Kommandozeile importiert.";
    empty_file: "Empty file with these columns" | "Leere Datei mit diesen Spalten";

    file_columns(count): "{count} column" / "{count} columns" | "{count} Spalte" / "{count} Spalten";
    file_columns_separated(count, separator): "{count} column, separated by {separator}" / "{count} columns, separated by {separator}"
        | "{count} Spalte, getrennt durch {separator}" / "{count} Spalten, getrennt durch {separator}";
    other_file: "Another file" | "Andere Datei";
    read_as_windows: "It isn't UTF-8 and is read as Windows-1252, as Excel saves it: look whether letters such as ü and é are right below."
        | "Die Datei ist nicht UTF-8 und wird als Windows-1252 gelesen, wie Excel sie speichert: Prüfen Sie unten, ob Buchstaben wie ü und é stimmen.";
    read_as_utf16: "It is read as UTF-16, as Excel saves “Unicode text”."
        | "Die Datei wird als UTF-16 gelesen, wie Excel „Unicode-Text“ speichert.";
    garbled: "Some of it is no UTF-8. Save the file as “CSV UTF-8” and pick it again, or rows are refused whose columns are imported and have such letters."
        | "Teile davon sind kein UTF-8. Speichern Sie die Datei als „CSV UTF-8“ und wählen Sie sie erneut, sonst werden Zeilen abgelehnt, deren importierte Spalten solche Buchstaben haben.";
    file_columns_label: "Columns of the file" | "Spalten der Datei";
    first_rows(count): "First row" / "First {count} rows" | "Die erste Zeile" / "Die ersten {count} Zeilen";
    count_changes: "Count what would change" | "Änderungen zählen";
    import_campaigns: "Import campaigns" | "Kampagnen importieren";
    import_leads: "Import leads" | "Leads importieren";
    import_campaign_leads: "Import campaign leads" | "Kampagnen-Leads importieren";
    import_calls: "Import calls" | "Anrufe importieren";
    uploading(percent): "Uploading, {percent} %" | "Wird hochgeladen, {percent} %";

    zone: "Time zone of its times" | "Zeitzone der Uhrzeiten";
    zone_hint: "As on the telephone system: an IANA name" | "Wie in der Telefonanlage: ein IANA-Name";
    extensions: "Extensions" | "Nebenstellen";
    extensions_hint: "Optional, such as 1XX, 200-299. Every other channel is a trunk." | "Optional, etwa 1XX, 200-299. Jeder andere Kanal ist eine Amtsleitung.";
    trunks: "Trunks" | "Amtsleitungen";
    trunks_hint: "Optional, such as 12345, line-*. Calls from trunks are inbound." | "Optional, etwa 12345, line-*. Anrufe von Amtsleitungen sind eingehend.";
    asterisk: "Call detail records of Asterisk" | "Verbindungsdaten von Asterisk";
    /// Followed by the name of a field and the rest of the sentence.
    asterisk_about: "All rows of a call become one call: numbers, direction, agent, outcome and times. A recording is known by the call’s "
        | "Alle Zeilen eines Anrufs werden ein Anruf: Nummern, Richtung, Agent, Ergebnis und Zeiten. Eine Aufnahme wird an der ";
    asterisk_about_end: " in the name of its file." | " ihres Anrufs im Dateinamen erkannt.";
    folder: "Folder of the recordings" | "Ordner mit den Aufnahmen";
    folder_hint: "Drop it here, or press to pick it. What belongs to a call of the file is uploaded after the rows."
        | "Hier ablegen oder zum Auswählen klicken. Was zu einem Anruf der Datei gehört, wird nach den Zeilen hochgeladen.";
    folder_by_command: "The file is too large to be compared with a folder here. Use `leadscribe import calls … --recordings DIR`."
        | "Die Datei ist zu groß, um sie hier mit einem Ordner zu vergleichen. Verwenden Sie `leadscribe import calls … --recordings DIR`.";
    looking: "Comparing the files with the calls…" | "Dateien und Anrufe werden verglichen…";
    recordings_found(count): "{count} recording belongs to a call of the file." / "{count} recordings belong to calls of the file."
        | "{count} Aufnahme gehört zu einem Anruf der Datei." / "{count} Aufnahmen gehören zu Anrufen der Datei.";
    files_unused(count): "{count} file belongs to no answered call of the file" / "{count} files belong to no answered call of the file"
        | "{count} Datei gehört zu keinem angenommenen Anruf der Datei" / "{count} Dateien gehören zu keinem angenommenen Anruf der Datei";
    which_recording(identifier): "Several files could be the recording of call {identifier}; none of them is taken."
        | "Mehrere Dateien könnten die Aufnahme des Anrufs {identifier} sein; keine davon wird genommen.";
    recordings: "Recordings" | "Aufnahmen";
    recordings_wait(count): "{count} recording is uploaded once the rows are in." / "{count} recordings are uploaded once the rows are in."
        | "{count} Aufnahme wird hochgeladen, sobald die Zeilen importiert sind." / "{count} Aufnahmen werden hochgeladen, sobald die Zeilen importiert sind.";
    /// Number of uploaded recordings, and the total.
    recordings_of(count, kept): "{kept} of {count} recording uploaded." / "{kept} of {count} recordings uploaded."
        | "{kept} von {count} Aufnahme hochgeladen." / "{kept} von {count} Aufnahmen hochgeladen.";
    recordings_stopped(count, kept): "Stopped: {kept} of {count} recording uploaded." / "Stopped: {kept} of {count} recordings uploaded."
        | "Abgebrochen: {kept} von {count} Aufnahme hochgeladen." / "Abgebrochen: {kept} von {count} Aufnahmen hochgeladen.";
    /// Follows the number of uploads. The reason comes from the server.
    recordings_held_up(why): "{why}: tried again in a moment." | "{why}: gleich noch ein Versuch.";
    recordings_failed: "Files that went to no call" | "Dateien, die zu keinem Anruf kamen";
    no_call_of_it: "Its call isn’t there: the row was refused." | "Den Anruf gibt es nicht: die Zeile wurde abgelehnt.";

    columns_as_before(when): "Columns as in your import of {when}." | "Spalten wie bei Ihrem Import vom {when}.";
    go_by_names: "Go by their names instead" | "Stattdessen nach den Namen";
    column: "Column" | "Spalte";
    nameless_column(number): "Column {number}" | "Spalte {number}";
    values: "Values" | "Werte";
    goes_to: "Goes to" | "Wird zu";
    field_of(column): "Field of the column {column}" | "Feld der Spalte {column}";
    custom: "Custom" | "Eigenes";
    custom_field(name): "Custom field “{name}”" | "Eigenes Feld „{name}“";
    leave_out: "Leave out" | "Weglassen";
    left_out(count, columns): "{count} column is left out: {columns}" / "{count} columns are left out: {columns}"
        | "{count} Spalte wird weggelassen: {columns}" / "{count} Spalten werden weggelassen: {columns}";
    map_one(first, second): "One column must go to “{first}” or to “{second}”: by it a row is known."
        | "Eine Spalte muss zu „{first}“ oder zu „{second}“ werden: Daran wird eine Zeile erkannt.";
    map_one_or_both(first, second, third): "One column must go to “{first}”, or two to “{second}” and “{third}”: by them a row is known."
        | "Eine Spalte muss zu „{first}“ werden, oder zwei zu „{second}“ und „{third}“: Daran wird eine Zeile erkannt.";
    known_by: "Or know each row by" | "Oder jede Zeile erkennen an";
    known_by_hint: "A column with another value in each row, such as the phone number. The same list in again then finds its leads."
        | "Eine Spalte mit anderem Wert in jeder Zeile, etwa die Telefonnummer. Dieselbe Liste findet dann beim nächsten Mal ihre Leads.";
    country_of_numbers: "Numbers without a country are of" | "Nummern ohne Land sind aus";
    country_of_numbers_hint: "Numbers that don’t begin with +, where the row names no known country."
        | "Nummern, die nicht mit + beginnen, wenn die Zeile kein bekanntes Land nennt.";
    numbers_written: "Amounts are written" | "Beträge stehen als";
    choose_how_numbers_are_written: "Choose one: some amounts could mean either, and are read with a point before their fraction." |
        "Wählen Sie: Manche Beträge könnten beides bedeuten und werden mit Punkt vor den Nachkommastellen gelesen.";
    numbers_written_hint: "Says what 1.234 and 1,234 mean." | "Davon hängt ab, was 1.234 und 1,234 bedeuten.";
    duplicates: "Rows with the same identifier" | "Zeilen mit derselben Kennung";
    duplicates_hint: "Count what would change to see which rows these are." | "„Änderungen zählen“ zeigt, welche das sind.";
    first_goes_in: "Import the first" | "Erste importieren";
    none_goes_in: "Import none of them" | "Keine davon importieren";
    either_way: "Either way; 1.234 is refused" | "Beides; 1.234 wird abgelehnt";
    put_into_campaign: "Put the leads into" | "Leads aufnehmen in";
    put_into_campaign_hint: "Leads that are in the campaign already stay as they are there."
        | "Leads, die schon in der Kampagne sind, bleiben dort unverändert.";
    no_campaign: "No campaign" | "Keine Kampagne";
    begin_with_status: "They begin with the status" | "Anfangsstatus";
    default_status: "Default status" | "Standardstatus";
    as_on_server: "What the server is set to" | "Wie auf dem Server eingestellt";
    choose_column: "Choose a column…" | "Spalte wählen …";
    fields_of_campaigns: "Fields of campaigns" | "Felder von Kampagnen";
    fields_of_leads: "Fields of leads" | "Felder von Leads";
    fields_of_campaign_leads: "Fields of campaign leads" | "Felder von Kampagnen-Leads";
    fields_of_calls: "Fields of calls" | "Felder von Anrufen";

    preview: "First rows" | "Erste Zeilen";
    whether_it_goes_in: "Whether it can go in" | "Ob die Zeile importiert werden kann";
    can_go_in: "Can go in" | "Kann importiert werden";
    would_be_refused: "Would be refused" | "Würde abgelehnt";
}

super::texts! {
    this_import: "This import" | "Dieser Import";
    what_would_change: "What would change" | "Was sich ändern würde";
    nothing_written: "Nothing is written yet." | "Noch ist nichts geschrieben.";
    new_statuses: "New statuses" | "Neue Status";
    progress: "Progress" | "Fortschritt";
    rows_read: "Rows read" | "Gelesene Zeilen";
    new: "New" | "Neu";
    changed: "Changed" | "Geändert";
    unchanged: "Unchanged" | "Unverändert";
    refused: "Refused" | "Abgelehnt";
    undialable(count): "{count} row has a phone number that can’t be dialled." / "{count} rows have phone numbers that can’t be dialled."
        | "{count} Zeile hat eine Telefonnummer, die nicht wählbar ist." / "{count} Zeilen haben Telefonnummern, die nicht wählbar sind.";
    undialable_why: "Such numbers are wrong, or of a country that isn’t known: say above which it is."
        | "Sie sind falsch, oder ihr Land ist nicht bekannt: Wählen Sie es oben.";
    see_undialable: "See all leads with such numbers, the latest first" | "Alle Leads mit solchen Nummern ansehen, die neuesten zuerst";
    new_leads(count): "{count} new lead" / "{count} new leads" | "{count} neuer Lead" / "{count} neue Leads";
    put_in(count): "{count} lead was put into the campaign:" / "{count} leads were put into the campaign:"
        | "{count} Lead wurde in die Kampagne aufgenommen:" / "{count} Leads wurden in die Kampagne aufgenommen:";
    would_be_put_in(count): "{count} lead would be put into the campaign:" / "{count} leads would be put into the campaign:"
        | "{count} Lead würde in die Kampagne aufgenommen:" / "{count} Leads würden in die Kampagne aufgenommen:";
    corrects(id): "Corrects rows that import {id} refused" | "Korrigiert Zeilen, die Import {id} abgelehnt hat";
    rows_corrected(count): "{count} refused row was corrected since." / "{count} refused rows were corrected since."
        | "{count} abgelehnte Zeile wurde seitdem korrigiert." / "{count} abgelehnte Zeilen wurden seitdem korrigiert.";
    findings: "Worth checking" | "Bitte prüfen";
    finding: "Finding" | "Hinweis";
    how_many: "How many" | "Anzahl";
    examples: "Examples" | "Beispiele";
    in_column(column): "Column “{column}”" | "Spalte „{column}“";
    at_line(line): "line {line}" | "Zeile {line}";
    did_you_mean(name): "Did you mean “{name}”?" | "Meinten Sie „{name}“?";
    read_as: "read as" | "gelesen als";
    finding_invalid_phone: "Not a valid phone number of its country: it can’t be dialled"
        | "Keine gültige Telefonnummer des Landes: nicht wählbar";
    finding_no_country: "Phone number without a country: choose the country for numbers without one"
        | "Telefonnummer ohne Land: Wählen Sie das Land für Nummern ohne Land";
    finding_unknown_country: "Unknown country: phone numbers without + need a country chosen for the import"
        | "Unbekanntes Land: Telefonnummern ohne + brauchen ein Land, das für den Import gewählt ist";
    finding_phone_rewritten: "Phone number read from a cell with other characters or digits"
        | "Telefonnummer aus einer Zelle mit weiteren Zeichen oder Ziffern gelesen";
    finding_country_code_added: "Country code added to the phone number" | "Telefonnummer um die Landesvorwahl ergänzt";
    finding_no_phone: "Leads without a phone number can’t be called" | "Leads ohne Telefonnummer sind nicht anrufbar";
    finding_no_timezone: "Leads without a time zone can’t be called in campaigns with calling hours"
        | "Leads ohne Zeitzone sind in Kampagnen mit Anrufzeiten nicht anrufbar";
    finding_do_not_call: "Leads marked do-not-call won’t be called" | "Leads mit „Nicht anrufen“ werden nicht angerufen";
    finding_blacklisted: "Blacklisted leads won’t be called" | "Leads auf der Sperrliste werden nicht angerufen";
    finding_campaign_inactive: "The campaign isn’t active: its leads can’t be called"
        | "Die Kampagne ist nicht aktiv: ihre Leads sind nicht anrufbar";
    finding_status_not_dialable: "Leads with this status can’t be called" | "Leads mit diesem Status sind nicht anrufbar";
    correct_row: "Correct" | "Korrigieren";
    correct_line(line): "Correct line {line}" | "Zeile {line} korrigieren";
    too_long_to_correct: "Too long to edit here; correct it in the CSV file" | "Zu lang zum Bearbeiten; korrigieren Sie sie in der CSV-Datei";
    discard_correction: "Discard changes" | "Änderungen verwerfen";
    import_corrected(count): "Import {count} corrected row" / "Import {count} corrected rows"
        | "{count} korrigierte Zeile importieren" / "{count} korrigierte Zeilen importieren";
    correct_hint: "Rows with no faults left are imported with the same settings."
        | "Fehlerfreie korrigierte Zeilen werden mit denselben Einstellungen importiert.";
    corrected_rows_in(count): "{count} corrected row imported." / "{count} corrected rows imported."
        | "{count} korrigierte Zeile importiert." / "{count} korrigierte Zeilen importiert.";
    refused_again(count): "{count} row was refused again." / "{count} rows were refused again."
        | "{count} Zeile wurde erneut abgelehnt." / "{count} Zeilen wurden erneut abgelehnt.";
    corrections_failed: "The import of the corrected rows failed." | "Der Import der korrigierten Zeilen ist fehlgeschlagen.";
    undo_takes_out: "Leads that it put into the campaign are taken out again."
        | "In die Kampagne aufgenommene Leads werden wieder herausgenommen.";
    all_would_go_in: "Every row would go in." | "Alle Zeilen würden importiert.";
    all_are_in: "Every row is in." | "Alle Zeilen sind importiert.";
    import_cancelled(count): "Cancelled after {count} row. What is in stays in." / "Cancelled after {count} rows. What is in stays in."
        | "Abgebrochen nach {count} Zeile. Was importiert ist, bleibt." / "Abgebrochen nach {count} Zeilen. Was importiert ist, bleibt.";
    count_cancelled(count): "Cancelled after {count} row." / "Cancelled after {count} rows."
        | "Abgebrochen nach {count} Zeile." / "Abgebrochen nach {count} Zeilen.";

    refused_rows: "Refused rows" | "Abgelehnte Zeilen";
    rows_refused(count): "{count} row refused" / "{count} rows refused" | "{count} Zeile abgelehnt" / "{count} Zeilen abgelehnt";
    refused_csv: "All refused rows as CSV" | "Alle abgelehnten Zeilen als CSV";
    rows_and_reasons: "Rows and reasons" | "Zeilen und Gründe";
    line: "Line" | "Zeile";
    reason: "Reason" | "Grund";
    row: "Row" | "Inhalt";
    row_as_it_stood: "Row as it stood" | "Zeile im Original";
    first_shown(count): "The first {count} are shown; the file has all of them."
        | "Die ersten {count} werden gezeigt; die Datei enthält alle.";

    file: "File" | "Datei";
    holds: "Holds" | "Enthält";
    started: "Started" | "Begonnen";
    rows: "Rows" | "Zeilen";
    state: "State" | "Status";
    actions: "Actions" | "Aktionen";
    undo: "Undo…" | "Rückgängig…";

    stopping: "It stops after the rows under way." | "Er endet nach den Zeilen, die gerade geschrieben werden.";
    cancel_import: "Cancel this import" | "Diesen Import abbrechen";
    cancel_count: "Cancel the count" | "Zählung abbrechen";
    cancel_undo: "Cancel the undo" | "Rückgängigmachen abbrechen";
    undo_import: "Undo this import…" | "Diesen Import rückgängig machen…";
    undo_until(day): "It can be undone until {day}." | "Das ist bis {day} möglich.";
    undo_title(file): "Undo the import of “{file}”?" | "Import von „{file}“ rückgängig machen?";
    undo_deletes(count): "The row that it made is deleted." / "Up to {count} rows that it made are deleted."
        | "Der neu angelegte Datensatz wird gelöscht." / "Bis zu {count} neu angelegte Datensätze werden gelöscht.";
    undo_restores(count): "The row that it changed gets its former values back." / "Up to {count} rows that it changed get their former values back."
        | "Der geänderte Datensatz erhält seine früheren Werte zurück." / "Bis zu {count} geänderte Datensätze erhalten ihre früheren Werte zurück.";
    undo_rest(count): "{count} row is still to be deleted or to get its former values back." / "{count} rows are still to be deleted or to get their former values back."
        | "{count} Datensatz ist noch zu löschen oder erhält noch seine früheren Werte zurück." / "{count} Datensätze sind noch zu löschen oder erhalten noch ihre früheren Werte zurück.";
    undo_leaves: "What somebody changed since is left as it is, and listed." | "Was seitdem jemand geändert hat, bleibt unverändert und wird aufgelistet.";
    undo_leaves_campaigns: "So are campaigns with leads or calls: undo the imports of those first."
        | "Ebenso Kampagnen mit Leads oder Anrufen: Machen Sie zuerst deren Importe rückgängig.";
    undo_leaves_leads: "So are leads that are in a campaign or have calls: undo the imports of those first."
        | "Ebenso Leads, die in einer Kampagne sind oder Anrufe haben: Machen Sie zuerst diese Importe rückgängig.";
    undo_leaves_campaign_leads: "So are leads with calls in their campaign: undo the import of those first."
        | "Ebenso Leads mit Anrufen in ihrer Kampagne: Machen Sie zuerst deren Import rückgängig.";
    undo_leaves_calls: "So are calls that were sent to speech recognition. The others are deleted with their recordings."
        | "Ebenso Anrufe, die an die Spracherkennung gesendet wurden. Die anderen werden mit ihren Aufnahmen gelöscht.";
    undo_once: "An import is undone once." | "Ein Import lässt sich nur einmal rückgängig machen.";
    undo_now: "Undo the import" | "Import rückgängig machen";
    being_undone: "Being undone" | "Wird rückgängig gemacht";
    undone: "Undone" | "Rückgängig gemacht";
    undo_the_rest: "Undo the rest…" | "Rest rückgängig machen…";
    undo_cancelled: "The undo was cancelled." | "Das Rückgängigmachen wurde abgebrochen.";
    /// Number of rows that an undo has processed, and the total.
    undone_of(done, all): "{done} of {all} rows done." | "{done} von {all} Datensätzen erledigt.";
    partly_undone: "Partly undone" | "Teilweise rückgängig";
    undone_by(who, when): "Undone by {who}, {when}" | "Rückgängig gemacht von {who}, {when}";
    being_undone_by(who): "Being undone by {who}" | "Wird von {who} rückgängig gemacht";
    you: "you" | "Ihnen";
    member_of_staff(id): "staff {id}" | "Benutzer {id}";
    api_key(id): "API key {id}" | "API-Schlüssel {id}";
    deleted: "Deleted" | "Gelöscht";
    restored: "Restored" | "Wiederhergestellt";
    left: "Left as they are" | "Unverändert gelassen";

    rows_left(count): "{count} row left as it is" / "{count} rows left as they are"
        | "{count} Datensatz unverändert gelassen" / "{count} Datensätze unverändert gelassen";
    what: "What" | "Was";
    why: "Why" | "Warum";
    first_left_shown(count): "The first {count} are shown." | "Die ersten {count} werden gezeigt.";
    campaign_numbered(id): "Campaign {id}" | "Kampagne {id}";
    lead_numbered(id): "Lead {id}" | "Lead {id}";
    campaign_lead_numbered(id): "Campaign lead {id}" | "Kampagnen-Lead {id}";
    campaign_lead_of(id, lead): "Campaign lead {id}, of lead {lead}" | "Kampagnen-Lead {id} von Lead {lead}";
    call_numbered(id): "Call {id}" | "Anruf {id}";
    because_changed: "Somebody changed it since." | "Wurde seitdem von jemandem geändert.";
    because_deleted: "Somebody deleted it since." | "Wurde seitdem von jemandem gelöscht.";
    because_in_campaign: "The lead is in a campaign by now." | "Der Lead ist inzwischen in einer Kampagne.";
    because_has_leads: "Leads are in the campaign by now." | "In der Kampagne sind inzwischen Leads.";
    because_has_calls: "There are calls of it by now." | "Dazu gibt es inzwischen Anrufe.";
    because_transcribed: "The call was sent to speech recognition." | "Der Anruf wurde an die Spracherkennung gesendet.";
    because_conflict: "What it was contradicts what is stored by now:" | "Die früheren Werte widersprechen dem heutigen Stand:";
}

/// Name of a kind of data.
pub fn kind(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Campaigns => campaigns(),
        ImportKind::Leads => leads(),
        ImportKind::CampaignLeads => campaign_leads(),
        ImportKind::Calls => calls(),
    }
}

/// Label of the file input.
pub fn kind_file(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Campaigns => campaigns_file(),
        ImportKind::Leads => leads_file(),
        ImportKind::CampaignLeads => campaign_leads_file(),
        ImportKind::Calls => calls_file(),
    }
}

/// Note on a file of this kind.
pub fn note(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Campaigns => note_campaigns(),
        ImportKind::Leads => note_leads(),
        ImportKind::CampaignLeads => note_campaign_leads(),
        ImportKind::Calls => note_calls(),
    }
}

/// Label of the import button.
pub fn import(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Campaigns => import_campaigns(),
        ImportKind::Leads => import_leads(),
        ImportKind::CampaignLeads => import_campaign_leads(),
        ImportKind::Calls => import_calls(),
    }
}

/// Fields that a file of this kind can have.
pub fn fields(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Campaigns => fields_of_campaigns(),
        ImportKind::Leads => fields_of_leads(),
        ImportKind::CampaignLeads => fields_of_campaign_leads(),
        ImportKind::Calls => fields_of_calls(),
    }
}

/// Items of this kind that an undo keeps, in addition to changed ones.
pub fn undo_leaves_used(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Campaigns => undo_leaves_campaigns(),
        ImportKind::Leads => undo_leaves_leads(),
        ImportKind::CampaignLeads => undo_leaves_campaign_leads(),
        ImportKind::Calls => undo_leaves_calls(),
    }
}

/// Text of a finding.
pub fn finding_of(code: FindingCode) -> &'static str {
    match code {
        FindingCode::InvalidPhone => finding_invalid_phone(),
        FindingCode::NoCountry => finding_no_country(),
        FindingCode::UnknownCountry => finding_unknown_country(),
        FindingCode::PhoneRewritten => finding_phone_rewritten(),
        FindingCode::CountryCodeAdded => finding_country_code_added(),
        FindingCode::NoPhone => finding_no_phone(),
        FindingCode::NoTimezone => finding_no_timezone(),
        FindingCode::DoNotCall => finding_do_not_call(),
        FindingCode::Blacklisted => finding_blacklisted(),
        FindingCode::CampaignInactive => finding_campaign_inactive(),
        FindingCode::StatusNotDialable => finding_status_not_dialable(),
    }
}

/// Reason why an undo left an item unchanged.
pub fn because(reason: LeftReason) -> &'static str {
    match reason {
        LeftReason::Changed => because_changed(),
        LeftReason::Deleted => because_deleted(),
        LeftReason::InCampaign => because_in_campaign(),
        LeftReason::HasLeads => because_has_leads(),
        LeftReason::HasCalls => because_has_calls(),
        LeftReason::Transcribed => because_transcribed(),
        LeftReason::Conflict => because_conflict(),
    }
}
