//! Texts of the settings: tokens, keys, users, statuses and account.

use leadscribe_engine::api::{Role, Scope};

super::texts! {
    speech_tokens: "Speech tokens" | "Sprach-Token";
    api_keys: "API keys" | "API-Schlüssel";
    staff: "Users" | "Benutzer";
    statuses: "Statuses" | "Status";
    audit_log: "Audit log" | "Protokoll";
    your_account: "Your account" | "Ihr Konto";

    key_prefix: "Prefix" | "Präfix";
    last_used: "Last used" | "Zuletzt verwendet";
    /// For a revoked item; followed by the time.
    revoked: "revoked " | "widerrufen ";
    revoke: "Revoke" | "Widerrufen";
    revoke_title(name): "Revoke “{name}”?" | "„{name}“ widerrufen?";
    is_revoked(name): "Revoked “{name}”" | "„{name}“ widerrufen";
    was_removed(name): "Removed “{name}”" | "„{name}“ entfernt";

    copy_now: "Copy it now" | "Jetzt kopieren";
    stored_as_hash: "You won't see it again: only a hash is stored."
        | "Dieser Wert wird nur einmal angezeigt: Gespeichert wird nur ein Hash.";
    close_without_copy: "Close without copying?" | "Ohne Kopieren schließen?";
    never_shown_again: "You won't see it again." | "Dieser Wert wird nicht noch einmal angezeigt.";
    close_anyway: "Close anyway" | "Trotzdem schließen";
    confirm_copied: "I have copied it" | "Wert ist kopiert";

    email: "Email" | "E-Mail";
    role: "Role" | "Rolle";
    logged_in: "Logged in" | "Angemeldet";
    password: "Password" | "Passwort";
    current_password: "Current password" | "Aktuelles Passwort";
    new_password: "New password" | "Neues Passwort";
    own_password_hint: "At least 12 characters. You'll be logged out elsewhere."
        | "Mindestens 12 Zeichen. Sie werden überall sonst abgemeldet.";
    change_password: "Change password" | "Passwort ändern";
    password_changed: "Password changed" | "Passwort geändert";

    sessions: "Sessions" | "Sitzungen";
    sessions_hint: "Where you are logged in. End sessions you don't recognize."
        | "Hier sind Sie angemeldet. Beenden Sie Sitzungen, die Sie nicht kennen.";
    no_sessions: "No sessions" | "Keine Sitzungen";
    browser: "Browser" | "Browser";
    browser_on(browser, system): "{browser} on {system}" | "{browser} unter {system}";
    unknown_browser: "Unknown browser" | "Unbekannter Browser";
    ip_address: "IP address" | "IP-Adresse";
    this_session: "This session" | "Diese Sitzung";
    end_session: "End session" | "Sitzung beenden";
    end_session_title(browser): "End session in {browser}?" | "Sitzung in {browser} beenden?";
    end_session_hint: "You'll have to log in there again." | "Dort ist eine erneute Anmeldung nötig.";
    session_ended: "Session ended" | "Sitzung beendet";
    end_others: "End all other sessions" | "Alle anderen Sitzungen beenden";
    end_others_title: "End all other sessions?" | "Alle anderen Sitzungen beenden?";
    other_sessions_ended: "All other sessions ended" | "Alle anderen Sitzungen beendet";
    end_their_sessions: "End all sessions" | "Alle Sitzungen beenden";
    their_sessions_ended: "Sessions ended" | "Sitzungen beendet";

    keys_hint: "For programs that use the HTTP API. Each key has its own permissions and expiry."
        | "Für Programme, die die HTTP-API verwenden. Jeder Schlüssel hat eigene Berechtigungen und ein eigenes Ablaufdatum.";
    scopes: "Permissions" | "Berechtigungen";
    expires: "Expires" | "Läuft ab";
    new_key: "New API key" | "Neuer API-Schlüssel";
    no_keys: "No API keys yet" | "Noch keine API-Schlüssel";
    no_keys_hint: "Create one per program, so that you can revoke it separately."
        | "Legen Sie einen pro Programm an, damit Sie ihn einzeln widerrufen können.";
    key_usage: "Send it in the header Authorization: Bearer, or as the HTTP Basic password."
        | "Senden Sie ihn im Header Authorization: Bearer oder als Passwort mit HTTP Basic.";
    revoke_key_hint: "Programs using it lose access immediately. This can't be undone."
        | "Programme, die ihn verwenden, verlieren sofort den Zugriff. Das lässt sich nicht rückgängig machen.";
    key_hint: "What it is for, for example “Nightly reporting”." | "Verwendungszweck, z. B. „Nächtlicher Bericht“.";
    create_key: "Create API key" | "API-Schlüssel anlegen";
    expires_after: "Expiry" | "Ablauf";
    days_30: "30 days" | "30 Tage";
    days_90: "90 days" | "90 Tage";
    one_year: "1 year" | "1 Jahr";
    never_expires: "No expiry" | "Kein Ablaufdatum";
    choose_one: "Choose at least one." | "Wählen Sie mindestens eine.";
    /// Permissions of a scope, as shown when creating a key.
    scope_description(Scope) {
        LeadsRead: "Read leads and campaigns." | "Leads und Kampagnen lesen.";
        LeadsWrite: "Write and import leads and campaigns." | "Leads und Kampagnen schreiben und importieren.";
        CallsRead: "Read calls and play recordings." | "Anrufe lesen und Aufnahmen abspielen.";
        CallsWrite: "Write and import calls, and upload recordings."
            | "Anrufe schreiben und importieren, Aufnahmen hochladen.";
        SpeechSubmit: "Send calls to speech recognition (with a speech token)."
            | "Anrufe an die Spracherkennung senden (mit Sprach-Token).";
        SpeechRead: "Read transcripts (with the speech token that owns them)."
            | "Transkripte lesen (mit dem zugehörigen Sprach-Token).";
        Admin: "Everything, including users, keys and tokens." | "Alles, auch Benutzer, Schlüssel und Token.";
    }
}

