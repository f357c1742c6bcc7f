// Measures a command in CPU seconds, because wall time depends on the load of the machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { withPinnedNode } from '../workspace.mjs';

const readText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The control group of this process for each controller: `cpuacct` in version 1, '' in version 2 (cgroups(7)). */
const ownGroups = () =>
  new Map(
    readText('/proc/self/cgroup')
      .split('\n')
      .flatMap((line) => {
        const [, controllers = '', path] = line.split(':');
        return path ? controllers.split(',').map((controller) => [controller, path]) : [];
      }),
  );

/** Folders for a new control group, with the file and unit of its CPU time. */
const places = () => {
  const groups = ownGroups();
  return [
    { parent: join('/sys/fs/cgroup/cpuacct', groups.get('cpuacct') ?? '.'), file: 'cpuacct.usage', perSecond: 1e9 },
    { parent: join('/sys/fs/cgroup', groups.get('') ?? '.'), file: 'cpu.stat', perSecond: 1e6 },
  ].filter(({ parent, file }) => readText(join(parent, file)) !== '');
};

/** Opens a control group. Only a group counts descendants that outlive their parent, such as Chromium's. */
const openGroup = () => {
  for (const { parent, file, perSecond } of places()) {
    const folder = join(parent, `radwork-test-${process.pid}`);
    try {
      mkdirSync(folder, { recursive: true });
      const usage = () => Number(/(?:usage_usec )?(\d+)/.exec(readText(join(folder, file)))?.[1]) / perSecond;
      if (Number.isFinite(usage())) return { folder, usage };
    } catch {
      // This user may not create a group there.
    }
  }
  return undefined;
};

const group = openGroup();

process.once('exit', () => {
  try {
    if (group) rmdirSync(group.folder);
  } catch {
    // A process that is still ending keeps the group. An empty group is harmless.
  }
});

/**
 * Runs a command in this terminal with the pinned Node first in PATH. Returns `ok`, `wall` seconds, and `cpu` seconds
 * of all its processes. `cpu` is undefined without control groups (other systems, ordinary users).
 */
export const execute = (command, args, env = {}) => {
  const join = group ? ['sh', '-c', `echo $$ >'${group.folder}/cgroup.procs'; exec "$@"`, 'sh'] : [];
  const [program, ...rest] = [...join, command, ...args];
  const cpuBefore = group?.usage();
  const begun = performance.now();
  const { status } = spawnSync(program, rest, {
    stdio: 'inherit',
    env: { ...process.env, ...withPinnedNode(), ...env },
  });
  return {
    ok: status === 0,
    wall: (performance.now() - begun) / 1000,
    cpu: group && cpuBefore !== undefined ? group.usage() - cpuBefore : undefined,
  };
};
