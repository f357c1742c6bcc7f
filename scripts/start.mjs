// npm start: installs and builds when needed, then runs the server. See README.md for the settings.
import { spawn } from 'node:child_process';
import { ensureBuilt, ensureInstalled, pinnedNode } from './workspace.mjs';

ensureInstalled();
ensureBuilt();

// Images on their way in are freed when the young generation is collected: a small one keeps a busy server small.
const server = spawn(pinnedNode(), ['--max-semi-space-size=4', 'server/src/main.ts'], { stdio: 'inherit' });
// The server gets Ctrl-C from the terminal too; this process waits for it to finish what it took.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
