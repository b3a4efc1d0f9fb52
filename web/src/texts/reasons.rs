//! Texts of the reasons why leads can't be called. What they are called, and the rules behind them, is said by the engine.

super::texts! {
    /// The rule as a sentence, and when time cures it.
    until(rule, moment): "{rule} Until {moment}." | "{rule} Bis {moment}.";
}
