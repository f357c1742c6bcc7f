import type { UserType } from '@radwork/contract/core/access';
import type pg from 'pg';
import { kyselyOn, openServingPool } from '../../../server/src/core/database/database.ts';
import { systemSession } from '../../../server/src/core/access/scope.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { createSessions } from '../../../server/src/core/access/sessions.ts';
import { createUser } from '../../../server/src/identity/user-records/create-user.ts';

/** The users who look at the large practice. A super administrator (`isVisitor`) belongs to another tenant. */
type DashboardUser = { name: string; userType: UserType; isVisitor?: boolean; studies?: Studies };

/** The `count` studies of a referring physician: every `every`-th of the latest studies. */
type Studies = { count: number; every: number };

const lookers: readonly DashboardUser[] = [
  { name: 'super', userType: 'SUPER_ADMIN', isVisitor: true },
  { name: 'admin', userType: 'ADMIN' },
  { name: 'radiologist', userType: 'RADIOLOGIST' },
  { name: 'reviewer', userType: 'RADIOLOGIST' },
  { name: 'referrer, last 5,000', userType: 'REFERRING_PHYSICIAN', studies: { count: 5000, every: 1 } },
  { name: 'referrer, 5,000 of 4 years', userType: 'REFERRING_PHYSICIAN', studies: { count: 5000, every: 80 } },
  { name: 'referrer, 50', userType: 'REFERRING_PHYSICIAN', studies: { count: 50, every: 1000 } },
];

/** A signed-in user, and the tenant to name in requests if it is not the user's own. */
export type SignedIn = { name: string; userType: UserType; userId: string; token: string; tenant: string | undefined };

type Practices = { url: string; owner: pg.Client; large: number; small: number };

const inPractices = async <T>({ url }: Practices, work: (scopes: ReturnType<typeof openScopes>) => Promise<T>) => {
  const serving = openServingPool(url, 2);
  return work(openScopes(kyselyOn(serving))).finally(() => serving.end());
};

/** Creates the users and their studies, and work for the readers: assignments, drafts and reports to review. */
export const createUsers = (practices: Practices): Promise<void> =>
  inPractices(practices, async (scopes) => {
    const { owner, large, small } = practices;
    for (const [number, { name, userType, isVisitor, studies }] of lookers.entries()) {
      const person = { username: `bench.${number}`, name, email: `bench.${number}@example.org`, userType };
      const userId = await scopes.inTenant(systemSession(isVisitor ? small : large), (scope) =>
        createUser(scope, { ...person, passwordHash: 'no password opens this account' }),
      );
      if (studies) await owner.query(refer, [large, userId, studies.every, studies.count]);
      if (userType === 'RADIOLOGIST') await owner.query(assignStudiesSql, [large, userId]);
    }
    await owner.query(insertFindings, [large]);
  });

/** Opens a session for each user. The users may come from an earlier run. */
export const signInEach = (practices: Practices): Promise<SignedIn[]> =>
  inPractices(practices, async (scopes) => {
    const { owner, large, small } = practices;
    const sessions = createSessions(scopes, { sessionIdleMinutes: 1440, sessionHours: 168 });
    const signedIn: SignedIn[] = [];
    for (const [number, { name, userType, isVisitor }] of lookers.entries()) {
      const { rows } = await owner.query<{ id: string }>('select id from users where username = $1', [
        `bench.${number}`,
      ]);
      const userId = rows[0]?.id ?? '';
      const device = { address: '127.0.0.1', userAgent: 'bench' };
      const token = await scopes.inTenant(systemSession(isVisitor ? small : large), ({ db }) =>
        sessions.begin(db, userId, device),
      );
      signedIn.push({ name, userType, userId, token, tenant: isVisitor ? 'large' : undefined });
    }
    return signedIn;
  });

const refer = `
  insert into study_participants (tenant_id, study_id, user_id, role)
  select tenant_id, id, $2, 'REFERRER' from (
    select *, row_number() over (order by created_at desc) as number from studies where tenant_id = $1) s
  where number % $3::int = 0 order by number limit $4::int`;

/** Gives a reader the open studies, drafts and reviews of another reader. */
const assignStudiesSql = `
  with somebody as (
    select user_id from study_assignments where tenant_id = $1 and user_id not in (
      select id from users where tenant_id = $1 and username like 'bench.%') limit 1),
  assigned as (
    update study_assignments set user_id = $2 where tenant_id = $1 and user_id = (select user_id from somebody)),
  reviewed as (
    update reports set reviewer_id = $2 where tenant_id = $1 and reviewer_id = (select user_id from somebody))
  update reports set author_id = $2
  where tenant_id = $1 and status <> 'FINALIZED' and author_id = (select user_id from somebody)`;

/** Each report marked as critical has a finding. Some findings of this month are not acknowledged yet. */
const insertFindings = `
  insert into critical_findings (tenant_id, id, report_id, study_id, finding, severity, identified_by, identified_at,
                                 due_at, state, communicated_at, acknowledged_at)
  select tenant_id, gen_random_uuid(), id, study_id, 'Pneumothorax',
         (array['CRITICAL', 'URGENT', 'SIGNIFICANT'])[1 + chosen % 3], author_id, created_at,
         created_at + interval '1 hour', state, case when state <> 'OPEN' then created_at + interval '10 minutes' end,
         case when state = 'ACKNOWLEDGED' then created_at + (chosen % 90) * interval '1 minute' end
  from reports, lateral (select hashtext(id::text) & 65535 as chosen) drawn,
       lateral (select case when created_at < now() - interval '30 days' then 'ACKNOWLEDGED'
                            else (array['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED'])[1 + chosen % 3] end as state) now
  where tenant_id = $1 and has_critical_findings`;
