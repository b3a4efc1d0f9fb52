//! Texts of the settings: tokens, keys, users, statuses and account.

use leadscribe_engine::api::{Role, Scope};

super::texts! {
    settings: "Settings" | "Einstellungen";
    speech_tokens: "Speech tokens" | "Sprach-Token";
    api_keys: "API keys" | "API-Schlüssel";
    staff: "Staff" | "Benutzer";
    statuses: "Statuses" | "Status";
    audit_log: "Audit log" | "Protokoll";
    your_account: "Your account" | "Ihr Konto";

    name: "Name" | "Name";
    begins_with: "Begins with" | "Beginnt mit";
    created: "Created" | "Erstellt";
    last_used: "Last used" | "Zuletzt verwendet";
    never: "never" | "nie";
    actions: "Actions" | "Aktionen";
    /// For a revoked item; followed by the time.
    revoked: "revoked " | "widerrufen ";
    revoke: "Revoke" | "Widerrufen";
    revoke_title(name): "Revoke “{name}”?" | "„{name}“ widerrufen?";
    is_revoked(name): "“{name}” is revoked." | "„{name}“ ist widerrufen.";
    remove: "Remove" | "Entfernen";
    was_removed(name): "“{name}” was removed." | "„{name}“ wurde entfernt.";

    copy_now: "Copy it now" | "Jetzt kopieren";
    stored_as_hash: "It is stored only as a hash and can't be shown again."
        | "Gespeichert wird nur ein Hash; es lässt sich nicht noch einmal anzeigen.";
    close_without_copy: "Close without having copied it?" | "Ohne Kopieren schließen?";
    never_shown_again: "Nobody can show it to you again; you would have to make a new one."
        | "Niemand kann es Ihnen noch einmal anzeigen; Sie müssten ein neues erzeugen.";
    close_anyway: "Close anyway" | "Trotzdem schließen";
    i_have_copied: "I have copied it" | "Ich habe es kopiert";

    you: "You" | "Sie";
    email: "E-mail" | "E-Mail";
    role: "Role" | "Rolle";
    logged_in: "Logged in" | "Angemeldet";
    password: "Password" | "Passwort";
    current_password: "Current password" | "Aktuelles Passwort";
    new_password: "New password" | "Neues Passwort";
    own_password_hint: "At least 12 characters. Your other sessions end." | "Mindestens 12 Zeichen. Ihre anderen Sitzungen enden.";
    change_password: "Change password" | "Passwort ändern";
    password_changed: "Your password was changed. Your other sessions have ended."
        | "Ihr Passwort wurde geändert. Ihre anderen Sitzungen sind beendet.";

    sessions: "Sessions" | "Sitzungen";
    sessions_about: "Where you are logged in. End what you don't know or don't use any more."
        | "Wo Sie angemeldet sind. Beenden Sie, was Sie nicht kennen oder nicht mehr verwenden.";
    no_sessions: "No sessions" | "Keine Sitzungen";
    browser: "Browser" | "Browser";
    browser_on(browser, system): "{browser} on {system}" | "{browser} unter {system}";
    unknown_browser: "Unknown browser" | "Unbekannter Browser";
    address: "Address" | "Adresse";
    this_session: "This one" | "Diese hier";
    end_session: "End" | "Beenden";
    end_session_title(browser): "End the session in {browser}?" | "Die Sitzung in {browser} beenden?";
    end_session_about: "Whoever works there must log in again." | "Wer dort arbeitet, muss sich neu anmelden.";
    session_ended: "The session has ended." | "Die Sitzung ist beendet.";
    end_others: "End all others" | "Alle anderen beenden";
    end_others_title: "End all sessions but this one?" | "Alle Sitzungen außer dieser beenden?";
    others_ended: "All other sessions have ended." | "Alle anderen Sitzungen sind beendet.";
    end_their_sessions: "End their sessions" | "Sitzungen beenden";
    their_sessions_ended: "Their sessions have ended." | "Die Sitzungen sind beendet.";

    keys_about: "For programs that use the HTTP API. Each has its own scopes and its own end."
        | "Für Programme, die die HTTP-API verwenden. Jeder Schlüssel hat eigene Berechtigungen und ein eigenes Ablaufdatum.";
    scopes: "Scopes" | "Berechtigungen";
    expires: "Expires" | "Läuft ab";
    new_key: "New API key" | "Neuer API-Schlüssel";
    no_keys: "No API keys yet" | "Noch keine API-Schlüssel";
    no_keys_about: "Create one for each program, so that one can be revoked without the others."
        | "Erstellen Sie für jedes Programm einen eigenen, damit sich einer ohne die anderen widerrufen lässt.";
    key_usage: "It goes into the header Authorization: Bearer, or into HTTP Basic as the password."
        | "Er gehört in den Header Authorization: Bearer oder als Passwort in HTTP Basic.";
    revoke_key_about: "Programs that use it are refused at once and for good."
        | "Programme, die ihn verwenden, werden sofort und endgültig abgewiesen.";
    key_hint: "What it is for, such as “Reporting, nightly”." | "Wofür er ist, etwa „Bericht, nächtlich“.";
    create_key: "Create key" | "Schlüssel erstellen";
    expires_after: "Expires after" | "Läuft ab nach";
    days_30: "30 days" | "30 Tagen";
    days_90: "90 days" | "90 Tagen";
    one_year: "1 year" | "1 Jahr";
    never_expires: "Never expires" | "Läuft nie ab";
    choose_one: "Choose at least one." | "Wählen Sie mindestens eine.";
    scope_leads_read: "Read leads and campaigns." | "Leads und Kampagnen lesen.";
    scope_leads_write: "Write leads and campaigns, and import them." | "Leads und Kampagnen schreiben und importieren.";
    scope_calls_read: "Read calls and play recordings." | "Anrufe lesen und Aufnahmen abspielen.";
    scope_calls_write: "Write calls, upload recordings, and import calls." | "Anrufe schreiben, Aufnahmen hochladen und Anrufe importieren.";
    scope_speech_submit: "Submit calls for speech recognition, with a speech token."
        | "Anrufe mit einem Sprach-Token an die Spracherkennung senden.";
    scope_speech_read: "Read transcripts, with the speech token that owns them."
        | "Transkripte mit dem Sprach-Token lesen, dem sie gehören.";
    scope_admin: "Everything, including users, keys and tokens." | "Alles, auch Benutzer, Schlüssel und Token.";
}

