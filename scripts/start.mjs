// npm start: installs and builds when needed, then runs the server. See README.md for the settings.
import { spawn } from 'node:child_process';
import { deployedFlags } from './deployed-flags.mjs';
import { compileCache, ensureBuilt, ensureInstalled, pinnedNode, serverBundle } from './workspace.mjs';

ensureInstalled();
ensureBuilt();

const server = spawn(pinnedNode(), [...deployedFlags, serverBundle], {
  stdio: 'inherit',
  // Node keeps the compiled bundle there for the next start.
  env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
});
// The terminal sends Ctrl-C to the server too. This process waits until the server has finished its work.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
