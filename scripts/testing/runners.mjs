// Runs one part and reads the report of its runner: counts, failures and the time of each file.
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execute } from './cpu-time.mjs';

/** The first lines of a message, without terminal colors. */
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

/** Errors between tests. Each error counts as one more test of the file that ran at that moment. */
const failedBetweenTests = (errors) =>
  errors
    .filter(({ file }) => file)
    .map(({ file, message }) => failure(relative('', file), 'an error outside every test', message));

const failedInBrowser = ({ suites = [], specs = [] }) => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const failed = tests.flatMap(({ results }) => results).find(({ error }) => error);
      return failure(`tests/${file}`, title, failed?.error.message);
    }),
  ...suites.flatMap(failedInBrowser),
];

const journeysOf = ({ suites = [], specs = [] }) => [
  ...specs.map(({ file, tests }) => ({
    file: `e2e/tests/${file}`,
    seconds: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration / 1000, 0),
  })),
  ...suites.flatMap(journeysOf),
];

/** Reads the report of a runner. A runner without a report has failed, whatever its exit code. */
const written = ({ ok, cpu, wall }, file, read) => {
  try {
    const outcome = read(JSON.parse(readFileSync(file, 'utf8')));
    const isBroken = !ok && outcome.failed.length === 0;
    return {
      ...outcome,
      cpu,
      wall,
      broken: outcome.broken || (isBroken ? 'ended with an error, although no test failed' : ''),
    };
  } catch (error) {
    return { passed: 0, failed: [], skipped: 0, files: [], cpu, wall, broken: `left no results (${String(error)})` };
  }
};

const runVitest = ({ name, args, env }, { results, only }) => {
  const file = join(results, `${name}.json`);
  rmSync(file, { force: true });
  const unhandled = join(results, `${name}-unhandled.json`);
  const reporters = ['default', 'json', './scripts/unhandled-errors.mjs'].map((one) => `--reporter=${one}`);
  const outputs = [...reporters, `--outputFile.json=${file}`, '--passWithNoTests'];
  const run = execute('vitest', ['run', ...args, ...outputs, ...only], { ...env, UNHANDLED_ERRORS_FILE: unhandled });
  return written(run, file, ({ numPassedTests, numPendingTests, testResults }) => {
    const errors = JSON.parse(readFileSync(unhandled, 'utf8'));
    return {
      passed: numPassedTests,
      failed: [...failedInVitest(testResults), ...failedBetweenTests(errors)],
      skipped: numPendingTests,
      broken: errors
        .filter((error) => !error.file)
        .map(({ message }) => beginning(message))
        .join('\n\n'),
      files: testResults.map(({ name: path, startTime, endTime }) => ({
        file: relative('', path),
        seconds: (endTime - startTime) / 1000,
      })),
    };
  });
};

const runPlaywright = ({ name, args, database }, { results, only, chromium }) => {
  const file = join(results, `${name}.json`);
  rmSync(file, { force: true });
  const env = { E2E_DATABASE_URL: database, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  // A full trace takes a third of the time. So there is a trace only in the second run of failed files.
  const again = only.length > 0 ? ['--trace', 'retain-on-failure'] : [];
  const config = ['--config', 'e2e/playwright.config.ts', '--reporter=line,json', '--pass-with-no-tests'];
  const run = execute('playwright', ['test', ...config, ...args, ...again, ...only], env);
  return written(run, file, (report) => ({
    passed: report.stats.expected,
    failed: failedInBrowser(report),
    skipped: report.stats.skipped,
    files: journeysOf(report),
  }));
};

/** A step without tests of its own that passes or fails. */
const runCheck = ({ name, command, args, env }) => {
  const { ok, cpu, wall } = execute(command, args, env);
  return { passed: ok ? 1 : 0, failed: [], skipped: 0, files: [], cpu, wall, broken: ok ? '' : `${name} found faults` };
};

const runners = { check: runCheck, vitest: runVitest, playwright: runPlaywright };

/** If more tests fail than this, a busy machine is not the cause, and they are not repeated. */
const few = 5;

/**
 * Runs a part. If only a few tests fail, runs their files again alone. A test that then passes counts as passed and is
 * reported as unsteady (docs/decisions/0053). The second run costs no budget.
 */
export const runPart = (part, settings) => {
  const heading = (text) => console.log(`\n== ${text}`);
  const run = runners[part.runner];
  heading(part.name);
  const first = run(part, { ...settings, only: [] });
  if (first.failed.length === 0 || first.failed.length > few) return { ...first, unsteady: [] };
  heading(`${part.name}: second run of the failed tests`);
  const { args, ...rest } = part;
  // With a shard, Playwright would take a share of the given files. So the second run has no shard.
  const unsharded = args.filter((arg) => !arg.startsWith('--shard'));
  const only = [...new Set(first.failed.map(({ file }) => file))];
  const again = run({ ...rest, args: unsharded }, { ...settings, only });
  const fails = ({ title }) => again.broken || again.failed.some((test) => test.title === title);
  const failed = first.failed.filter(fails);
  return {
    ...first,
    passed: first.passed + first.failed.length - failed.length,
    failed,
    unsteady: first.failed.filter((test) => !fails(test)),
  };
};
