// Tests the built JavaScript package with the corpus of the native tests: engine/corpus.
// `cargo xtask test module` builds the package and runs this file; LEADSCRIBE_ENGINE_JS is the package's folder.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";

const packageDir = process.env.LEADSCRIBE_ENGINE_JS;
assert.ok(packageDir, "LEADSCRIBE_ENGINE_JS must name the folder of the built package");

// Resolved by name through the package's exports, as in a program that imports it.
const forNode = createRequire(join(packageDir, "package.json")).resolve("leadscribe-engine");
const node = await import(pathToFileURL(forNode));

// The browser build. Its bytes are passed in, because Node's fetch doesn't support files.
const web = await import(pathToFileURL(join(packageDir, "web/leadscribe_engine.js")));
await web.default({ module_or_path: await readFile(join(packageDir, "web/leadscribe_engine_bg.wasm")) });

const suites = [
  ["checkSubmission", "submissions.json"],
  ["parseFilter", "filters.json"],
  ["explainFilter", "explanations.json"],
  ["checkTemplate", "templates.json"],
  ["parseSearch", "searches.json"],
];

for (const [build, engine] of [["Node", node], ["browser", web]]) {
  for (const [name, file] of suites) {
    const cases = JSON.parse(await readFile(new URL(`../corpus/${file}`, import.meta.url), "utf8"));
    describe(`${name} of the ${build} build`, () => {
      test("has cases", () => assert.ok(cases.length > 0, `${file} is empty`));
      for (const { name: title, input, output } of cases) {
        test(title, () => assert.deepEqual(engine[name](input), output));
      }
    });
  }
}

test("explains filters in the requested language", () => {
  const filter = '{"campaign_id":7,"email":null}';
  for (const engine of [node, web]) {
    assert.equal(engine.explainFilter(filter, "de-AT").text, "Leads in Kampagne 7, ohne E-Mail");
    assert.equal(engine.explainFilter(filter, "fr").text, "leads in campaign 7, without email");
  }
});

test("reports errors in the requested language", () => {
  const expected = {
    checkSubmission: ["{}", undefined, "de", "`call_ids` fehlt"],
    parseFilter: ['{"id":"x"}', "de-CH", '"x" ist keine ganze Zahl'],
    explainFilter: ["{}", "de", "der Filter braucht mindestens einen Schlüssel"],
    checkTemplate: ["1", "de", "erwartet: ein Objekt oder eine Liste, gefunden: 1"],
    parseSearch: ["*", "de", "es fehlt ein Wort mit Buchstaben oder Ziffern"],
  };
  for (const engine of [node, web]) {
    for (const [name, args] of Object.entries(expected)) {
      assert.equal(engine[name](...args.slice(0, -1)).errors[0].detail, args.at(-1));
    }
    assert.equal(engine.parseFilter('{"id":"x"}', "fr").errors[0].detail, '"x" is not a whole number');
  }
});

test("init of the Node build does nothing", async () => {
  assert.equal(await node.default(), undefined);
});

test("the package resolves to the build for Node", () => {
  assert.equal(forNode, join(packageDir, "node", "leadscribe_engine.js"));
});
