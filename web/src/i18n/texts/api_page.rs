//! Texts of the API page. The reference itself is in English, like the OpenAPI document.

super::texts! {
    reference: "Reference" | "Referenz";
    /// Empty in English, where it is obvious.
    in_english: "" | "Die Referenz ist auf Englisch.";
    document: "OpenAPI document" | "OpenAPI-Dokument";

    no_command: "Fix the filter to get the request." | "Korrigieren Sie den Filter, um die Anfrage zu erhalten.";
    copy_as_curl: "Copy as cURL" | "Als cURL-Befehl kopieren";

    response_has_no_leads: "This response contains no leads." | "Diese Antwort enthält keine Leads.";
    first_leads: "First leads" | "Erste Leads";
}
