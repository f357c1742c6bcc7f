import { inspect, parseArgs } from 'node:util';
import { runUpkeep } from '#imaging/archive/upkeep/run-upkeep.ts';
import { print, withArchive } from './run-command.ts';

const usage = `Runs the archive upkeep now, as the server does every hour: removes leftovers of crashes, marks missing files and
empties recycle bins.

  npm run upkeep [-- --unused-for <minutes>]

  --unused-for   how long files without an instance stay after an upkeep first found them; default 10080 (seven days)

Exits with 1 when another process already runs the upkeep.`;

const log = {
  info: () => {},
  error: (facts: object, text: string) => process.stderr.write(`${text}: ${inspect(facts)}\n`),
};

const { values } = parseArgs({
  options: { 'unused-for': { type: 'string', default: '10080' }, help: { type: 'boolean' } },
});
if (values.help) print(usage);
else
  await withArchive(async (archive) => {
    const minutes = Number(values['unused-for']);
    if (!(minutes >= 0)) throw new Error('--unused-for must be a number of minutes');
    const done = await runUpkeep(archive, { unusedFor: minutes * 60_000 }, log);
    if (!done) {
      print('Another process is running the upkeep. Try again later.');
      return 1;
    }
    const { leftovers, removed, missing, found, purged } = done;
    print(`Removed: ${leftovers} unfinished uploads, ${removed} files without an instance, ${purged} deleted studies`);
    print(`Marked: ${missing} instances as missing, ${found} as present again`);
    return 0;
  });
