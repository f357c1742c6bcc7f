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
/** What failed, said again at the end: whoever reads a log of an hour reads its end. */
const failures = [];

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

/** Adds what a runner wrote down. A runner that wrote nothing has failed, however it ended. */
const add = (name, hasSucceeded, file, read) => {
  try {
    const { passed, failed, skipped } = read(JSON.parse(readFileSync(file, 'utf8')));
    counts.passed += passed;
    counts.failed += failed.length || (hasSucceeded ? 0 : 1);
    counts.skipped += skipped;
    failures.push(...failed.map((failure) => `${name}: ${failure}`));
    if (!hasSucceeded && failed.length === 0) failures.push(`${name}: ended badly though no test failed`);
  } catch (error) {
    counts.failed += 1;
    failures.push(`${name}: left no results (${String(error)})`);
  }
};

const beginning = (text = '') =>
  text
    .replaceAll(/\p{Cc}\[\d*m/gu, '')
    .split('\n')
    .slice(0, 12)
    .join('\n    ');

const failedInVitest = (files) =>
  files.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed')
      return [`${relative('', file.name)}\n    ${beginning(file.message)}`];
    return failed.map(
      (test) => `${relative('', file.name)} › ${test.fullName}\n    ${beginning(test.failureMessages[0])}`,
    );
  });

const failedInBrowser = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'flaky'))
    .map((spec) => {
      const failed = spec.tests.flatMap(({ results }) => results).find(({ error }) => error);
      return `${spec.file} › ${spec.title}\n    ${beginning(failed?.error.message)}`;
    }),
  ...suites.flatMap(failedInBrowser),
];

const vitest = (name, projects, database, left = []) => {
  heading(name);
  const file = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const leftOut = left.flatMap((test) => ['--exclude', `**/${test}.test.ts`]);
  const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...leftOut, ...reporters];
  const ok = execute('vitest', args, { TEST_DATABASE_URL: database });
  add(name, ok, file, ({ numPassedTests, numPendingTests, testResults }) => ({
    passed: numPassedTests,
    failed: failedInVitest(testResults),
    skipped: numPendingTests,
  }));
};

const browser = (name, database, journeys = []) => {
  heading(name);
  const file = join(results, `${name}.json`);
  const env = { E2E_DATABASE_URL: database, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const ok = execute(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json', ...journeys],
    env,
  );
  add(name, ok, file, (report) => ({
    passed: report.stats.expected,
    failed: failedInBrowser(report),
    skipped: report.stats.skipped,
  }));
};

/** Lends a database of its own on TEST_DATABASE_URL's server and drops it afterwards. */
const withScratchDatabase = (work) => {
  const scratch = (verb) =>
    spawnSync(pinnedNode(), ['server/scripts/scratch-database.ts', verb, realDatabase], { encoding: 'utf8' });
  work(scratch('create').stdout.trim());
  scratch('drop');
};

/** What a browser does is the same on every database, and each has the server's own tests: these touch most of it. */
const onEveryDatabase = ['walk', 'upload', 'worklist', 'reporting', 'dashboard', 'users'].map(
  (name) => `tests/${name}\\.spec`,
);

/** These ask no database, or start one of their own: on another they are what they were. */
const onOneDatabase = ['torture', 'report-torture', 'soak', 'acceptance', 'dependencies', 'deployment'];

const realDatabase = process.env.TEST_DATABASE_URL ?? '';
const workspaces = ['contract', 'dicom', 'phantom', 'server', 'web', 'e2e', 'bench'];

check('Format', 'oxfmt', ['--check']);
check('Lint', 'oxlint', []);
for (const project of [...workspaces, 'bench/src/editor', 'bench/src/viewer'])
  check(`Types of ${project}`, 'tsc', ['--project', project]);

vitest('Unit and integration', ['contract', 'dicom', 'phantom', 'server', 'web'], '');
if (realDatabase) vitest('Integration on TEST_DATABASE_URL', ['server'], realDatabase, onOneDatabase);

const chromium = ensureChromium();
if (chromium) {
  browser('Browser', '');
  if (realDatabase) withScratchDatabase((url) => browser('Browser on TEST_DATABASE_URL', url, onEveryDatabase));
} else {
  console.log('\nThere is no Chromium here and it may not be installed: the browser tests were SKIPPED.');
  counts.skipped += 1;
}

rmSync(results, { recursive: true, force: true });
if (failures.length > 0) console.log(`\n== What failed\n\n${failures.join('\n\n')}`);
console.log(`\nradwork: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
