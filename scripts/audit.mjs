// Checks the packages of the lockfile for known vulnerabilities in the registry. Exits with 1 for one of high or
// critical severity. Reports an unreachable registry and exits with 0.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

process.chdir(resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..'));

/** Checks packages that serve and packages that build, because a vulnerable build tool can change what is served. */
const { stdout, error } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
  maxBuffer: 1 << 28,
});

const readReport = () => {
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: error?.message ?? 'npm printed no readable result' };
  }
};

const report = readReport();
const counts = report.metadata?.vulnerabilities;
if (!counts) {
  console.log(`Could NOT check the dependencies for known vulnerabilities: ${report.message}`);
  process.exit(0);
}
const grave = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) =>
  ['high', 'critical'].includes(severity),
);
for (const { name, severity, range, via } of grave) {
  const advisories = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} ${one.url}`));
  console.error(`${severity}: ${name} ${range}: ${advisories.join('; ')}`);
}
const asked = `${report.metadata.dependencies?.total ?? 'All'} dependencies checked`;
console.log(
  `${asked}: ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low.`,
);
process.exit(grave.length > 0 ? 1 : 0);
