// Measures pages of a running installation, and prints the results as JSON. The argument is JSON too:
// { base, email, password, chrome, rounds, pages: [{ path, ready }] }. Started by `cargo xtask bench panel`.
import lighthouse, { desktopConfig } from "lighthouse";
import puppeteer from "puppeteer-core";

const { base, email, password, chrome, rounds, pages } = JSON.parse(process.argv[2]);

const FILTER = `{"country":["GB","IE"],"calls_count":{"gte":2},"_or":[{"city":"York"},{"email":{"contains":"example"}}],"limit":"50;0"}`;

// Longer than the editor's debounce, in milliseconds.
const PAUSE = 150;

// A slow line: 400 kbit/s in bytes per second, and 400 ms.
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

// Longest time on the slow line, in milliseconds.
const SLOW_TIMEOUT = 120_000;

const CATEGORIES = ["performance", "accessibility", "best-practices"];

const browser = await puppeteer.launch({
  executablePath: chrome,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  defaultViewport: { width: 1440, height: 900 },
});
try {
  const slow = [];
  for (let round = 0; round < rounds; round += 1) {
    slow.push(await logInSlowly());
  }
  await logIn();
  const results = [];
  for (const { path, ready } of pages) {
    results.push({ path, ...(await load(path, ready)), ...(await audit(path)) });
  }
  console.log(JSON.stringify({ pages: results, slow, ...(await type()) }));
} finally {
  await browser.close();
}

async function logIn() {
  const page = await browser.newPage();
  await page.goto(`${base}/login`);
  const status = await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/session", { method: "POST", headers, body })).status;
  }, JSON.stringify({ email, password }));
  if (status !== 200) throw new Error(`login failed with status ${status}`);
  await page.close();
}

// Returns the time until the login form can be used over the slow line, and from login to the first row of the leads, in milliseconds.
async function logInSlowly() {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const session = await page.createCDPSession();
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_LINE);
  const options = { timeout: SLOW_TIMEOUT };
  const start = performance.now();
  await Promise.all([
    page.goto(`${base}/login?next=%2Fleads`, options),
    page.waitForSelector("[data-test=login-submit]", options),
  ]);
  const form = performance.now() - start;
  await page.type("[data-test=login-email]", email);
  await page.type("[data-test=login-password]", password);
  const sent = performance.now();
  await page.click("[data-test=login-submit]");
  await page.waitForSelector("[data-test=lead-row]", options);
  const list = performance.now() - sent;
  await context.close();
  return { form, list };
}

// Measures the main thread's work per key in the filter editor, and after a pause: scripts, layout and painting, in milliseconds.
async function type() {
  const page = await browser.newPage();
  await page.goto(`${base}/leads`);
  await (await page.waitForSelector("[data-test=toggle-json]")).click();
  const editor = await page.waitForSelector("[data-test=filter-json]", { visible: true });
  await page.waitForSelector("[data-test=lead-row]");
  await editor.click({ count: 3 });
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  const nextFrame = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const busyTime = async () => (await page.metrics()).TaskDuration * 1000;
  const pause = () => new Promise((done) => setTimeout(done, PAUSE));
  // The cost of the measurement itself is subtracted.
  const [idle, keys, after] = [[], [], []];
  for (const key of FILTER) {
    await nextFrame();
    const before = await busyTime();
    await nextFrame();
    const between = await busyTime();
    await page.keyboard.sendCharacter(key);
    await nextFrame();
    const drawn = await busyTime();
    await pause();
    await nextFrame();
    idle.push(between - before);
    keys.push(drawn - between);
    after.push((await busyTime()) - drawn);
  }
  await page.close();
  const baseline = idle.sort((a, b) => a - b)[Math.floor(idle.length / 2)];
  const net = (all) => all.map((took) => Math.max(0, took - baseline));
  return { keys: net(keys), pauses: net(after) };
}

// Returns when the element `ready` is painted, in milliseconds after the start of the reload, and the size of the first load up to then.
async function load(path, ready) {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument((ready) => {
    globalThis.usable = new Promise((resolve) => {
      const check = () => {
        if (!document.querySelector(ready)) return;
        observer.disconnect();
        // An element is painted when the second frame starts.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
      };
      const observer = new MutationObserver(check);
      observer.observe(document, { childList: true, subtree: true });
    });
  }, ready);
  await page.setCacheEnabled(false);
  await page.goto(base + path);
  const bytes = await page.evaluate(async () => {
    const end = await globalThis.usable;
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return entries.filter((entry) => entry.responseEnd <= end).reduce((sum, entry) => sum + entry.transferSize, 0);
  });
  await page.setCacheEnabled(true);
  const reloads = [];
  // The first reload fills the cache.
  for (let round = 0; round <= rounds; round += 1) {
    await page.reload();
    const took = await page.evaluate(() => globalThis.usable);
    if (round > 0) reloads.push(took);
  }
  await page.close();
  return { bytes, reloads };
}

// Returns Lighthouse's scores of each round, out of 100, and the failed audits that affect a score.
async function audit(path) {
  const scores = Object.fromEntries(CATEGORIES.map((category) => [category, []]));
  const issues = new Set();
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage();
    const options = { onlyCategories: CATEGORIES, logLevel: "error" };
    const { lhr } = await lighthouse(base + path, options, desktopConfig, page);
    for (const category of CATEGORIES) {
      const { score, auditRefs } = lhr.categories[category];
      scores[category].push(score * 100);
      for (const { id, weight } of auditRefs) {
        const { score, title, displayValue, details } = lhr.audits[id];
        if (weight === 0 || score === null || score >= 0.9) continue;
        const items = (details?.items ?? []).map((item) => item.node?.selector ?? item.description ?? item.url);
        issues.add([`${category}: ${title}`, displayValue, ...items].filter(Boolean).join("; "));
      }
    }
    await page.close();
  }
  return { scores, issues: [...issues] };
}
