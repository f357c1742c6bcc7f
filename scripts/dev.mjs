// npm run dev: the server restarts and the browser reloads when a file changes. Vite serves the page on port 5173.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, root, withPinnedNode } from './workspace.mjs';

ensureInstalled();

const env = { ...process.env, ...withPinnedNode() };
const watched = ['contract/src', 'dicom/src', 'phantom/src', 'server/src', 'server/migrations'].map(
  (folder) => `--watch-path=${join(root, folder)}`,
);
const processes = [
  spawn(pinnedNode(), [...watched, 'server/src/main.ts'], { stdio: 'inherit', env }),
  spawn(pinnedNode(), [join(root, 'node_modules/vite/bin/vite.js')], { stdio: 'inherit', env, cwd: join(root, 'web') }),
];

const stop = () => {
  for (const child of processes) child.kill('SIGINT');
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const child of processes) {
  child.on('exit', (code) => {
    stop();
    process.exitCode ??= code ?? 0;
  });
}
