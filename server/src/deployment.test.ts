import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const linesOf = (name: string) => readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8').split('\n');

test('the settings of whoever builds the image come neither into it nor into git', () => {
  expect(linesOf('.dockerignore')).toContain('**/.env*');
  expect(linesOf('.gitignore')).toContain('.env*');
  const copiedFromBuild = linesOf('deploy/Dockerfile').filter((line) => line.startsWith('COPY --from=build'));
  expect(copiedFromBuild.filter((line) => /\/app\/? /.test(line) || line.includes('deploy'))).toEqual([]);
});

test('no test comes into the image, nor what stands in for other software there', () => {
  const lines = linesOf('deploy/Dockerfile').join('\n');

  expect(lines).toContain(String.raw`find contract dicom phantom server/src -name '*.test.ts' -delete`);
  expect(lines).toMatch(/rm -rf .* server\/test server\/scripts /);
  expect(lines).toContain('COPY --from=build --chown=root:root /app/web/dist ./web/dist');
});

test('systemd takes the unit as it stands (skipped where there is none)', ({ skip }) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return skip();
  const folder = mkdtempSync(join(tmpdir(), 'radwork-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unit = join(folder, 'radwork.service');
  // Nothing is installed where it says.
  writeFileSync(
    unit,
    linesOf('deploy/radwork.service')
      .join('\n')
      .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`),
  );

  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
