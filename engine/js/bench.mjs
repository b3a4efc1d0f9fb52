// Benchmarks checks in JavaScript. Node runs WebAssembly with the same engine as Chromium.
// `cargo xtask bench engine` builds the package and runs this file; LEADSCRIBE_ENGINE_JS is the package's folder.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const engine = await import(pathToFileURL(join(process.env.LEADSCRIBE_ENGINE_JS, "node/leadscribe_engine.js")));

const filter = {
  campaign_id: [7, 8],
  status: ["new", "callback"],
  calls_count: "2;<",
  last_name: "Smith",
  state: "CA",
  country: "US",
  created_at: "2026-01-01 00:00:00;>|2026-05-01 00:00:00;<",
  freeze_until: null,
  do_not_call: false,
  limit: "200;0",
};
const submission = {
  call_ids: Array.from({ length: 1000 }, (_, index) => index + 1),
  token: "secret",
  languages: ["en", "de"],
  recording_side: "both",
};

function measure(name, check) {
  const times = Array.from({ length: 2000 }, () => {
    const started = performance.now();
    check();
    return performance.now() - started;
  }).sort((a, b) => a - b);
  const percentile = (fraction) => times[Math.floor((times.length - 1) * fraction)].toFixed(3).padStart(10);
  console.log(name.padEnd(34), percentile(0.5), percentile(0.99));
}

console.log("one check".padEnd(34), "p50 ms".padStart(10), "p99 ms".padStart(10));
measure("filter of 10 keys, parsed", () => engine.parseFilter(JSON.stringify(filter)));
measure("filter of 10 keys, explained", () => engine.explainFilter(JSON.stringify(filter)));
measure("submission of 1,000 calls", () => engine.checkSubmission(JSON.stringify(submission)));
