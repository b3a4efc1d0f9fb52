//! Errors of users, credentials, statuses and views.

super::messages! {
    pub;
    blank: "must not be blank" | "darf nicht leer sein";
    too_many_characters(max, found):
        "must have at most {max} characters, but has {found}" |
        "darf höchstens {max} Zeichen haben, hat aber {found}";
    printable_characters:
        "expected printable characters, found a control character" |
        "erwartet: druckbare Zeichen, gefunden: ein Steuerzeichen";
    at_least_one_scope: "expected at least one scope" | "wählen Sie mindestens eine Berechtigung";
    in_the_future: "must be in the future" | "muss in der Zukunft liegen";

    // Users
    email_form(max):
        "expected an email address such as name@example.com, of at most {max} bytes" |
        "erwartet: eine E-Mail-Adresse wie name@example.com, mit höchstens {max} Bytes";
    email_required: "an email address is required" | "eine E-Mail-Adresse ist erforderlich";
    email_taken: "this email address is already in use" | "diese E-Mail-Adresse wird schon verwendet";
    password_required: "a password is required" | "ein Passwort ist erforderlich";
    password_length(min, max, found):
        "the password must have {min} to {max} characters, but has {found}" |
        "das Passwort muss {min} bis {max} Zeichen haben, hat aber {found}";
    weak_password: "the password is too easy to guess" | "das Passwort ist zu leicht zu erraten";
    stronger_password:
        "use several unrelated words, or a password manager" |
        "verwenden Sie mehrere Wörter, die nichts miteinander zu tun haben, oder einen Passwortmanager";
    account_changed:
        "the account was changed during the login; log in again" |
        "das Konto wurde während der Anmeldung geändert; melden Sie sich noch einmal an";
    wrong_password: "the current password is wrong" | "das aktuelle Passwort ist falsch";

    // Speech tokens
    no_token(id): "token {id} doesn't exist" | "Token {id} gibt es nicht";
    token_is_revoked(id): "token {id} is revoked" | "Token {id} ist widerrufen";
    issue_new_token: "create a new token instead" | "legen Sie stattdessen ein neues Token an";

    // Webhooks
    at_least_one_event: "expected at least one event" | "wählen Sie mindestens ein Ereignis";
    events_of_token:
        "a webhook of a token only gets events of its calls" |
        "ein Webhook eines Tokens erhält nur Ereignisse seiner Anrufe";
    too_many_webhooks(max):
        "there are already {max} webhooks, the maximum" |
        "es gibt schon {max} Webhooks, mehr sind nicht möglich";

    // Statuses
    status_name(max, found):
        "expected 1 to {max} of the characters a to z, 0 to 9 and _, found {found}" |
        "erwartet: 1 bis {max} der Zeichen a bis z, 0 bis 9 und _, gefunden: {found}";
    status_listed_once(name):
        "`{name}` must be listed exactly once" |
        "`{name}` muss genau einmal aufgeführt sein";

    // Views
    view_name_taken:
        "its owner already has a view with this name" |
        "der Besitzer hat schon eine Ansicht mit diesem Namen";
    sharing_needs_manager:
        "only managers and admins can share views" |
        "nur Manager und Administratoren können Ansichten teilen";
    changing_needs_manager:
        "only its owner, managers and admins can change a shared view" |
        "nur der Besitzer, Manager und Administratoren können eine geteilte Ansicht ändern";
    save_own_view:
        "ask a manager or an admin, or save a view of your own" |
        "fragen Sie einen Manager oder Administrator, oder speichern Sie eine eigene Ansicht";
    too_many_views(max, count):
        "a user can have at most {max} views, but there are {count}" |
        "ein Benutzer kann höchstens {max} Ansichten haben, es sind aber {count}";
    delete_one_first: "delete one first" | "löschen Sie zuerst eine";
}
