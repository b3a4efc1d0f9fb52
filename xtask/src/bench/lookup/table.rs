//! The results as Markdown tables.

use super::results::Results;
use crate::bench::load::Sample;
use crate::bench::systems::Shape;

/// Hand-written SQL on SQLite, without HTTP: the reference for the targets.
const TUNED: &str = "sqlite_tuned";

/// Metric of a table.
struct Figure {
    of: fn(&Sample) -> f64,
    name: &'static str,
    /// True if a lower value is better.
    lower_is_better: bool,
}

/// Latency for one client, throughput for many.
fn figure(clients: usize) -> Figure {
    if clients == 1 {
        Figure { of: |sample| sample.p50, name: "median ms", lower_is_better: true }
    } else {
        Figure { of: |sample| sample.per_second, name: "answers per second", lower_is_better: false }
    }
}

/// Prints all tables, and how the product compares.
pub fn print(results: &Results, shapes: &[Shape]) {
    for &clients in &results.clients {
        print_all(results, shapes, clients);
        for ours in results.columns.iter().filter(|column| column.is_ours) {
            print_ratios(results, shapes, clients, &ours.name);
        }
    }
    println!();
}

fn print_all(results: &Results, shapes: &[Shape], clients: usize) {
    let figure = figure(clients);
    let names: Vec<_> = results.columns.iter().map(|column| column.name.as_str()).collect();
    println!("\n{}, {}:\n", figure.name, in_words(clients));
    println!("| shape | matches | {} |", names.join(" | "));
    println!("|---|--:|{}", "--:|".repeat(names.len()));
    for shape in shapes {
        let cells = names.iter().map(|name| shown(results.median(name, shape.name, clients, figure.of)));
        println!("| {} | {} | {} |", shape.name, matches(shape), cells.collect::<Vec<_>>().join(" | "));
    }
}

fn print_ratios(results: &Results, shapes: &[Shape], clients: usize, ours: &str) {
    let figure = figure(clients);
    let versus = |other: f64, own: f64| if figure.lower_is_better { other / own } else { own / other };
    println!("\n{ours}, {}, {}; how many times better it is than each:\n", figure.name, in_words(clients));
    println!("| shape | matches | {ours} | {TUNED} | times | best HTTP peer | | times |");
    println!("|---|--:|--:|--:|--:|---|--:|--:|");
    for shape in shapes {
        let median = |name: &str| results.median(name, shape.name, clients, figure.of);
        let own = median(ours);
        let times = |other: Option<f64>| shown(other.zip(own).map(|(other, own)| versus(other, own)));
        let peers = results.columns.iter().filter(|column| column.is_http_peer);
        let mut peers: Vec<_> = peers.filter_map(|peer| Some((peer.name.as_str(), median(&peer.name)?))).collect();
        peers.sort_by(
            |(_, one), (_, other)| {
                if figure.lower_is_better { one.total_cmp(other) } else { other.total_cmp(one) }
            },
        );
        let best = peers.first().copied();
        let tuned = median(TUNED);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            shape.name,
            matches(shape),
            shown(own),
            shown(tuned),
            times(tuned),
            best.map_or("-", |(name, _)| name),
            shown(best.map(|(_, value)| value)),
            times(best.map(|(_, value)| value))
        );
    }
}

fn in_words(clients: usize) -> String {
    if clients == 1 { "one client".into() } else { format!("{clients} clients") }
}

/// Returns the mean number of matches over the variants.
fn matches(shape: &Shape) -> u64 {
    shape.answers.iter().map(|answer| answer.total).sum::<u64>() / shape.answers.len().max(1) as u64
}

/// Formats a value with three significant digits.
fn shown(value: Option<f64>) -> String {
    match value {
        None => "-".into(),
        Some(value) if value >= 100.0 => format!("{value:.0}"),
        Some(value) if value >= 10.0 => format!("{value:.1}"),
        Some(value) if value >= 1.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn values_have_three_significant_digits() {
        let figures = [None, Some(0.0712), Some(1.234), Some(12.34), Some(1234.4)];
        assert_eq!(figures.map(shown), ["-", "0.071", "1.23", "12.3", "1234"]);
    }
}
