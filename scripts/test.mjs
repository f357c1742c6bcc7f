// npm test: everything that must hold, from a fresh clone to real-browser journeys, and one line of counts at the end.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode, withPinnedNode } from './workspace.mjs';

ensureInstalled();
ensureBuilt();

const results = mkdtempSync(join(tmpdir(), 'radwork-results-'));
const counts = { passed: 0, failed: 0, skipped: 0 };
/** Said again at the end: whoever reads a log of an hour reads its end. */
const failures = [];
const unsteady = [];

const heading = (text) => console.log(`\n== ${text}`);
const execute = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...withPinnedNode(), ...env } }).status === 0;

/** A step without counts of its own: one thing that holds or does not. */
const check = (name, command, args) => {
  heading(name);
  const holds = execute(command, args);
  counts[holds ? 'passed' : 'failed'] += 1;
  if (!holds) failures.push(name);
};

/** So many failures may be the doing of a busy machine; more are not run again. */
const few = 5;

/**
 * Counts the tests of one runner. `run` runs all of them, or those of some files, and gives what it wrote down. Few that
 * fail are run once more, with nothing else beside them: what holds then is named at the end as unsteady, and is not
 * counted as failed (docs/decisions/0053). A runner that wrote nothing has failed, however it ended.
 */
const suite = (name, run) => {
  heading(name);
  const first = run([]);
  counts.passed += first.passed;
  counts.skipped += first.skipped;
  if (first.broken) failures.push(`${name}: ${first.broken}`);
  let failed = first.failed;
  if (failed.length > 0 && failed.length <= few) {
    heading(`${name}: what failed, once more`);
    const again = run([...new Set(failed.map(({ file }) => file))]);
    const fails = ({ title }) => again.broken || again.failed.some((test) => test.title === title);
    unsteady.push(...failed.filter((test) => !fails(test)).map(({ text }) => `${name}: ${text}`));
    failed = failed.filter(fails);
    counts.passed += first.failed.length - failed.length;
  }
  counts.failed += failed.length + (first.broken ? 1 : 0);
  failures.push(...failed.map(({ text }) => `${name}: ${text}`));
};

/** What a runner wrote into a file, or why that cannot be told. */
const written = (hasSucceeded, file, read) => {
  try {
    const outcome = read(JSON.parse(readFileSync(file, 'utf8')));
    const isBroken = !hasSucceeded && outcome.failed.length === 0;
    return { ...outcome, broken: outcome.broken || (isBroken ? 'ended badly though no test failed' : '') };
  } catch (error) {
    return { passed: 0, failed: [], skipped: 0, broken: `left no results (${String(error)})` };
  }
};

const beginning = (text = '') =>
  text
    .replaceAll(/\p{Cc}\[\d*m/gu, '')
    .split('\n')
    .slice(0, 12)
    .join('\n    ');

const failure = (file, name, message) => {
  const title = `${file} › ${name}`;
  return { file, title, text: `${title}\n    ${beginning(message)}` };
};

const failedInVitest = (files) =>
  files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative('', name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [failure(file, 'the file itself', message)];
    return failed.map((test) => failure(file, test.fullName, test.failureMessages[0]));
  });

/** What nobody heard while a file's tests ran; each counts as one more test of that file. */
const failedBetweenTests = (errors) =>
  errors
    .filter(({ file }) => file)
    .map(({ file, message }) => failure(relative('', file), 'what no test was there to hear', message));

const failedInBrowser = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const failed = tests.flatMap(({ results: tries }) => tries).find(({ error }) => error);
      return failure(`tests/${file}`, title, failed?.error.message);
    }),
  ...suites.flatMap(failedInBrowser),
];

const vitest = (name, projects, database) =>
  suite(name, (files) => {
    const file = join(results, `${name}.json`);
    rmSync(file, { force: true });
    const unhandled = join(results, `${name}-unhandled.json`);
    const reporters = ['default', 'json', './scripts/unhandled-errors.mjs'].map((one) => `--reporter=${one}`);
    const outputs = [...reporters, `--outputFile.json=${file}`];
    const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...outputs, ...files];
    const ok = execute('vitest', args, { TEST_DATABASE_URL: database, UNHANDLED_ERRORS_FILE: unhandled });
    return written(ok, file, ({ numPassedTests, numPendingTests, testResults }) => {
      const errors = JSON.parse(readFileSync(unhandled, 'utf8'));
      const unheard = errors.filter((error) => !error.file).map(({ message }) => beginning(message));
      return {
        passed: numPassedTests,
        failed: [...failedInVitest(testResults), ...failedBetweenTests(errors)],
        skipped: numPendingTests,
        broken: unheard.join('\n\n'),
      };
    });
  });

const browser = (name, database, journeys = []) =>
  suite(name, (files) => {
    const file = join(results, `${name}.json`);
    rmSync(file, { force: true });
    const env = { E2E_DATABASE_URL: database, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
    const asked = files.length > 0 ? files : journeys;
    const again = files.length > 0 ? ['--trace', 'retain-on-failure'] : [];
    const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json', ...again, ...asked];
    const ok = execute('playwright', args, env);
    return written(ok, file, (report) => ({
      passed: report.stats.expected,
      failed: failedInBrowser(report),
      skipped: report.stats.skipped,
    }));
  });

/** Lends a database of its own on TEST_DATABASE_URL's server and drops it afterwards. */
const withScratchDatabase = (work) => {
  const scratch = (verb) =>
    spawnSync(pinnedNode(), ['server/scripts/scratch-database.ts', verb, realDatabase], { encoding: 'utf8' });
  work(scratch('create').stdout.trim());
  scratch('drop');
};

/** What a browser does is the same on every database, and each has the server's own tests: this touches most of it. */
const onEveryDatabase = ['tests/walk\\.spec'];

const realDatabase = process.env.TEST_DATABASE_URL ?? '';
const workspaces = ['contract', 'dicom', 'phantom', 'server', 'web', 'e2e', 'bench'];

check('Format', 'oxfmt', ['--check']);
check('Lint', 'oxlint', []);
for (const project of [...workspaces, 'bench/src/editor', 'bench/src/viewer'])
  check(`Types of ${project}`, 'tsc', ['--project', project]);

// Each of the server's files once: what asks a database, on the given one if there is one (docs/decisions/0053).
const onEmbedded = ['contract', 'dicom', 'phantom', 'server-apart', ...(realDatabase ? [] : ['server'])];
vitest('Unit and integration', onEmbedded, '');
if (realDatabase) vitest('Integration on TEST_DATABASE_URL', ['server'], realDatabase);
// Apart: what is loaded where there is no window does not find one later.
vitest('Screens', ['web', 'web-alone'], '');

const chromium = ensureChromium();
if (chromium) {
  browser('Browser', '');
  if (realDatabase) withScratchDatabase((url) => browser('Browser on TEST_DATABASE_URL', url, onEveryDatabase));
} else {
  console.log('\nThere is no Chromium here and it may not be installed: the browser tests were SKIPPED.');
  counts.skipped += 1;
}

rmSync(results, { recursive: true, force: true });
if (unsteady.length > 0) console.log(`\n== What failed once, and held when run again\n\n${unsteady.join('\n\n')}`);
if (failures.length > 0) console.log(`\n== What failed\n\n${failures.join('\n\n')}`);
console.log(`\nradwork: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
