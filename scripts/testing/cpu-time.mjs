// Measures a command by CPU seconds, since wall time says more about the machine than about the command.
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

/** This process's own control group per controller: `cpuacct` of version 1, '' of version 2 (cgroups(7)). */
const ownGroups = () =>
  new Map(
    readText('/proc/self/cgroup')
      .split('\n')
      .flatMap((line) => {
        const [, controllers = '', path] = line.split(':');
        return path ? controllers.split(',').map((controller) => [controller, path]) : [];
      }),
  );

/** The folders a new control group can be created in, with the file and the unit its CPU time is read from. */
const places = () => {
  const groups = ownGroups();
  return [
    { parent: join('/sys/fs/cgroup/cpuacct', groups.get('cpuacct') ?? '.'), file: 'cpuacct.usage', perSecond: 1e9 },
    { parent: join('/sys/fs/cgroup', groups.get('') ?? '.'), file: 'cpu.stat', perSecond: 1e6 },
  ].filter(({ parent, file }) => readText(join(parent, file)) !== '');
};

/** Opens a control group: only it counts descendants that outlive their parent, as Chromium's do. */
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
    // A process that is still ending keeps the group; an empty one is harmless.
  }
});

/**
 * Runs a command on this terminal with the pinned Node first in its path. Returns `ok`, `wall` in seconds, and `cpu` in
 * seconds of all its processes, undefined where no control group can be created (other systems, ordinary users).
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
