//! Texts of callback endpoints.

super::texts! {
    endpoints: "Callback endpoints" | "Callback-Adressen";
    about:
        "Where transcripts were delivered to, as long as the deliveries are kept. An address is named with each request; none is stored apart."
        | "Wohin Transkripte zugestellt wurden, solange die Zustellungen aufbewahrt werden. Jede Anfrage nennt ihre Adresse; eigens gespeichert wird keine.";
    endpoint: "Endpoint" | "Adresse";
    waiting: "Waiting" | "Wartend";
    delivered: "Delivered" | "Zugestellt";
    failed: "Failed" | "Fehlgeschlagen";
    last_delivered: "Last delivered" | "Zuletzt zugestellt";
    last_failed: "Last failed" | "Zuletzt fehlgeschlagen";
    none: "Nothing was delivered yet" | "Noch nichts zugestellt";
    none_about:
        "Search transcripts and deliver what is found, or let the holder of a token ask for it over the API."
        | "Durchsuchen Sie Transkripte und stellen Sie die Treffer zu, oder lassen Sie den Inhaber eines Tokens es über die API anfordern.";
    search_transcripts: "Search transcripts" | "Transkripte durchsuchen";
    only_one(id): "Only deliveries to the address of delivery {id}." | "Nur Zustellungen an die Adresse von Zustellung {id}.";
    all: "All addresses" | "Alle Adressen";
}
