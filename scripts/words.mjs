// npm run words: checks comments, test titles and strings against docs/writing.md. `npm run check` includes it.
//
//   npm run words              All tracked files.
//   npm run words -- PATH…     These files and folders.
//   npm run words -- --list    Lists every text that breaks the guide.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readTexts } from './words/read-texts.mjs';
import { faultOf } from './words/rules.mjs';

/** The percentage of each kind that may break the guide. */
const allowed = { comment: 1, 'test title': 1, string: 1 };
const shown = 20;

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const listsAll = process.argv.includes('--list');

const { stdout } = spawnSync('git', ['ls-files', '-z', '--', ...paths], { encoding: 'utf8', maxBuffer: 2 ** 26 });
const files = stdout.split('\0').filter((name) => /\.(?:ts|tsx|mjs|css)$/.test(name));

const counts = {};
const faults = [];
for (const file of files) {
  for (const { kind, line, text } of readTexts(file, readFileSync(file, 'utf8'))) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    const fault = faultOf(text);
    if (fault) faults.push({ kind, where: `${file}:${line}`, fault, text });
  }
}

for (const [kind, count] of Object.entries(counts)) {
  const bad = faults.filter((fault) => fault.kind === kind);
  const share = (100 * bad.length) / count;
  console.log(
    `${kind}s: ${bad.length} of ${count} break docs/writing.md (${share.toFixed(1)} %, at most ${allowed[kind]} %)`,
  );
  for (const { where, fault, text } of bad.slice(0, listsAll ? undefined : shown)) {
    console.log(`  ${where} (${fault}) ${text.slice(0, 160)}`);
  }
  if (share > allowed[kind]) process.exitCode = 1;
}
