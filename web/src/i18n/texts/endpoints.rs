//! Texts of callback endpoints.

super::texts! {
    endpoints: "Webhooks" | "Webhooks";
    hint: "URLs that received deliveries. A URL disappears once its deliveries are deleted."
        | "Adressen, an die zugestellt wurde. Eine Adresse verschwindet, sobald ihre Zustellungen gelöscht sind.";
    endpoint: "URL" | "Adresse";
    waiting: "Waiting" | "Wartend";
    last_delivered: "Last delivered" | "Zuletzt zugestellt";
    last_failed: "Last failed" | "Zuletzt fehlgeschlagen";
    none_yet: "No webhooks yet" | "Noch keine Webhooks";
    only_deliveries_to_endpoint(id): "Only deliveries to the URL of delivery {id}." | "Nur Zustellungen an die Adresse von Zustellung {id}.";
    all: "All webhooks" | "Alle Webhooks";
}
