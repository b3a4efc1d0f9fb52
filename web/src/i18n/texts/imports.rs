//! Texts of imports: file, columns, results of the rows, and undo.

use leadscribe_engine::api::{FindingCode, ImportKind};

super::texts! {
    role_is_read_only: "Your role can't start imports." | "Ihre Rolle darf keine Importe starten.";
    import_history: "Import history" | "Importverlauf";
    search_names: "Search file names" | "Dateinamen durchsuchen";
    name: "File name…" | "Dateiname …";
    any_kind: "Type: all" | "Typ: alle";
    no_match: "No matching imports" | "Keine passenden Importe";
    show_all: "Show all imports" | "Alle Importe anzeigen";
    none_yet: "No imports yet" | "Noch keine Importe";
    no_imports_hint: "Imported files and their results appear here." | "Hier erscheinen importierte Dateien und ihre Ergebnisse.";

    /// Name of a kind of data.
    kind(ImportKind) {
        Campaigns: "Campaigns" | "Kampagnen";
        Leads: "Leads" | "Leads";
        CampaignLeads: "Campaign leads" | "Kampagnen-Leads";
        Calls: "Calls" | "Anrufe";
    }

    import_type: "Import type" | "Importtyp";
    /// Label of the file input.
    kind_file(ImportKind) {
        Campaigns: "CSV file with campaigns" | "CSV-Datei mit Kampagnen";
        Leads: "CSV file with leads" | "CSV-Datei mit Leads";
        CampaignLeads: "CSV file with campaign leads" | "CSV-Datei mit Kampagnen-Leads";
        Calls: "CSV file with calls" | "CSV-Datei mit Anrufen";
    }
    drop_or_pick: "Drop a file here, or click to choose" | "Datei hier ablegen oder zum Auswählen klicken";
    workbook: "This is a spreadsheet workbook. Save the sheet as CSV and choose that file."
        | "Das ist eine Arbeitsmappe. Speichern Sie das Tabellenblatt als CSV und wählen Sie diese Datei.";
    utf32: "UTF-32 isn't supported. Save the file as “CSV UTF-8” and choose it again."
        | "UTF-32 wird nicht unterstützt. Speichern Sie die Datei als „CSV UTF-8“ und wählen Sie sie erneut.";
    unknown_delimiter: "The separator in the first line (sep=) isn't supported. Use commas, semicolons, tabs or vertical bars."
        | "Das Trennzeichen in der ersten Zeile (sep=) wird nicht unterstützt. Verwenden Sie Komma, Semikolon, Tabulator oder senkrechten Strich.";
    unreadable: "The browser can't read this file." | "Der Browser kann diese Datei nicht lesen.";
    file_is_empty: "This file is empty." | "Diese Datei ist leer.";

    columns_hint: "The first row has the column names, in any order. You can match other names in the next step."
        | "Die erste Zeile enthält die Spaltennamen in beliebiger Reihenfolge. Andere Namen können Sie im nächsten Schritt zuordnen.";
    /// Note on a file of this kind.
    kind_note(ImportKind) {
        Campaigns: "Calling hours apply in each lead's local time."
            | "Anrufzeiten gelten in der Ortszeit des jeweiligen Leads.";
        Leads: "For custom fields, use columns named custom.<name>." | "Eigene Felder heißen custom.<name>.";
        CampaignLeads: "Unknown statuses are created." | "Unbekannte Status werden angelegt.";
        Calls:
            "Asterisk's Master.csv and FreePBX CSV reports work as they are, together with their recordings folder. For other files, upload recordings call by call, or import them on the command line."
            | "Master.csv von Asterisk und CSV-Berichte von FreePBX werden direkt unterstützt, samt dem Ordner mit den Aufnahmen. Bei anderen Dateien laden Sie Aufnahmen einzeln hoch oder importieren über die Kommandozeile.";
    }
    download_template: "Download template" | "Vorlage herunterladen";

    file_columns(count, separator): "{count} column, separated by {separator}" / "{count} columns, separated by {separator}"
        | "{count} Spalte, getrennt durch {separator}" / "{count} Spalten, getrennt durch {separator}";
    choose_another_file: "Choose another file" | "Andere Datei wählen";
    read_as_windows: "This file isn't UTF-8. It is read as Windows-1252, the default of Excel. Check letters such as ü and é below."
        | "Diese Datei ist nicht UTF-8. Sie wird als Windows-1252 gelesen, der Standard von Excel. Prüfen Sie unten Buchstaben wie ü und é.";
    read_as_utf16: "This file is read as UTF-16 (“Unicode text” in Excel)."
        | "Diese Datei wird als UTF-16 gelesen („Unicode-Text“ in Excel).";
    invalid_utf8:
        "Some characters aren't valid UTF-8. Rows with such characters in imported columns won't be imported. Save the file as “CSV UTF-8” and choose it again."
        | "Einige Zeichen sind kein gültiges UTF-8. Zeilen mit solchen Zeichen in importierten Spalten werden nicht importiert. Speichern Sie die Datei als „CSV UTF-8“ und wählen Sie sie erneut.";
    file_columns_label: "File columns" | "Spalten der Datei";
    first_rows(count): "First row" / "First {count} rows" | "Die erste Zeile" / "Die ersten {count} Zeilen";
    preview_changes: "Preview" | "Vorschau";
    /// Label of the import button.
    import_label(ImportKind) {
        Campaigns: "Import campaigns" | "Kampagnen importieren";
        Leads: "Import leads" | "Leads importieren";
        CampaignLeads: "Import campaign leads" | "Kampagnen-Leads importieren";
        Calls: "Import calls" | "Anrufe importieren";
    }
    uploading(percent): "Uploading… {percent}%" | "Wird hochgeladen … {percent} %";

    zone: "Time zone" | "Zeitzone";
    zone_hint: "The time zone of the phone system, for example Europe/Berlin." | "Die Zeitzone der Telefonanlage, z. B. Europe/Berlin.";
    extensions: "Extensions" | "Nebenstellen";
    extensions_hint: "Optional, for example 1XX, 200-299. All other channels are trunks."
        | "Optional, z. B. 1XX, 200-299. Alle anderen Kanäle sind Amtsleitungen.";
    trunks: "Trunks" | "Amtsleitungen";
    trunks_hint: "Optional, for example 12345, line-*. Calls from trunks are inbound."
        | "Optional, z. B. 12345, line-*. Anrufe von Amtsleitungen sind eingehend.";
    asterisk: "Asterisk call detail records" | "Verbindungsdaten von Asterisk";
    /// Followed by the name of a field and the rest of the sentence.
    asterisk_hint:
        "Rows of the same call are combined: numbers, direction, agent, outcome and times. Recordings are matched by the call's "
        | "Zeilen desselben Anrufs werden zusammengefasst: Nummern, Richtung, Agent, Ergebnis und Zeiten. Aufnahmen werden über die ";
    asterisk_hint_end: " in the file name." | " im Dateinamen zugeordnet.";
    folder: "Recordings folder" | "Ordner mit Aufnahmen";
    folder_hint: "Drop a folder here, or click to choose. Matching recordings are uploaded after the rows."
        | "Ordner hier ablegen oder zum Auswählen klicken. Passende Aufnahmen werden nach den Zeilen hochgeladen.";
    folder_by_command: "The file is too large to match with a folder in the browser. Use `leadscribe import calls … --recordings DIR`."
        | "Die Datei ist zu groß, um sie im Browser mit einem Ordner abzugleichen. Verwenden Sie `leadscribe import calls … --recordings DIR`.";
    matching_recordings: "Matching recordings with calls…" | "Aufnahmen werden den Anrufen zugeordnet …";
    recordings_found(count): "{count} recording matches a call." / "{count} recordings match calls."
        | "{count} Aufnahme passt zu einem Anruf." / "{count} Aufnahmen passen zu Anrufen.";
    files_unused(count): "{count} file matches no answered call" / "{count} files match no answered call"
        | "{count} Datei passt zu keinem angenommenen Anruf" / "{count} Dateien passen zu keinem angenommenen Anruf";
    ambiguous_recording(identifier): "Several files match call {identifier}, so none is uploaded."
        | "Mehrere Dateien passen zu Anruf {identifier}; keine wird hochgeladen.";
    recordings_pending(count): "{count} recording will be uploaded after the rows." / "{count} recordings will be uploaded after the rows."
        | "{count} Aufnahme wird nach den Zeilen hochgeladen." / "{count} Aufnahmen werden nach den Zeilen hochgeladen.";
    /// Number of uploaded recordings, and the total.
    recordings_uploaded(count, kept): "{kept} of {count} recording uploaded." / "{kept} of {count} recordings uploaded."
        | "{kept} von {count} Aufnahme hochgeladen." / "{kept} von {count} Aufnahmen hochgeladen.";
    recordings_stopped(count, kept): "Stopped: {kept} of {count} recording uploaded." / "Stopped: {kept} of {count} recordings uploaded."
        | "Abgebrochen: {kept} von {count} Aufnahme hochgeladen." / "Abgebrochen: {kept} von {count} Aufnahmen hochgeladen.";
    /// Follows the number of uploads. The reason comes from the server.
    recordings_retrying(reason): "{reason}. Retrying…" | "{reason}. Neuer Versuch läuft …";
    recordings_failed: "Files not uploaded" | "Nicht hochgeladene Dateien";
    call_not_imported: "The call wasn't imported." | "Der Anruf wurde nicht importiert.";

    same_mapping_as_before(when): "Same mapping as on {when}." | "Gleiche Zuordnung wie am {when}.";
    column: "Column" | "Spalte";
    unnamed_column(number): "Column {number}" | "Spalte {number}";
    values: "Values" | "Werte";
    field_of(column): "Field for column {column}" | "Feld für Spalte {column}";
    custom: "Custom field" | "Eigenes Feld";
    do_not_import: "Don't import" | "Nicht importieren";
    columns_not_imported(count, columns): "{count} column won't be imported: {columns}" / "{count} columns won't be imported: {columns}"
        | "{count} Spalte wird nicht importiert: {columns}" / "{count} Spalten werden nicht importiert: {columns}";
    map_one(first, second): "Map a column to “{first}” or “{second}” to identify each row."
        | "Ordnen Sie „{first}“ oder „{second}“ eine Spalte zu, um Zeilen zu identifizieren.";
    map_one_or_both(first, second, third): "Map a column to “{first}”, or columns to “{second}” and “{third}”, to identify each row."
        | "Ordnen Sie „{first}“ oder „{second}“ und „{third}“ Spalten zu, um Zeilen zu identifizieren.";
    identifier_column: "Identify rows by" | "Zeilen identifizieren über";
    identifier_column_hint:
        "Choose a column that is unique per row, such as the phone number. Importing the list again then updates instead of duplicating."
        | "Wählen Sie eine Spalte mit eindeutigen Werten, z. B. die Telefonnummer. Ein erneuter Import aktualisiert dann, statt Duplikate anzulegen.";
    country_of_numbers: "Country for numbers without +" | "Land für Nummern ohne +";
    country_of_numbers_hint: "Used for rows without a known country." | "Gilt, wenn die Zeile kein bekanntes Land enthält.";
    number_format: "Number format" | "Zahlenformat";
    number_format_required: "Choose a format: some amounts are ambiguous."
        | "Wählen Sie ein Format: Manche Beträge sind mehrdeutig.";
    number_format_hint: "How to read amounts such as 1.234 and 1,234." | "Wie Beträge wie 1.234 und 1,234 gelesen werden.";
    duplicates: "Rows with the same identifier" | "Zeilen mit derselben Kennung";
    duplicates_hint: "The preview shows these rows." | "Die Vorschau zeigt diese Zeilen.";
    import_first_duplicate: "Import the first one" | "Nur die erste importieren";
    import_no_duplicates: "Import none" | "Keine importieren";
    automatic_number_format: "Automatic" | "Automatisch";
    add_to_campaign: "Add leads to campaign" | "Leads zu Kampagne hinzufügen";
    add_to_campaign_hint: "Leads already in the campaign stay unchanged there."
        | "Leads, die schon in der Kampagne sind, bleiben dort unverändert.";
    no_campaign: "No campaign" | "Keine Kampagne";
    initial_status: "Initial status" | "Anfangsstatus";
    default_status: "Default status" | "Standardstatus";
    server_default: "Server default" | "Standard des Servers";
    choose_column: "Choose a column…" | "Spalte wählen …";
    /// Fields that a file of this kind can have.
    fields_heading(ImportKind) {
        Campaigns: "Campaign fields" | "Kampagnenfelder";
        Leads: "Lead fields" | "Lead-Felder";
        CampaignLeads: "Campaign lead fields" | "Kampagnen-Lead-Felder";
        Calls: "Call fields" | "Anruffelder";
    }

    preview: "First rows" | "Erste Zeilen";
    row_result: "Result" | "Ergebnis";
    will_be_imported: "Will be imported" | "Wird importiert";
    will_not_be_imported: "Won't be imported" | "Wird nicht importiert";
}

