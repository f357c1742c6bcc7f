import { join } from 'node:path';
import pg from 'pg';
import { kyselyOn, openOwnerPool, openServingPool } from '../../../server/src/core/database/database.ts';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { systemSession } from '../../../server/src/core/access/scope.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { createSessions } from '../../../server/src/core/access/sessions.ts';
import { createTenant } from '../../../server/src/identity/tenants/service.ts';
import { createUser } from '../../../server/src/identity/user-records/create-user.ts';
import { generate } from '../worklist/generate.ts';

export type SignedInPerson = { userId: string; username: string; token: string };
export type Clinic = { people: SignedInPerson[]; studies: { id: string; status: string }[] };

/** Every tenth user of a clinic is a referring physician, who sees only the newest studies of the clinic. */
export const isReferring = (_: unknown, index: number): boolean => index % 10 === 9;
const addParticipantsSql = `
  insert into study_participants (tenant_id, study_id, user_id, role)
  select $1, study.id, user_id, 'SHARED'
  from (select id from studies where tenant_id = $1 order by study_date desc, id desc limit 50) study,
       unnest($2::uuid[]) user_id`;

type Size = { clinics: number; people: number; studies: number };

/** Creates clinics with signed-in users and studies while the server runs. `people` is the total of all clinics. */
export const fillClinics = async (folder: string, { clinics, people, studies }: Size): Promise<Clinic[]> => {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const url = postgres.url('postgres');
  const [owning, serving] = [openOwnerPool(url), openServingPool(url, 2)];
  const scopes = openScopes(kyselyOn(serving));
  const sessions = createSessions(scopes, { sessionIdleMinutes: 1440, sessionHours: 168 });
  const client = new pg.Client(url);
  await client.connect();
  try {
    const clinicUsers: { tenantId: number; people: SignedInPerson[] }[] = [];
    for (let clinic = 0; clinic < clinics; clinic += 1) {
      const tenantId = await createTenant(kyselyOn(owning), { name: `Clinic ${clinic}`, subdomain: `clinic${clinic}` });
      const signedIn = await scopes.inTenant(systemSession(tenantId), async (scope) => {
        const all: SignedInPerson[] = [];
        for (let number = 0; number < people / clinics; number += 1) {
          const username = `person${number}`;
          const userId = await createUser(scope, {
            username,
            name: `Dr ${number}`,
            email: `${username}@example.org`,
            userType: isReferring(undefined, number) ? 'REFERRING_PHYSICIAN' : 'RADIOLOGIST',
            passwordHash: 'no password opens this account',
          });
          const token = await sessions.begin(scope.db, userId, { address: '127.0.0.1', userAgent: 'bench' });
          all.push({ userId, username, token });
        }
        return all;
      });
      clinicUsers.push({ tenantId, people: signedIn });
    }
    await generate(
      client,
      clinicUsers.map((clinic) => ({
        tenantId: clinic.tenantId,
        studies,
        userIds: clinic.people.map(({ userId }) => userId),
      })),
    );
    const filled: Clinic[] = [];
    for (const clinic of clinicUsers) {
      const { rows } = await client.query<{ id: string; status: string }>(
        'select id, status from studies where tenant_id = $1 order by study_date desc, id desc',
        [clinic.tenantId],
      );
      await client.query(addParticipantsSql, [
        clinic.tenantId,
        clinic.people.filter(isReferring).map(({ userId }) => userId),
      ]);
      filled.push({ people: clinic.people, studies: rows });
    }
    return filled;
  } finally {
    await client.end();
    await owning.end();
    await serving.end();
    await postgres.stop();
  }
};
