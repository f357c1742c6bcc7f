import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const linesOf = (name: string) => readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8').split('\n');

test('local settings of the builder enter neither the image nor git', () => {
  expect(linesOf('.dockerignore')).toContain('**/.env*');
  expect(linesOf('.gitignore')).toContain('.env*');
  const copiedFromBuild = linesOf('deploy/Dockerfile').filter((line) => line.startsWith('COPY --from=build'));
  expect(copiedFromBuild.filter((line) => /\/app\/? /.test(line) || line.includes('deploy'))).toEqual([]);
});

test('the image contains no tests and no test helpers', () => {
  const lines = linesOf('deploy/Dockerfile').join('\n');

  expect(lines).toContain(String.raw`find contract dicom phantom server/src -name '*.test.ts' -delete`);
  expect(lines).toMatch(/rm -rf .* server\/test server\/scripts /);
  expect(lines).toContain('COPY --from=build --chown=root:root /app/web/dist ./web/dist');
});

test('npm start, the image, the unit and the benchmarks run Node with the same flags', () => {
  const flagsIn = (name: string) => [
    ...new Set(linesOf(name).flatMap((line) => line.match(/--[a-z-]+(?:=\d+)?(?=['", ])/g) ?? [])),
  ];
  const flags = flagsIn('scripts/deployed-flags.mjs');

  expect(flags.length).toBeGreaterThan(1);
  expect(flagsIn('bench/src/node-flags.ts')).toEqual(flags);
  expect(linesOf('deploy/Dockerfile')).toContain(
    `CMD ["node", ${flags.map((flag) => `"${flag}"`).join(', ')}, "server/dist/main.js"]`,
  );
  expect(linesOf('deploy/radwork.service').find((line) => line.startsWith('ExecStart='))).toMatch(
    new RegExp(` ${flags.join(' ')} server/dist/main\\.js$`),
  );
});

test('systemd accepts the unit (skipped without systemd)', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return skip();
  const folder = mkdtempSync(join(tmpdir(), 'radwork-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unit = join(folder, 'radwork.service');
  // The program is not at the path that the unit names, so the test uses its real path.
  writeFileSync(
    unit,
    linesOf('deploy/radwork.service')
      .join('\n')
      .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`),
  );

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('systemd rates the exposure of the unit below 3 (skipped without systemd)', ({ skip }) => {
  const unit = resolve(import.meta.dirname, '../../deploy/radwork.service');
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=30', '--no-pager', unit], {
    encoding: 'utf8',
  });
  if (judged.error || /unrecognized option|Unknown/.test(judged.stderr)) return skip();

  expect(judged.stdout).toMatch(/Overall exposure level for radwork\.service: [0-2]\.\d/);
  expect(judged.status).toBe(0);
});

test('each container of the compose file is read-only, unprivileged and limited', () => {
  const lines = linesOf('deploy/compose.yaml').join('\n');
  const [, hardened = ''] = /x-hardened: &hardened\n((?: {2}.*\n)+)/.exec(lines) ?? [];
  const services = lines
    .slice(lines.indexOf('\nservices:'), lines.indexOf('\nvolumes:'))
    .split(/\n {2}(?=[\w-]+:\n)/)
    .slice(1);
  const [shared = ''] = /x-radwork: &radwork\n(?: {2}.*\n)+/.exec(lines) ?? [];

  expect(hardened).toContain('read_only: true');
  expect(hardened).toContain('cap_drop: [ALL]');
  expect(hardened).toContain('no-new-privileges:true');
  expect(hardened).toContain('pids_limit:');
  expect(services).toHaveLength(4);
  for (const service of services) {
    const definition = service.includes('<<: *radwork') ? shared + service : service;
    expect(definition).toContain('<<: *hardened');
    expect(definition).toContain('mem_limit:');
  }
});
