import { parseArgs } from 'node:util';
import { examine } from '../doctor/examine.ts';
import { print } from './run-command.ts';

const usage = `Checks a deployment and its settings, whether the server runs or not, and says what is wrong and what to do.

  npm run doctor [-- --json]

  --json   print a list of { check, state, message }

Changes nothing. Each line is ok, warning or wrong. Exits with 1 when a line is wrong, otherwise with 0.`;

const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) print(usage);
else {
  const findings = await examine();
  if (values.json) print(JSON.stringify(findings, null, 2));
  else for (const { check, state, message } of findings) print(`${state.padEnd(7)}  ${check}: ${message}`);
  process.exitCode = findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}
