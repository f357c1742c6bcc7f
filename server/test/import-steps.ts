import { type ImportJob, importJobs, isActive } from '@radwork/contract/imaging/import-jobs';
import { newId } from '#core/values/ids.ts';
import { eventually } from './eventually.ts';
import type { Person, World } from './world.ts';

/** Settings of a server that may call this machine and soon gives up a silent archive. */
export const reachingThisMachine = {
  REMOTE_ALLOW: 'net=127.0.0.0/8 ports=1-65535 protocols=http',
  REMOTE_TIMEOUT_SECONDS: '1',
  MAX_INSTANCE_MB: '4',
};

type Options = { headers?: Record<string, string> };

const read = async (person: Person, { id }: Pick<ImportJob, 'id'>) => {
  const { data } = await person.send(importJobs.read, { params: { id } });
  return data;
};

/** Steps about imports, over HTTP. */
export const importSteps = (world: Pick<World, 'inTenant'>) => ({
  /** Configures a DICOMweb archive for all users of the tenant. */
  configure: (person: Person, url: string, columns: Record<string, string> = {}): Promise<string> =>
    world.inTenant(person.tenant, async ({ db }) => {
      const id = newId();
      await db
        .insertInto('remote_configurations')
        .values({ id, ae_title: 'OTHER', protocol: 'DICOMWEB', base_url: url, auth_type: 'NONE', ...columns })
        .execute();
      return id;
    }),

  start: async (person: Person, remoteConfigId: string, jobId: string, options: Options = {}): Promise<ImportJob> => {
    const { data } = await person.send(importJobs.create, {
      body: { jobId, remoteConfigId, targetPath: '', types: 'IMPORT', protocol: 'DICOMWEB', parameters: 'None' },
      ...options,
    });
    return data;
  },

  read,

  /** Returns the import with its failures once it has ended. */
  ended: async (person: Person, { id }: Pick<ImportJob, 'id'>) =>
    eventually(async () => {
      const job = await read(person, { id });
      if (isActive(job.state)) throw new Error(`The import is still ${job.state}`);
      return job;
    }),
});

/** Returns the stored SOP Instance UIDs of a study. */
export const storedInstances = (world: Pick<World, 'inTenant'>, person: Person, studyInstanceUID: string) =>
  world.inTenant(person.tenant, async ({ db }) => {
    const rows = await db
      .selectFrom('instances')
      .innerJoin('studies', 'studies.id', 'instances.study_id')
      .select('sop_instance_uid')
      .where('study_instance_uid', '=', studyInstanceUID)
      .orderBy('sop_instance_uid')
      .execute();
    return rows.map(({ sop_instance_uid }) => sop_instance_uid);
  });
