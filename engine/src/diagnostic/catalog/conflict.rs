//! Conflicts with stored data.

super::messages! {
    pub;
    id_taken(id): "id {id} already exists" | "die ID {id} gibt es schon";
    no_lead(id): "lead {id} doesn't exist" | "Lead {id} gibt es nicht";
    no_campaign(id): "campaign {id} doesn't exist" | "Kampagne {id} gibt es nicht";
    no_campaign_lead(id): "campaign lead {id} doesn't exist" | "Kampagnen-Lead {id} gibt es nicht";
    campaign_lead_mismatch(id, lead, campaign):
        "campaign lead {id} belongs to lead {lead} in campaign {campaign}" |
        "Kampagnen-Lead {id} gehört zu Lead {lead} in Kampagne {campaign}";
    no_status(name): "status `{name}` doesn't exist" | "den Status `{name}` gibt es nicht";
    campaign_name_taken(id, name):
        "name `{name}` is already used by campaign {id}" |
        "der Name `{name}` ist schon vergeben (Kampagne {id})";
    already_in_campaign(lead, campaign):
        "lead {lead} is already in campaign {campaign}" |
        "Lead {lead} ist bereits in Kampagne {campaign}";
    update_instead(id): "update campaign lead {id} instead" | "ändern Sie stattdessen Kampagnen-Lead {id}";
    idempotency_key_reused:
        "this idempotency key was used for another request; use a new key" |
        "dieser Idempotenzschlüssel wurde für eine andere Anfrage verwendet; nehmen Sie einen neuen";
    idempotency_key_not_stored:
        "this idempotency key can't be stored" | "dieser Idempotenzschlüssel lässt sich nicht speichern";
    secret_not_repeated(subject):
        "an earlier request with this idempotency key created `{subject}`; its secret was only in that response" |
        "eine frühere Anfrage mit diesem Idempotenzschlüssel hat `{subject}` angelegt; das Geheimnis stand nur in ihrer Antwort";
    created_record_deleted(subject):
        "an earlier request with this idempotency key created `{subject}`, which was deleted" |
        "eine frühere Anfrage mit diesem Idempotenzschlüssel hat `{subject}` angelegt; der Datensatz wurde gelöscht";
    lead_identifier_taken(lead, identifier):
        "identifier `{identifier}` is already used by lead {lead}" |
        "die Kennung `{identifier}` ist schon vergeben (Lead {lead})";
    lead_exists:
        "a lead with this identifier exists; your change was not saved" |
        "einen Lead mit dieser Kennung gibt es schon; Ihre Änderung ist nicht gespeichert";
    no_lead_with_identifier:
        "no lead has this identifier; your change was not saved" |
        "einen Lead mit dieser Kennung gibt es nicht; Ihre Änderung ist nicht gespeichert";
    other_identifier(identifier):
        "the path names the identifier `{identifier}`" | "der Pfad nennt die Kennung `{identifier}`";
    call_identifier_taken(call, identifier):
        "identifier `{identifier}` is already used by call {call}" |
        "die Kennung `{identifier}` ist schon vergeben (Anruf {call})";
    ambiguous_identifier(identifier, one, other):
        "several leads have the identifier `{identifier}`, such as {one} and {other}" |
        "mehrere Leads haben die Kennung `{identifier}`, darunter {one} und {other}";
    cursor_expired(oldest):
        "changes after this cursor were purged, or the database was restored; load all records again, then follow the changes from a new cursor (the oldest one is `{oldest}`)" |
        "Änderungen nach diesem Cursor sind gelöscht, oder die Datenbank wurde wiederhergestellt; laden Sie alle Datensätze neu und folgen Sie den Änderungen von einem neuen Cursor an (der älteste ist `{oldest}`)";
    use_id: "use the lead's `id`" | "verwenden Sie die `id` des Leads";
    too_many_custom_fields(max, count):
        "a lead can have at most {max} custom fields, but this one would have {count}" |
        "ein Lead kann höchstens {max} eigene Felder haben, dieser hätte {count}";
    too_many_matches(max): "more than {max} leads match the filter" | "mehr als {max} Leads entsprechen dem Filter";
    narrow_or_batch:
        "add a condition, or change the leads in batches (`max_leads`)" |
        "ergänzen Sie eine Bedingung oder ändern Sie die Leads in Teilen (`max_leads`)";
    too_many_values:
        "the filter's conditions on callability need more values than the database supports" |
        "die Bedingungen zur Anrufbarkeit brauchen mehr Werte, als die Datenbank unterstützt";
    limit_campaigns:
        "limit `callable` and `not_callable_reason` to a few campaigns with `campaign_id`" |
        "beschränken Sie `callable` und `not_callable_reason` mit `campaign_id` auf wenige Kampagnen";
    action_already_undone(id): "bulk action {id} was already undone" | "Sammelaktion {id} wurde bereits rückgängig gemacht";
    edit_conflict:
        "it was changed in the meantime; your change was not saved" |
        "inzwischen wurde es geändert; Ihre Änderung ist nicht gespeichert";
    end_before_start: "`ended_at` must not be before `started_at`" | "`ended_at` darf nicht vor `started_at` liegen";
    import_running(id): "import {id} is still running" | "Import {id} läuft noch";
    last_admin: "can't remove the last admin" | "der letzte Administrator kann nicht entfernt werden";
    add_admin_first: "make another user an admin first" | "machen Sie zuerst einen anderen Benutzer zum Administrator";
    recording_is_transcribed:
        "can't replace the recording, because it was already transcribed" |
        "die Aufnahme ist bereits transkribiert und kann nicht ersetzt werden";
    recording_stored(state):
        "can't change the recording state to `{state}`, because the recording is stored" |
        "die Aufnahme ist gespeichert; ihr Status kann nicht auf `{state}` gesetzt werden";
    use_another_call: "upload the recording to another call" | "laden Sie die Aufnahme bei einem anderen Anruf hoch";
    status_in_use(name, count):
        "status `{name}` is still in use (campaign leads: {count})" |
        "der Status `{name}` wird noch verwendet (Leads in Kampagnen: {count})";
    change_status_first: "change the status of these campaign leads first" | "ändern Sie zuerst den Status dieser Leads";
    campaign_in_use(count, id):
        "campaign {id} still has leads ({count})" |
        "Kampagne {id} enthält noch Leads ({count})";
    empty_or_deactivate:
        "remove its leads first, or deactivate the campaign with `\"active\": false`" |
        "entfernen Sie zuerst ihre Leads oder deaktivieren Sie die Kampagne mit `\"active\": false`";

    // Imports
    import_not_running(id): "import {id} is not running" | "Import {id} läuft nicht";
    import_not_undoable(id, days):
        "import {id} can't be undone; changes are stored for {days} days, and not for imports from the command line" |
        "Import {id} lässt sich nicht rückgängig machen; Änderungen werden {days} Tage aufbewahrt, bei Importen über die Kommandozeile gar nicht";
    undo_running(id): "import {id} is already being undone" | "Import {id} wird schon rückgängig gemacht";
    undo_not_running(id): "import {id} is not being undone" | "Import {id} wird nicht rückgängig gemacht";
    import_already_undone(id): "import {id} is already undone" | "Import {id} ist schon rückgängig gemacht";

    // Records that an undo keeps
    changed_since: "changed since the import" | "seit dem Import geändert";
    deleted_since: "deleted since the import" | "seit dem Import gelöscht";
    now_in_campaign: "now in a campaign" | "ist jetzt in einer Kampagne";
    has_leads_now: "has leads now" | "enthält jetzt Leads";
    has_calls_now: "has calls now" | "hat jetzt Anrufe";
    transcribed_since: "sent to speech recognition" | "an die Spracherkennung gesendet";
    values_conflict:
        "the previous values conflict with the current data" |
        "die früheren Werte passen nicht zu den aktuellen Daten";

    // Imports that correct the rejected rows of another import
    no_import(id): "import {id} doesn't exist" | "Import {id} gibt es nicht";
    import_kind_mismatch(id, found, wanted):
        "import {id} contains `{found}`, not `{wanted}`" |
        "Import {id} enthält `{found}`, nicht `{wanted}`";
    import_is_dry_run(id):
        "import {id} was a dry run; correct the file and import it" |
        "Import {id} war nur eine Vorschau; korrigieren Sie die Datei und importieren Sie sie";
    import_still_running(id):
        "import {id} is still running; wait until it ends" |
        "Import {id} läuft noch; warten Sie, bis er beendet ist";
    import_has_call_details(id):
        "import {id} contains call detail records, whose rows can't be corrected individually" |
        "Import {id} enthält Anrufdatensätze, deren Zeilen sich nicht einzeln korrigieren lassen";
    import_is_correction(id, first):
        "import {id} is a correction itself; correct the rows of import {first}" |
        "Import {id} ist selbst eine Korrektur; korrigieren Sie die Zeilen von Import {first}";

    // Queries
    plus_is_space:
        "`+` means a space in a query; write `%2B` for a plus" |
        "`+` steht in einer Query für ein Leerzeichen; verwenden Sie `%2B` für ein Plus";
    encode_offset: "in a query, write the offset as `%2B02:00`" | "geben Sie den UTC-Versatz in einer Query als `%2B02:00` an";

    // Deliveries
    too_many_pending_deliveries(pending, max, additional):
        "the token has {pending} pending deliveries, and {additional} more would exceed the limit of {max}" |
        "das Token hat {pending} offene Zustellungen, und {additional} weitere würden die Grenze von {max} überschreiten";
    wait_for_deliveries:
        "wait until some have ended, or request fewer at once (`limit`)" |
        "warten Sie, bis einige beendet sind, oder fordern Sie weniger auf einmal an (`limit`)";
    delivery_running(id): "delivery {id} is running" | "Zustellung {id} läuft gerade";
    not_transcribed(id):
        "the call of delivery {id} is not transcribed yet" |
        "der Anruf der Zustellung {id} ist noch nicht transkribiert";
    retry_when_finished: "retry when it has finished" | "versuchen Sie es noch einmal, wenn sie beendet ist";

    // Recordings of imported calls
    folder_unreadable(error):
        "the recordings folder can't be opened: {error}" |
        "der Ordner mit den Aufnahmen lässt sich nicht öffnen: {error}";
    not_a_recording(file):
        "{file} is not a file in the recordings folder" |
        "{file} ist keine Datei im Ordner mit den Aufnahmen";
    no_recording(file):
        "the recordings folder has no file {file}" |
        "im Ordner mit den Aufnahmen gibt es keine Datei {file}";
    recording_file_unreadable(file, error): "the file {file} can't be read: {error}" | "die Datei {file} ist nicht lesbar: {error}";
    call_gone:
        "the call no longer exists, so its recording can't be stored" |
        "den Anruf gibt es nicht mehr; seine Aufnahme kann nicht gespeichert werden";
    call_without_recording: "the call was imported without it" | "der Anruf wurde ohne sie importiert";
    out_of_reach(file):
        "the server can't access the file {file}" |
        "der Server hat keinen Zugriff auf die Datei {file}";
    upload_instead:
        "omit the column and upload the file to /api/calls/{call_id}/recording, or use \
         `leadscribe import calls FILE --recordings DIR`" |
        "lassen Sie die Spalte weg und laden Sie die Datei nach /api/calls/{call_id}/recording hoch, oder verwenden Sie \
         `leadscribe import calls FILE --recordings DIR`";
}
