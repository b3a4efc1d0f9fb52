//! Texts for requests without a response. Errors come from the server in English, and from `problems` in other languages.

super::texts! {
    offline: "Can't reach the server" | "Der Server ist nicht erreichbar";
    offline_hint: "Check your connection and try again." | "Prüfen Sie die Verbindung und versuchen Sie es erneut.";
    session_ended: "Your session has expired" | "Ihre Sitzung ist abgelaufen";
    session_ended_hint: "Log in again to continue." | "Melden Sie sich erneut an, um fortzufahren.";
    unexpected: "Unexpected response from the server" | "Unerwartete Antwort des Servers";
    unexpected_hint(status): "Reload the page. The panel may be out of date. (Status {status})"
        | "Laden Sie die Seite neu. Vielleicht ist die Oberfläche veraltet. (Status {status})";
    too_many_hint(seconds): "Try again in {seconds} second." / "Try again in {seconds} seconds."
        | "Versuchen Sie es in {seconds} Sekunde erneut." / "Versuchen Sie es in {seconds} Sekunden erneut.";
    request(id): "Request {id}" | "Anfrage {id}";
}
