import { parseArgs } from 'node:util';
import { examine } from '../doctor/examine.ts';
import { say } from './with-archive.ts';

const usage = `Looks at a deployment by its settings, whether the server runs or not, and says in words what is wrong and what to do.

  npm run doctor [-- --json]

  --json   as a list of { check, state, message }

It changes nothing. Each line is ok, a warning or wrong. Ends with 1 when something is wrong, with 0 otherwise.`;

const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) say(usage);
else {
  const findings = await examine();
  if (values.json) say(JSON.stringify(findings, null, 2));
  else for (const { check, state, message } of findings) say(`${state.padEnd(7)}  ${check}: ${message}`);
  process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}
