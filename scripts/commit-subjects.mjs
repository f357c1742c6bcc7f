// Checks subjects of commits against `area: summary` (docs/writing.md).
//
//   node scripts/commit-subjects.mjs                  all commits since the rule began; CI runs this
//   node scripts/commit-subjects.mjs --message FILE   the message in a file; the hook commit-msg runs this
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { faultOfSubject } from './words/rules.mjs';

/** The last commit before the rule. */
const before = '7505712e21fc3dfdef0bd1cf458c759a4736d0bb';

const subjectsSince = () => {
  const { status, stdout } = spawnSync('git', ['log', '--format=%s', `${before}..HEAD`], { encoding: 'utf8' });
  if (status === 0) return stdout.split('\n').filter(Boolean);
  console.log('This clone has no history: commit subjects are not checked.');
  return [];
};

const at = process.argv.indexOf('--message');
const subjects = at === -1 ? subjectsSince() : [readFileSync(process.argv[at + 1], 'utf8').split('\n')[0]];

for (const subject of subjects) {
  const fault = faultOfSubject(subject);
  if (!fault) continue;
  console.error(`${subject}\n  ${fault}. Write \`area: summary\` in the imperative (docs/writing.md).`);
  process.exitCode = 1;
}
