//! Strict parser of the Prometheus text format.

use std::collections::BTreeMap;

use crate::harness::Client;

/// Response of `/metrics`.
#[derive(Debug)]
pub struct Exposition {
    /// Type of each metric, by name.
    pub types: BTreeMap<String, String>,
    samples: Vec<Sample>,
}

#[derive(Debug)]
struct Sample {
    name: String,
    labels: BTreeMap<String, String>,
    value: f64,
}

impl Exposition {
    /// Requests the metrics.
    pub async fn fetch(client: &Client) -> Self {
        let response = client.get("/metrics").await;
        assert_eq!(response.status, 200, "{}", response.text());
        Self::parse(&response.text())
    }

    /// Parses the metrics. Each metric needs a complete description before its first sample.
    fn parse(text: &str) -> Self {
        let (mut types, mut documented, mut samples) = (BTreeMap::new(), Vec::new(), Vec::new());
        assert!(text.ends_with('\n'));
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, help) = help.split_once(' ').unwrap();
                assert!(help.ends_with('.'), "{line}");
                documented.push(name.to_owned());
            } else if let Some(metric_type) = line.strip_prefix("# TYPE ") {
                let (name, metric_type) = metric_type.split_once(' ').unwrap();
                assert!(["counter", "gauge", "histogram"].contains(&metric_type), "{line}");
                assert_eq!(metric_type == "counter", name.ends_with("_total"), "{line}");
                assert!(
                    types.insert(name.to_owned(), metric_type.to_owned()).is_none(),
                    "duplicate description: {line}"
                );
            } else {
                samples.push(parse_sample(line));
            }
        }
        let exposition = Self { types, samples };
        for sample in &exposition.samples {
            let name = exposition.metric(&sample.name).unwrap_or_else(|| panic!("{sample:?} belongs to no metric"));
            assert!(documented.contains(&name), "{name} has no help");
        }
        exposition
    }

    /// Returns the metric of a sample: the one with its name, or the histogram that it is a part of.
    pub fn metric(&self, sample: &str) -> Option<String> {
        let parts = ["_bucket", "_sum", "_count"].into_iter().filter_map(|part| sample.strip_suffix(part));
        let histogram =
            parts.into_iter().find(|name| self.types.get(*name).is_some_and(|metric_type| metric_type == "histogram"));
        histogram.or(Some(sample).filter(|name| self.types.contains_key(*name))).map(str::to_owned)
    }

    /// Returns the value of the only sample with this name and these labels. It may have other labels.
    pub fn value(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let is_match = |sample: &&Sample| {
            let has_label =
                |(label, value): &(&str, &str)| sample.labels.get(*label).is_some_and(|actual| actual == value);
            sample.name == name && labels.iter().all(has_label)
        };
        let mut matching = self.samples.iter().filter(is_match);
        let value = matching.next()?.value;
        assert!(matching.next().is_none(), "more than one {name} {labels:?}");
        Some(value)
    }

    /// Returns the names and values of all labels.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.samples.iter().flat_map(|sample| &sample.labels).map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Parses `name{label="value",…} 1.5`.
fn parse_sample(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no value in {line}"));
    let value = value.parse().unwrap_or_else(|error| panic!("{error} in {line}"));
    let (name, labels) = match series.split_once('{') {
        None => (series, ""),
        Some((name, labels)) => {
            (name, labels.strip_suffix('}').unwrap_or_else(|| panic!("no end of labels in {line}")))
        }
    };
    let is_name = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    assert!(is_name(name), "{line}");
    // No label value contains a quote or a comma.
    let pairs = labels.split(',').filter(|pair| !pair.is_empty()).map(|pair| {
        let (label, value) = pair.split_once('=').unwrap_or_else(|| panic!("no value of {pair} in {line}"));
        let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        assert!(is_name(label), "{line}");
        (label.to_owned(), value.unwrap_or_else(|| panic!("no quotes in {line}")).to_owned())
    });
    Sample { name: name.to_owned(), labels: pairs.collect(), value }
}
