//! The results as Markdown tables.

use super::results::Results;
use crate::bench::load::Sample;
use crate::bench::systems::Shape;

/// Hand-written SQL on SQLite, without HTTP: the reference for the targets.
const REFERENCE_SYSTEM: &str = "sqlite_tuned";

/// Metric of a table.
struct Metric {
    value: fn(&Sample) -> f64,
    name: &'static str,
    lower_is_better: bool,
}

/// Latency for one client, throughput for many.
fn metric_for(clients: usize) -> Metric {
    if clients == 1 {
        Metric { value: |sample| sample.p50, name: "median ms", lower_is_better: true }
    } else {
        Metric { value: |sample| sample.per_second, name: "responses per second", lower_is_better: false }
    }
}

/// Prints all tables, and how the product compares.
pub fn print(results: &Results, shapes: &[Shape]) {
    for &clients in &results.clients {
        print_values(results, shapes, clients);
        for product in results.columns.iter().filter(|column| column.is_product) {
            print_ratios(results, shapes, clients, &product.name);
        }
    }
    println!();
}

fn print_values(results: &Results, shapes: &[Shape], clients: usize) {
    let metric = metric_for(clients);
    let names: Vec<_> = results.columns.iter().map(|column| column.name.as_str()).collect();
    println!("\n{}, {}:\n", metric.name, client_count_text(clients));
    println!("| shape | matches | {} |", names.join(" | "));
    println!("|---|--:|{}", "--:|".repeat(names.len()));
    for shape in shapes {
        let cells = names.iter().map(|name| format_value(results.median(name, shape.name, clients, metric.value)));
        println!("| {} | {} | {} |", shape.name, mean_matches(shape), cells.collect::<Vec<_>>().join(" | "));
    }
}

fn print_ratios(results: &Results, shapes: &[Shape], clients: usize, product: &str) {
    let metric = metric_for(clients);
    let ratio = |other: f64, own: f64| if metric.lower_is_better { other / own } else { own / other };
    println!("\n{product}, {}, {}; how many times better it is than each:\n", metric.name, client_count_text(clients));
    println!("| shape | matches | {product} | {REFERENCE_SYSTEM} | times | best HTTP peer | | times |");
    println!("|---|--:|--:|--:|--:|---|--:|--:|");
    for shape in shapes {
        let median = |name: &str| results.median(name, shape.name, clients, metric.value);
        let own = median(product);
        let format_ratio = |other: Option<f64>| format_value(other.zip(own).map(|(other, own)| ratio(other, own)));
        let peers = results.columns.iter().filter(|column| column.is_http_peer);
        let mut peers: Vec<_> = peers.filter_map(|peer| Some((peer.name.as_str(), median(&peer.name)?))).collect();
        peers.sort_by(
            |(_, first), (_, second)| {
                if metric.lower_is_better { first.total_cmp(second) } else { second.total_cmp(first) }
            },
        );
        let best = peers.first().copied();
        let tuned = median(REFERENCE_SYSTEM);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            shape.name,
            mean_matches(shape),
            format_value(own),
            format_value(tuned),
            format_ratio(tuned),
            best.map_or("-", |(name, _)| name),
            format_value(best.map(|(_, value)| value)),
            format_ratio(best.map(|(_, value)| value))
        );
    }
}

fn client_count_text(clients: usize) -> String {
    if clients == 1 { "one client".into() } else { format!("{clients} clients") }
}

/// Returns the mean number of matches over the variants.
fn mean_matches(shape: &Shape) -> u64 {
    shape.expected.iter().map(|response| response.total).sum::<u64>() / shape.expected.len().max(1) as u64
}

/// Formats a value with three significant digits.
fn format_value(value: Option<f64>) -> String {
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
    use super::format_value;

    #[test]
    fn values_have_three_significant_digits() {
        let values = [None, Some(0.0712), Some(1.234), Some(12.34), Some(1234.4)];
        assert_eq!(values.map(format_value), ["-", "0.071", "1.23", "12.3", "1234"]);
    }
}
