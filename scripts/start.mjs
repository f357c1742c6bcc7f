// npm start: installs and builds when needed, then runs the server. See README.md for the settings.
import { spawn } from 'node:child_process';
import { ensureBuilt, ensureInstalled, pinnedNode } from './workspace.mjs';

ensureInstalled();
ensureBuilt();

// A collection of the young generation frees the buffers of incoming images. A small young generation keeps the memory
// of a busy server low.
const server = spawn(pinnedNode(), ['--max-semi-space-size=4', 'server/src/main.ts'], { stdio: 'inherit' });
// The terminal sends Ctrl-C to the server too. This process waits until the server has finished its work.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
