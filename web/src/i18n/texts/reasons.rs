//! Texts for the reasons why leads can't be called. Their names and rules come from the engine.

super::texts! {
    /// Rule as a sentence, and the time at which it ends.
    until(rule, moment): "{rule} Until {moment}." | "{rule} Bis {moment}.";
}
