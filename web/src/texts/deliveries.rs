//! Texts of deliveries to callback endpoints.

super::texts! {
    /// Of the next attempt, as in `next in 3 min`.
    next(when): "next {when}" | "nächster {when}";
    due(when): "due {when}" | "fällig {when}";
    next_attempt(when): "Next attempt {when}" | "Nächster Versuch {when}";
    next_attempt_due(when): "Next attempt due {when}" | "Nächster Versuch fällig {when}";
}
