// npm test is the gate; npm run test:all runs everything else. CONTRIBUTING.md explains the tiers.
//
//   npm test                          The gate.
//   npm test -- --part journeys       One part of the gate or of the long tier.
//   npm test -- web/src/reading/editor  These files or folders, in either tier.
//   npm run test:all -- --shard 1/6   The first sixth of the long tier.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.mjs';
import { budgetTable, gateOverBudget, overBudget } from './testing/budgets.mjs';
import { execute } from './testing/cpu-time.mjs';
import { gate, longTier, partsOfFiles } from './testing/parts.mjs';
import { runPart } from './testing/runners.mjs';
import { ensureBuilt, ensureInstalled, pinnedNode, root } from './workspace.mjs';

const giveUp = (message) => {
  console.error(message);
  process.exit(2);
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, part: { type: 'string' }, shard: { type: 'string' } },
});
const { all = false, part: asked, shard } = values;
const [share, shares] = (shard ?? '1/1').split('/').map(Number);
if (!(share >= 1 && share <= shares)) giveUp(`--shard must be n/m with n from 1 to m, such as 1/6, not "${shard}".`);

const chooseParts = () => {
  if (positionals.length > 0) {
    const files = positionals.map((file) => relative(root, resolve(process.env.INIT_CWD ?? '', file)));
    const absent = files.find((file) => !existsSync(file));
    if (absent) return giveUp(`File or folder not found: ${absent}.`);
    return partsOfFiles(files) ?? giveUp(`No part has tests in ${files.join(', ')}.`);
  }
  const [mine, others] = all ? [longTier(shard), gate()] : [gate(), longTier(shard)];
  if (!asked) return mine;
  const found = [...mine, ...others].filter(({ name }) => name === asked);
  const names = [...gate(), ...longTier()].map(({ name }) => name).join(', ');
  return found.length > 0 ? found : giveUp(`Unknown part ${asked}. Parts: ${names}.`);
};

ensureInstalled();
const parts = chooseParts();
const results = mkdtempSync(join(tmpdir(), 'radwork-results-'));
const hasJourneys = parts.some(({ runner }) => runner === 'playwright');
const chromium = hasJourneys ? ensureChromium() : undefined;
/** Names of parts that did not run, printed at the end. */
const leftOut = [];

/** Runs a part on its own database on the server of `part.database`, and drops the database afterwards. */
const runOnScratchDatabase = (part) => {
  const scratch = (verb) =>
    spawnSync(pinnedNode(), ['server/scripts/scratch-database.ts', verb, part.database], { encoding: 'utf8' });
  const outcome = runPart({ ...part, database: scratch('create').stdout.trim() }, { results, chromium });
  scratch('drop');
  return outcome;
};

const run = (part) => {
  if (part.runner === 'playwright' && !chromium) {
    leftOut.push(`${part.name}: Chromium is missing and may not be installed`);
    return { passed: 0, failed: [], skipped: 1, files: [], unsteady: [], broken: '', cpu: 0, wall: 0 };
  }
  return part.database ? runOnScratchDatabase(part) : runPart(part, { results, chromium });
};

const outcomes = [];
const built = { name: 'build', passed: 0, failed: [], skipped: 0, files: [], unsteady: [], cpu: 0, wall: 0 };
ensureBuilt((command, args) => {
  const { ok, cpu, wall } = execute(command, args);
  built.passed += 1;
  built.cpu = cpu === undefined ? undefined : built.cpu + cpu;
  built.wall += wall;
  return ok;
});
if (built.passed > 0) outcomes.push(built);
for (const part of parts) {
  const outcome = run(part);
  if (outcome.skipped > 0 && part.runner !== 'check') leftOut.push(`${part.name}: ${outcome.skipped} skipped`);
  outcomes.push({ name: part.name, ...outcome });
}
rmSync(results, { recursive: true, force: true });

const failures = outcomes.flatMap(({ name, failed, broken }) => [
  ...(broken ? [`${name}: ${broken}`] : []),
  ...failed.map(({ text }) => `${name}: ${text}`),
]);
const unsteady = outcomes.flatMap((outcome) => outcome.unsteady.map(({ text }) => `${outcome.name}: ${text}`));
// A developer's machine may be busy with other work, but the machine of CI is not.
if (process.env.CI) failures.push(...gateOverBudget(outcomes));
if (shares > 1) leftOut.push(`the ${shares - 1} other shares of ${shares}`);
if (!all && !asked && positionals.length === 0) leftOut.push('the long tier: npm run test:all');

const list = (title, entries) => entries.length > 0 && console.log(`\n== ${title}\n\n${entries.join('\n')}`);
list('Failed once, passed when run again', unsteady);
list('Over budget', overBudget(outcomes));
list('Failed', failures);
list('Left out', leftOut);
console.log(`\n${budgetTable(outcomes)}`);
const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
console.log(`\nradwork: ${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`);
process.exit(failures.length === 0 ? 0 : 1);
