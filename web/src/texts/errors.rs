//! Texts for requests without an answer. Refusals come from the server in English, and from `refusals` in other languages.

super::texts! {
    offline: "The server can't be reached" | "Der Server ist nicht erreichbar";
    offline_advice: "Check the connection, then try again." | "Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.";
    session_ended: "Your session has ended" | "Ihre Sitzung ist beendet";
    session_ended_advice: "Log in again to go on where you were." | "Melden Sie sich wieder an, um dort weiterzumachen, wo Sie waren.";
    unexpected: "The server answered something unexpected" | "Der Server hat etwas Unerwartetes geantwortet";
    unexpected_advice(status):
        "Load the page again; the panel may be older than the server. (Status {status}.)" |
        "Laden Sie die Seite neu; vielleicht ist die Oberfläche älter als der Server. (Status {status}.)";
    /// First line of a file.
    header: "Header" | "Kopfzeile";
    too_many_advice(seconds):
        "Try again in {seconds} second." / "Try again in {seconds} seconds." |
        "Versuchen Sie es in {seconds} Sekunde noch einmal." / "Versuchen Sie es in {seconds} Sekunden noch einmal.";
    request(id): "Request {id}" | "Anfrage {id}";
}
