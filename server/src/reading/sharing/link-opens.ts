import { reportLinks } from '@radwork/contract/reading/sharing';
import { isIPv4, isIPv6 } from 'node:net';
import type { Query } from '@radwork/contract/core/endpoint';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { LinkOpen, LinkOutcome } from '@radwork/contract/reading/sharing';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { reportById } from '#reading/report-records/stored-report.ts';

/** Limits the logged refusals of a link, so that attempts cannot fill the disk. All openings are logged. */
const mostRefusals = 2000;

/**
 * Shortens an address to its network: "203.0.113.x", "2001:db8:1::x". The network distinguishes a ward from a foreign
 * network, but does not distinguish two machines.
 */
const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:/i, '');
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.x`;
  if (!isIPv6(plain)) return '';
  const groups = (/^(.*?)(?:::|$)/.exec(plain)?.[1] ?? '').split(':').filter(Boolean);
  return `${groups.slice(0, 3).join(':')}::x`;
};

/** Logs an attempt to open a link. */
export const recordOpen = async ({ db, session }: Scope, linkId: string, outcome: LinkOutcome): Promise<void> => {
  await sql`
    insert into report_link_opens (id, link_id, outcome, network)
    select ${newId()}, ${linkId}, ${outcome}, ${networkOf(session.address)}
    where ${outcome} = 'OPENED' or (
      select count(*) from report_link_opens where link_id = ${linkId} and outcome <> 'OPENED') < ${mostRefusals}`.execute(
    db,
  );
};

const opensOf = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('report_link_opens as o')
    .innerJoin('report_links as l', 'l.id', 'o.link_id')
    .where('l.report_id', '=', reportId);

/** Returns one page of the attempts to open links of a report, newest first. Closed links are included. */
export const linkOpens = async (
  scope: Scope,
  reportId: string,
  paging: Query<typeof reportLinks.opens>,
): Promise<Page<LinkOpen>> => {
  await reportById(scope, reportId);
  const { total } = await opensOf(scope, reportId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await opensOf(scope, reportId)
    .select(['o.at', 'o.outcome', 'o.network'])
    .select(sql<boolean>`l.revoked_at is not null or l.expires_at <= now()`.as('isEarlierLink'))
    .orderBy('o.at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(paging.size)
    .offset(paging.page * paging.size)
    .execute();
  return pageOf(rows, total, paging);
};
