import { parseArgs } from 'node:util';
import { type Difference, verifyArchive } from '#imaging/archive/upkeep/verify-archive.ts';
import { print, withArchive } from './run-command.ts';

const usage = `Compares the database with the store and checks the hash of every file.

  npm run verify [-- --tenant <subdomain>] [-- --fast]

  --tenant   only this tenant
  --fast     compare sizes only, without reading the files

Exits with 0 when everything matches, 1 when something differs, and 2 when the check failed.`;

const line = ({ tenant, what, sha256, studyId, sopInstanceUid, fileId }: Difference): string =>
  [
    `tenant ${tenant}`,
    ...(studyId ? [`study ${studyId}`] : []),
    ...(sopInstanceUid ? [`instance ${sopInstanceUid}`] : []),
    ...(fileId ? [`atlas or guideline file ${fileId}`] : []),
    ...(sha256 ? [`file ${sha256}`] : []),
    what,
  ].join(', ');

const { values } = parseArgs({
  options: { tenant: { type: 'string' }, fast: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) print(usage);
else
  await withArchive(async (archive) => {
    const options = { tenant: values.tenant, isFast: values.fast ?? false };
    const { tenants, files, bytes, differences } = await verifyArchive(archive, options, (difference) =>
      print(line(difference)),
    );
    print(`Tenants: ${tenants}, files: ${files}, MB read: ${(bytes / 1e6).toFixed(0)}, differences: ${differences}`);
    return differences === 0 ? 0 : 1;
  });