super::texts! {
    this_import: "This import" | "Dieser Import";
    nothing_written: "Nothing imported yet." | "Noch nichts importiert.";
    new_statuses: "New statuses" | "Neue Status";
    rows_read: "Rows read" | "Gelesene Zeilen";
    new: "New" | "Neu";
    changed: "Updated" | "Aktualisiert";
    unchanged: "Unchanged" | "Unverändert";
    not_imported: "Not imported" | "Nicht importiert";
    undialable(count): "{count} row has a phone number that can't be dialed." / "{count} rows have phone numbers that can't be dialed."
        | "{count} Zeile hat eine Telefonnummer, die nicht wählbar ist." / "{count} Zeilen haben Telefonnummern, die nicht wählbar sind.";
    undialable_hint: "Check the numbers, or choose their country above."
        | "Prüfen Sie die Nummern oder wählen Sie oben ihr Land.";
    show_undialable: "Show all leads with such numbers, newest first" | "Alle Leads mit solchen Nummern anzeigen, neueste zuerst";
    new_leads(count): "{count} new lead" / "{count} new leads" | "{count} neuer Lead" / "{count} neue Leads";
    leads_added_to_campaign(count): "{count} lead added to campaign:" / "{count} leads added to campaign:"
        | "{count} Lead zur Kampagne hinzugefügt:" / "{count} Leads zur Kampagne hinzugefügt:";
    leads_will_be_added_to_campaign(count): "{count} lead will be added to campaign:" / "{count} leads will be added to campaign:"
        | "{count} Lead wird zur Kampagne hinzugefügt:" / "{count} Leads werden zur Kampagne hinzugefügt:";
    corrects(id): "Corrects rows of import {id}" | "Korrigiert Zeilen von Import {id}";
    rows_corrected(count): "{count} row was corrected later." / "{count} rows were corrected later."
        | "{count} Zeile wurde später korrigiert." / "{count} Zeilen wurden später korrigiert.";
    findings: "Worth checking" | "Bitte prüfen";
    finding: "Note" | "Hinweis";
    examples: "Examples" | "Beispiele";
    in_column(column): "Column “{column}”" | "Spalte „{column}“";
    at_line(line): "line {line}" | "Zeile {line}";
    did_you_mean(name): "Did you mean “{name}”?" | "Meinten Sie „{name}“?";
    read_as: "read as" | "gelesen als";
    /// Text of a finding.
    finding_text(FindingCode) {
        InvalidPhone: "Phone number that can't be dialed: not valid in its country, or the country is unknown"
            | "Nicht wählbare Telefonnummer: im Land ungültig, oder das Land ist unbekannt";
        NoCountry: "Phone number without a country: choose a country for the import"
            | "Telefonnummer ohne Land: Wählen Sie ein Land für den Import";
        UnknownCountry: "Unknown country: choose a country for numbers without +"
            | "Unbekanntes Land: Wählen Sie ein Land für Nummern ohne +";
        PhoneRewritten: "Phone number taken from a cell with extra characters"
            | "Telefonnummer aus einer Zelle mit weiteren Zeichen übernommen";
        CountryCodeAdded: "Country code added to the phone number" | "Telefonnummer um die Landesvorwahl ergänzt";
        NoPhone: "Leads without a phone number can't be called" | "Leads ohne Telefonnummer sind nicht anrufbar";
        NoTimezone: "Leads without a time zone can't be called in campaigns with calling hours"
            | "Leads ohne Zeitzone sind in Kampagnen mit Anrufzeiten nicht anrufbar";
        DoNotCall: "Leads marked do-not-call won't be called" | "Leads mit „Nicht anrufen“ werden nicht angerufen";
        Blacklisted: "Blacklisted leads won't be called" | "Leads auf der Sperrliste werden nicht angerufen";
        CampaignInactive: "The campaign is inactive: its leads can't be called"
            | "Die Kampagne ist inaktiv: Ihre Leads sind nicht anrufbar";
        StatusNotDialable: "Leads with this status can't be called" | "Leads mit diesem Status sind nicht anrufbar";
    }
    correct_row: "Correct" | "Korrigieren";
    correct_line(line): "Correct line {line}" | "Zeile {line} korrigieren";
    too_long_to_correct: "Too long to edit here. Correct it in the CSV file."
        | "Zu lang zum Bearbeiten. Korrigieren Sie die Zeile in der CSV-Datei.";
    import_corrected(count): "Import {count} corrected row" / "Import {count} corrected rows"
        | "{count} korrigierte Zeile importieren" / "{count} korrigierte Zeilen importieren";
    correct_hint: "Rows without errors are imported with the same settings."
        | "Fehlerfreie Zeilen werden mit denselben Einstellungen importiert.";
    corrected_rows_imported(count): "{count} corrected row imported." / "{count} corrected rows imported."
        | "{count} korrigierte Zeile importiert." / "{count} korrigierte Zeilen importiert.";
    rejected_again(count): "{count} row still has errors." / "{count} rows still have errors."
        | "{count} Zeile enthält noch Fehler." / "{count} Zeilen enthalten noch Fehler.";
    corrections_failed: "The corrected rows couldn't be imported." | "Die korrigierten Zeilen konnten nicht importiert werden.";
    undo_removes_from_campaign: "Leads that the import added to the campaign are removed from it."
        | "Leads, die der Import zur Kampagne hinzugefügt hat, werden daraus entfernt.";
    all_rows_will_be_imported: "All rows will be imported." | "Alle Zeilen werden importiert.";
    all_rows_imported: "All rows imported." | "Alle Zeilen importiert.";
    import_cancelled(count):
        "Cancelled after {count} row. Imported rows are kept." / "Cancelled after {count} rows. Imported rows are kept."
        | "Abgebrochen nach {count} Zeile. Importierte Zeilen bleiben erhalten."
        / "Abgebrochen nach {count} Zeilen. Importierte Zeilen bleiben erhalten.";
    dry_run_cancelled(count): "Cancelled after {count} row." / "Cancelled after {count} rows."
        | "Abgebrochen nach {count} Zeile." / "Abgebrochen nach {count} Zeilen.";

    rejected_rows: "Rows not imported" | "Nicht importierte Zeilen";
    rows_rejected(count): "{count} row not imported" / "{count} rows not imported"
        | "{count} Zeile nicht importiert" / "{count} Zeilen nicht importiert";
    rejected_csv: "Download as CSV" | "Als CSV herunterladen";
    rows_and_reasons: "Rows and reasons" | "Zeilen und Gründe";
    line: "Line" | "Zeile";
    row: "Row" | "Inhalt";
    original_row: "Original row" | "Originalzeile";
    first_rows_shown(count): "Showing the first {count}. The CSV file has all rows."
        | "Die ersten {count} werden angezeigt. Die CSV-Datei enthält alle Zeilen.";

    file: "File" | "Datei";
    kind_column: "Type" | "Typ";
    started: "Started" | "Gestartet";
    rows: "Rows" | "Zeilen";
    undo: "Undo…" | "Rückgängig machen …";

    stopping: "Stopping after the current rows…" | "Wird nach den aktuellen Zeilen beendet …";
    cancel_import: "Cancel import" | "Import abbrechen";
    cancel_preview: "Cancel preview" | "Vorschau abbrechen";
    cancel_undo: "Cancel undo" | "Rückgängigmachen abbrechen";
    undo_import: "Undo import…" | "Import rückgängig machen …";
    undo_until(day): "You can undo it until {day}." | "Möglich bis {day}.";
    undo_title(file): "Undo the import of “{file}”?" | "Import von „{file}“ rückgängig machen?";
    undo_deletes(count): "The record it created will be deleted." / "Up to {count} records it created will be deleted."
        | "Der neu angelegte Datensatz wird gelöscht." / "Bis zu {count} neu angelegte Datensätze werden gelöscht.";
    undo_restores(count):
        "The record it updated is restored to its previous values."
        / "Up to {count} records it updated are restored to their previous values."
        | "Der aktualisierte Datensatz erhält seine früheren Werte zurück."
        / "Bis zu {count} aktualisierte Datensätze erhalten ihre früheren Werte zurück.";
    undo_remaining(count): "{count} record left to undo." / "{count} records left to undo."
        | "Noch {count} Datensatz übrig." / "Noch {count} Datensätze übrig.";
    undo_keeps_changed: "Records changed since the import are kept and listed."
        | "Seit dem Import geänderte Datensätze bleiben unverändert und werden aufgelistet.";
    /// Items of this kind that an undo keeps, in addition to changed ones.
    undo_keeps_used(ImportKind) {
        Campaigns: "Campaigns with leads or calls are kept too. To remove them, first undo the imports of those leads and calls."
            | "Auch Kampagnen mit Leads oder Anrufen bleiben. Um sie zu löschen, machen Sie zuerst die Importe dieser Leads und Anrufe rückgängig.";
        Leads: "Leads in a campaign or with calls are kept too. To remove them, first undo the imports of those campaign leads and calls."
            | "Auch Leads in einer Kampagne oder mit Anrufen bleiben. Um sie zu löschen, machen Sie zuerst die Importe dieser Kampagnen-Leads und Anrufe rückgängig.";
        CampaignLeads: "Campaign leads with calls are kept too. To remove them, first undo the imports of those calls."
            | "Auch Kampagnen-Leads mit Anrufen bleiben. Um sie zu löschen, machen Sie zuerst die Importe dieser Anrufe rückgängig.";
        Calls: "Calls sent to speech recognition are kept too. All others are deleted with their recordings."
            | "Auch an die Spracherkennung gesendete Anrufe bleiben. Alle anderen werden mit ihren Aufnahmen gelöscht.";
    }
    undo_once: "You can undo an import only once." | "Ein Import lässt sich nur einmal rückgängig machen.";
    undo_now: "Undo import" | "Import rückgängig machen";
    being_undone: "Undoing" | "Wird rückgängig gemacht";
    undone: "Undone" | "Rückgängig gemacht";
    undo_the_rest: "Undo the rest…" | "Rest rückgängig machen …";
    undo_cancelled: "Undo cancelled." | "Rückgängigmachen abgebrochen.";
    /// Number of rows that an undo has processed, and the total.
    undo_progress(done, all): "{done} of {all} records done." | "{done} von {all} Datensätzen erledigt.";
    partly_undone: "Partly undone" | "Teilweise rückgängig gemacht";
    undone_by(who, when): "Undone by {who}, {when}" | "Rückgängig gemacht von {who}, {when}";
    being_undone_by(who): "Being undone by {who}" | "Wird von {who} rückgängig gemacht";
    you: "you" | "Ihnen";
    user_number(id): "user {id}" | "Benutzer {id}";
    deleted: "Deleted" | "Gelöscht";
    restored: "Restored" | "Wiederhergestellt";
    kept: "Kept" | "Beibehalten";

    records_kept(count): "{count} record kept" / "{count} records kept"
        | "{count} Datensatz beibehalten" / "{count} Datensätze beibehalten";
    record: "Record" | "Datensatz";
    first_kept_shown(count): "Showing the first {count}." | "Die ersten {count} werden angezeigt.";
    campaign_lead_numbered(id): "Campaign lead {id}" | "Kampagnen-Lead {id}";
    campaign_lead_of(id, lead): "Campaign lead {id}, of lead {lead}" | "Kampagnen-Lead {id} von Lead {lead}";
}