super::texts! {
    tokens_hint: "A token lets one recipient read the transcripts of calls sent with it. Users can read all transcripts."
        | "Mit einem Token kann ein Empfänger die Transkripte der damit gesendeten Anrufe lesen. Benutzer können alle Transkripte lesen.";
    transcriptions: "Transcriptions" | "Transkriptionen";
    new_token: "New speech token" | "Neues Sprach-Token";
    no_tokens: "No speech tokens yet" | "Noch keine Sprach-Token";
    no_tokens_hint: "Create one for each recipient of transcripts." | "Legen Sie eines pro Empfänger von Transkripten an.";
    token_usage: "Use it in the field “token” when you send calls, and in the header X-Speech-Token when you read transcripts."
        | "Verwenden Sie es beim Senden im Feld „token“ und beim Lesen von Transkripten im Header X-Speech-Token.";
    rotate: "Rotate" | "Erneuern";
    rotate_title(name): "Rotate “{name}”?" | "„{name}“ erneuern?";
    rotate_hint: "The current token stops working immediately. Existing transcriptions stay."
        | "Das bisherige Token wird sofort ungültig. Vorhandene Transkriptionen bleiben erhalten.";
    revoke_token_hint:
        "It stops working immediately and permanently. Existing transcriptions are kept but can no longer be read through the API. To replace a leaked token, rotate it instead."
        | "Es wird sofort und endgültig ungültig. Vorhandene Transkriptionen bleiben gespeichert, sind aber nicht mehr per API lesbar. Um ein bekannt gewordenes Token zu ersetzen, erneuern Sie es.";
    /// For a token; followed by the time.
    rotated: "rotated " | "erneuert ";
    signing: "Signing secret" | "Signaturschlüssel";
    token_hint: "Who it is for, for example “Quality team”." | "Empfänger, z. B. „Qualitätsteam“.";
    create_token: "Create speech token" | "Sprach-Token anlegen";

    signing_secret_title(name): "Signing secret of “{name}”" | "Signaturschlüssel von „{name}“";
    signing_secret_hint: "Use it to verify deliveries (Standard Webhooks)." | "Prüfen Sie damit Zustellungen (Standard Webhooks).";
    /// Followed by the time at which it ends.
    previous_secret_valid_until: "The previous secret is valid until " | "Der vorherige Schlüssel gilt noch bis ";
    change_secret_title: "Rotate the signing secret?" | "Signaturschlüssel erneuern?";
    change_secret_hint: "Deliveries are signed with both secrets for 24 hours. Replace the secret at the recipient within that time."
        | "Zustellungen werden 24 Stunden lang mit beiden Schlüsseln signiert. Ersetzen Sie den Schlüssel beim Empfänger in dieser Zeit.";
    change_secret_dialog: "Rotate secret…" | "Schlüssel erneuern …";
    change_secret: "Rotate secret" | "Schlüssel erneuern";
    secret_changed: "Signing secret rotated" | "Signaturschlüssel erneuert";

    statuses_hint: "Statuses track a lead's progress in a campaign. Only leads with a callable status are called. Lists use this order."
        | "Ein Status zeigt den Fortschritt eines Leads in einer Kampagne. Nur Leads mit anrufbarem Status werden angerufen. Listen verwenden diese Reihenfolge.";
    may_be_called: "Callable" | "Anrufbar";
    new_status: "New status" | "Neuer Status";
    create_status: "Create status" | "Status anlegen";
    still_used(label): "“{label}” is in use" | "„{label}“ wird verwendet";
    status_in_use(count, label):
        "{count} lead has the status “{label}”. Change its status first."
        / "{count} leads have the status “{label}”. Change their status first."
        | "{count} Lead hat den Status „{label}“. Ändern Sie zuerst dessen Status."
        / "{count} Leads haben den Status „{label}“. Ändern Sie zuerst deren Status.";
    no_statuses: "No statuses" | "Keine Status";
    no_statuses_hint: "Create the statuses that leads can have in campaigns."
        | "Legen Sie die Status an, die Leads in Kampagnen haben können.";
    up: "Move up" | "Nach oben";
    down: "Move down" | "Nach unten";

    users_hint: "People who can log in to this panel." | "Personen, die sich hier anmelden können.";
    last_login: "Last login" | "Letzte Anmeldung";
    new_user: "New user" | "Neuer Benutzer";
    create_user: "Create user" | "Benutzer anlegen";
    no_users: "No users yet" | "Noch keine Benutzer";
    no_users_hint: "Create a user for each person who works with this panel."
        | "Legen Sie für jede Person, die hier arbeitet, einen Benutzer an.";
    deactivate_title(email): "Deactivate {email}?" | "{email} deaktivieren?";
    deactivate_hint: "They are logged out immediately and can't log in until you reactivate them."
        | "Die Person wird sofort abgemeldet und kann sich erst nach erneuter Aktivierung wieder anmelden.";
    deactivate: "Deactivate" | "Deaktivieren";
    activate: "Activate" | "Aktivieren";
    deactivated: "Deactivated" | "Deaktiviert";
    user_deactivated(email): "Deactivated {email}" | "{email} deaktiviert";
    user_activated(email): "Activated {email}" | "{email} aktiviert";
    user_created(email): "Created {email}" | "{email} angelegt";
    remove_user_title(email): "Remove {email}?" | "{email} entfernen?";
    remove_user_hint: "They are logged out immediately. Their entries in the audit log are kept."
        | "Die Person wird sofort abgemeldet. Ihre Einträge im Protokoll bleiben erhalten.";
    user_removed(email): "Removed {email}" | "{email} entfernt";
    user_changed(email): "Saved {email}" | "{email} gespeichert";
    you_suffix: " (you)" | " (Sie)";
    change: "Change" | "Ändern";
    new_user_password_hint: "At least 12 characters. Share it securely."
        | "Mindestens 12 Zeichen. Geben Sie es auf sicherem Weg weiter.";
    other_password_hint: "Leave empty to keep the current one. At least 12 characters. Share it securely."
        | "Leer lassen, um das bisherige zu behalten. Mindestens 12 Zeichen. Geben Sie es auf sicherem Weg weiter.";
    their_sessions_end: "Any change logs them out everywhere." | "Jede Änderung beendet alle Sitzungen dieser Person.";
    only_admins: "Administrators only" | "Nur für Administratoren";
    /// Name of a role.
    role_name(Role) {
        Admin: "Admin" | "Administrator";
        Manager: "Manager" | "Manager";
        Viewer: "Viewer" | "Lesezugriff";
    }
    /// Permissions of a role.
    role_description(Role) {
        Admin: "Everything, including users, keys and tokens." | "Alles, auch Benutzer, Schlüssel und Token.";
        Manager: "Everything except users, keys and tokens." | "Alles außer Benutzern, Schlüsseln und Token.";
        Viewer: "Read and export only." | "Nur Lesen und Exportieren.";
    }
}
