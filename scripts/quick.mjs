// npm run quick: format, lint, types and tests of the changed files, and the units, in under 3 minutes.
//
//   npm run quick            changes since the last commit
//   npm run quick -- main    changes since another commit
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { execute } from './testing/cpu-time.mjs';
import { ensureInstalled, withPinnedNode } from './workspace.mjs';

/** Maximum number of related test files, to save time. If there are more, only those in the nearest folders run. */
const most = 25;

ensureInstalled();

const base = process.argv[2] ?? 'HEAD';

const lines = (command, args) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...withPinnedNode() },
  });
  if (status !== 0) {
    console.error(stderr);
    process.exit(2);
  }
  return stdout.split('\n').filter(Boolean);
};

const changed = [
  ...lines('git', ['diff', '--name-only', '--diff-filter=d', base]),
  ...lines('git', ['ls-files', '--others', '--exclude-standard']),
].filter(existsSync);

/**
 * Type errors also appear in files that import a changed file. So the whole workspace of a changed file is linted, or
 * all workspaces.
 */
const workspacesToLint = () => {
  const roots = [...new Set(changed.filter((file) => /\.(ts|tsx|mjs)$/.test(file)).map((file) => file.split('/')[0]))];
  const isShared = roots.some((root) => ['contract', 'dicom', 'phantom'].includes(root) || root.endsWith('.ts'));
  return isShared ? [] : roots;
};

/** The number of leading folders that two paths share. Infinity for the same path. */
const sharedFolders = (one, other) => {
  const parts = other.split('/');
  const first = one.split('/').findIndex((part, at) => part !== parts[at]);
  return first === -1 ? Infinity : first;
};

/** The test files that import a changed file, nearest folders first. */
const relatedTests = () => {
  const projects = ['server', 'server-apart', 'web', 'web-alone'].flatMap((name) => ['--project', name]);
  const found = lines('vitest', ['list', '--filesOnly', '--changed', base, ...projects])
    .map((line) => line.replace(/^\[.*?\]\s*/, '').trim())
    .filter((line) => /\.test\.tsx?$/.test(line));
  const nearness = (test) => Math.max(...changed.map((file) => sharedFolders(test, file)));
  return found.toSorted((one, other) => nearness(other) - nearness(one));
};

const failures = [];
const step = (name, command, args) => {
  console.log(`\n== ${name}`);
  const { ok, wall, cpu } = execute(command, args);
  console.log(`${name}: ${Math.round(wall)} s${cpu === undefined ? '' : `, ${Math.round(cpu)} CPU seconds`}`);
  if (!ok) failures.push(name);
};

if (changed.length > 0) {
  step('Format', 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed]);
  step('Lint and types', 'oxlint', workspacesToLint());
}
step('Units', 'vitest', ['run', ...['contract', 'dicom', 'phantom', 'scripts'].flatMap((name) => ['--project', name])]);
const related = changed.length > 0 ? relatedTests() : [];
const chosen = related.slice(0, most);
const of = (folder) => chosen.filter((file) => file.startsWith(folder));
/** This test reads documents and test titles without importing them, so Vitest never relates it to a change. */
const titles = 'server/src/acceptance.test.ts';
if (changed.length > 0 && !chosen.includes(titles)) chosen.push(titles);
if (of('server/').length > 0) {
  const projects = ['--project', 'server', '--project', 'server-apart'];
  step('Server tests of the changes', 'vitest', ['run', ...projects, ...of('server/')]);
}
if (of('web/').length > 0) {
  step('Screen tests of the changes', 'vitest', ['run', '--project', 'web', '--project', 'web-alone', ...of('web/')]);
}

if (related.length > chosen.length) {
  const count = related.length - chosen.length;
  console.log(`\nTest files left out: ${count}. npm test runs them.`);
}
console.log(failures.length > 0 ? `\nFailed: ${failures.join(', ')}` : '\nAll checks passed.');
process.exit(failures.length > 0 ? 1 : 0);
