import { inspect, parseArgs } from 'node:util';
import { runUpkeep } from '#archive/upkeep/upkeep.ts';
import { say, withArchive } from './with-archive.ts';

const usage = `Looks after the archive now, as the server does every hour: removes what crashes have left, marks what is
missing and empties recycle bins.

  npm run upkeep [-- --unused-for <minutes>]

  --unused-for   files without an instance stay for so long after an upkeep first saw them; 10080 (seven days) unless given

Ends with 1 when another process is at it already.`;

const log = {
  info: () => {},
  error: (facts: object, text: string) => process.stderr.write(`${text}: ${inspect(facts)}\n`),
};

const { values } = parseArgs({
  options: { 'unused-for': { type: 'string', default: '10080' }, help: { type: 'boolean' } },
});
if (values.help) say(usage);
else
  await withArchive(async (archive) => {
    const minutes = Number(values['unused-for']);
    if (!(minutes >= 0)) throw new Error('--unused-for takes a number of minutes');
    const done = await runUpkeep(archive, { unusedFor: minutes * 60_000 }, log);
    if (!done) {
      say('Another process looks after the archive at this moment.');
      return 1;
    }
    const { leftovers, removed, missing, found, purged } = done;
    say(`Removed: ${leftovers} unfinished uploads, ${removed} files without an instance, ${purged} deleted studies`);
    say(`Marked: ${missing} instances as missing, ${found} as found again`);
    return 0;
  });