super::texts! {
    tokens_about:
        "Each is issued to one recipient. Of all tokens it alone reads the transcripts of the calls sent with it; staff read them too." |
        "Jedes wird für einen Empfänger ausgestellt. Von allen Tokens liest nur dieses die Transkripte der Anrufe, die mit ihm gesendet wurden; Benutzer lesen sie auch.";
    transcriptions: "Transcriptions" | "Transkriptionen";
    new_token: "New token" | "Neues Token";
    no_tokens: "No speech tokens yet" | "Noch keine Sprach-Token";
    no_tokens_about: "One is issued to whoever is to send calls to speech recognition and read the transcripts."
        | "Eines erhält, wer Anrufe an die Spracherkennung senden und die Transkripte lesen soll.";
    token_usage: "It goes into the field \"token\" of a submission, and into the header X-Speech-Token when transcripts are read."
        | "Es gehört beim Senden in das Feld \"token\" und beim Lesen von Transkripten in den Header X-Speech-Token.";
    rotate: "Rotate" | "Erneuern";
    rotate_title(name): "Rotate “{name}”?" | "„{name}“ erneuern?";
    rotate_about(count): "The present secret stops working at once. The token keeps its {count} transcription; whoever uses it needs the new secret."
        / "The present secret stops working at once. The token keeps its {count} transcriptions; whoever uses it needs the new secret."
        | "Das bisherige Geheimnis gilt sofort nicht mehr. Das Token behält seine {count} Transkription; wer es verwendet, braucht das neue Geheimnis."
        / "Das bisherige Geheimnis gilt sofort nicht mehr. Das Token behält seine {count} Transkriptionen; wer es verwendet, braucht das neue Geheimnis.";
    revoke_token_about(count): "It stops working at once and for good. Its {count} transcription stays stored, but nobody can read it over the API any more. To change the secret only, rotate it instead."
        / "It stops working at once and for good. Its {count} transcriptions stay stored, but nobody can read them over the API any more. To change the secret only, rotate it instead."
        | "Es gilt sofort und endgültig nicht mehr. Seine {count} Transkription bleibt gespeichert, lässt sich aber nicht mehr über die API lesen. Um nur das Geheimnis zu ändern, erneuern Sie es."
        / "Es gilt sofort und endgültig nicht mehr. Seine {count} Transkriptionen bleiben gespeichert, lassen sich aber nicht mehr über die API lesen. Um nur das Geheimnis zu ändern, erneuern Sie es.";
    new_secret: "The new secret" | "Das neue Geheimnis";
    /// For a token; followed by the time.
    rotated: "rotated " | "erneuert ";
    signing: "Signing" | "Signatur";
    new_speech_token: "New speech token" | "Neues Sprach-Token";
    token_hint: "Whom it is issued to, such as “Quality team”." | "Für wen es ist, etwa „Qualitätsteam“.";
    create_token: "Create token" | "Token erstellen";

    what_signs(name): "What signs deliveries of “{name}”" | "Womit Zustellungen von „{name}“ signiert werden";
    signs_about: "Whoever takes deliveries checks with it that they come from here, as the Standard Webhooks specification says."
        | "Wer Zustellungen annimmt, prüft damit nach der Spezifikation „Standard Webhooks“, dass sie von hier kommen.";
    /// Followed by the time at which it ends.
    signs_too_until: "The secret before it signs too, until " | "Das vorherige Geheimnis signiert ebenfalls, bis ";
    change_secret_ask: "Change the secret?" | "Geheimnis ändern?";
    change_secret_about: "Deliveries are signed with the new one at once, and for 24 hours with the old one too. Put the new one in place within that time."
        | "Zustellungen werden sofort mit dem neuen signiert und 24 Stunden lang auch mit dem alten. Richten Sie das neue in dieser Zeit ein.";
    change_secret_dialog: "Change the secret…" | "Geheimnis ändern…";
    change_secret: "Change the secret" | "Geheimnis ändern";
    secret_changed: "There is a new signing secret." | "Es gibt ein neues Geheimnis für Signaturen.";
    done: "Done" | "Fertig";

    statuses_about: "Where a lead stands in a campaign. Only leads in a dialable status are callable. Lists show them in this order."
        | "Wie weit ein Lead in einer Kampagne ist. Nur Leads in einem anrufbaren Status können angerufen werden. Listen zeigen sie in dieser Reihenfolge.";
    status: "Status" | "Status";
    may_be_called: "May be called" | "Anrufbar";
    yes: "Yes" | "Ja";
    no: "No" | "Nein";
    new_status: "New status" | "Neuer Status";
    still_used(label): "“{label}” is in use" | "„{label}“ wird verwendet";
    leads_have_it(count, label):
        "{count} lead has the status “{label}” in a campaign. Give it another one first; then the status can be removed."
        / "{count} leads have the status “{label}” in a campaign. Give them another one first; then the status can be removed."
        | "{count} Lead hat in einer Kampagne den Status „{label}“. Geben Sie ihm zuerst einen anderen; dann lässt sich der Status entfernen."
        / "{count} Leads haben in einer Kampagne den Status „{label}“. Geben Sie ihnen zuerst einen anderen; dann lässt sich der Status entfernen.";
    show_the_leads: "Show the leads" | "Die Leads anzeigen";
    no_statuses: "No statuses" | "Keine Status";
    no_statuses_about: "Add those that leads in campaigns can have." | "Fügen Sie die hinzu, die Leads in Kampagnen haben können.";
    is_saved(name): "“{name}” is saved." | "„{name}“ ist gespeichert.";
    up: "Up" | "Auf";
    down: "Down" | "Ab";
    edit: "Edit" | "Bearbeiten";

    users_about: "Who may log in to this panel." | "Wer sich hier anmelden darf.";
    last_login: "Last log-in" | "Letzte Anmeldung";
    added: "Added" | "Hinzugefügt";
    add_user: "Add a member of staff" | "Benutzer hinzufügen";
    no_users: "No staff yet" | "Noch keine Benutzer";
    no_users_about: "Add those who are to work with this panel." | "Fügen Sie hinzu, wer hier arbeiten soll.";
    deactivate_title(email): "Deactivate {email}?" | "{email} deaktivieren?";
    deactivate_about: "Their sessions end at once, and they can't log in until somebody activates them again."
        | "Die Sitzungen enden sofort, und eine Anmeldung ist erst nach erneuter Aktivierung möglich.";
    deactivate: "Deactivate" | "Deaktivieren";
    activate: "Activate" | "Aktivieren";
    deactivated: "Deactivated" | "Deaktiviert";
    was_deactivated(email): "{email} was deactivated." | "{email} wurde deaktiviert.";
    can_log_in_again(email): "{email} can log in again." | "{email} kann sich wieder anmelden.";
    can_log_in(email): "{email} can log in now." | "{email} kann sich jetzt anmelden.";
    remove_user_title(email): "Remove {email}?" | "{email} entfernen?";
    remove_user_about: "Their sessions end at once. What they did stays in the audit log."
        | "Die Sitzungen enden sofort. Was getan wurde, bleibt im Protokoll.";
    user_removed(email): "{email} was removed." | "{email} wurde entfernt.";
    user_changed(email): "{email} was changed." | "{email} wurde geändert.";
    is_you: " (you)" | " (Sie)";
    change: "Change" | "Ändern";
    add: "Add" | "Hinzufügen";
    new_user_password_hint: "At least 12 characters. Pass it on by a safe way." | "Mindestens 12 Zeichen. Geben Sie es auf sicherem Weg weiter.";
    other_password_hint: "Leave it empty to keep the one they have. At least 12 characters; pass it on by a safe way."
        | "Lassen Sie es leer, um das bisherige zu behalten. Mindestens 12 Zeichen; geben Sie es auf sicherem Weg weiter.";
    their_sessions_end: "Their sessions end; they log in again." | "Die Sitzungen enden; danach ist eine neue Anmeldung nötig.";
    only_admins: "Only administrators see this" | "Das sehen nur Administratoren";
    only_admins_why: "Ask one of them if you need it." | "Wenden Sie sich an einen von ihnen, wenn Sie es brauchen.";
    admin: "Admin" | "Administrator";
    manager: "Manager" | "Manager";
    viewer: "Viewer" | "Betrachter";
    admin_about: "Everything: staff, API keys and speech tokens too." | "Alles, auch Benutzer, API-Schlüssel und Sprach-Token.";
    manager_about: "Reads, imports, writes and sends calls; keeps no staff, keys or tokens."
        | "Liest, importiert, schreibt und sendet Anrufe; verwaltet keine Benutzer, Schlüssel oder Token.";
    viewer_about:
        "Looks at leads, calls, recordings, transcripts and imports, and exports them; changes nothing." |
        "Sieht Leads, Anrufe, Aufnahmen, Transkripte und Importe an und exportiert sie; ändert nichts.";
}

/// Name of a role.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Admin => admin(),
        Role::Manager => manager(),
        Role::Viewer => viewer(),
    }
}

/// Permissions of a role.
pub fn role_about(role: Role) -> &'static str {
    match role {
        Role::Admin => admin_about(),
        Role::Manager => manager_about(),
        Role::Viewer => viewer_about(),
    }
}

/// Permissions of a scope, as shown when creating a key.
pub fn scope_about(scope: Scope) -> &'static str {
    match scope {
        Scope::LeadsRead => scope_leads_read(),
        Scope::LeadsWrite => scope_leads_write(),
        Scope::CallsRead => scope_calls_read(),
        Scope::CallsWrite => scope_calls_write(),
        Scope::SpeechSubmit => scope_speech_submit(),
        Scope::SpeechRead => scope_speech_read(),
        Scope::Admin => scope_admin(),
    }
}
