import { isCriticalTopic, type OutreachTopic, type PersonalChannel } from '@radwork/contract/reading/outreach';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import { enqueueJob } from '#core/jobs/jobs.ts';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { anyOf } from '#core/values/any-of.ts';

export const outreachQueue = 'outreach';

export type OutreachEvent = {
  topic: OutreachTopic;
  /** Ids of users. Patients, and users who are not active in the tenant, get no message. */
  to: readonly string[];
  /** A page of the application, such as "/studies/…". */
  link: string;
  findingId?: string;
  /**
   * The study of the event; undefined for several. Users whose groups hide it get no message, except about critical
   * findings.
   */
  studyId?: string;
  isForActorToo?: boolean;
};

/**
 * Queues the messages about an event, in the transaction of the event. Each message has its own row and job. Mail and
 * push follow the choices of each user; webhooks follow those of the tenant. Quiet hours delay all messages except
 * those about critical findings. No message waits for another, and no escalation step waits for a message.
 */
export const reachOut = async (scope: Scope, event: OutreachEvent): Promise<void> => {
  const { topic, to, link, findingId, studyId, isForActorToo = false } = event;
  const addressed = [...new Set(to)].filter((id) => id !== '' && (isForActorToo || id !== scope.session.userId));
  const people = isCriticalTopic(topic) ? addressed : await withinGroups(scope, addressed, studyId);
  const common = { topic, link, finding_id: findingId ?? null };
  const urgency = isCriticalTopic(topic) ? 'critical' : 'news';
  for (const { user_id, channel, run_at } of await wishesOf(scope, topic, people)) {
    const id = newId();
    await scope.db
      .insertInto('outbound_messages')
      .values({ ...common, id, channel, user_id })
      .execute();
    const lane = channel === 'PUSH' ? `PUSH ${urgency} ${user_id}` : `MAIL ${urgency}`;
    await enqueueJob(scope, outreachQueue, id, lane, run_at);
  }
  if (people.length === 0) return;
  for (const webhookId of await webhooksFor(scope, topic)) {
    const id = newId();
    const row = { ...common, id, channel: 'WEBHOOK' as const, webhook_id: webhookId, people };
    await scope.db.insertInto('outbound_messages').values(row).execute();
    await enqueueJob(scope, outreachQueue, id, `WEBHOOK ${urgency} ${webhookId}`);
  }
};

/** Returns the users whose groups do not hide the study. */
const withinGroups = async ({ db }: Scope, people: string[], studyId: string | undefined): Promise<string[]> => {
  if (studyId === undefined || people.length === 0) return people;
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '=', anyOf(people))
    .where(userIsWithinGroups(sql`${studyId}::uuid`))
    .execute();
  return rows.map(({ id }) => id);
};

type QueuedMessage = { user_id: string; channel: PersonalChannel; run_at: string };

/**
 * Whether a user gets messages about an event by default: about critical findings by every channel, about everything
 * else only by push.
 */
export const isUsuallyWanted = (topic: OutreachTopic, channel: PersonalChannel): boolean =>
  isCriticalTopic(topic) || channel === 'PUSH';

/**
 * Chooses channel and time for each user. If the chosen channel has no device or address, a message about a critical
 * finding uses the other channel.
 */
const wishesOf = async ({ db }: Scope, topic: OutreachTopic, people: readonly string[]): Promise<QueuedMessage[]> => {
  if (people.length === 0) return [];
  const isCritical = isCriticalTopic(topic);
  const { rows } = await sql<QueuedMessage>`
    with person as (
      select u.id, u.email <> '' as has_mail, t.time_zone, q.begins, q.ends,
        exists (select from push_subscriptions p where p.user_id = u.id) as has_push
      from users u join tenants t on t.id = u.tenant_id left join quiet_hours q on q.user_id = u.id
      where u.id = any(${people}::uuid[]) and u.is_active and u.user_type <> 'PATIENT'),
    wish as (
      select person.*, way.channel, coalesce(chosen.is_wanted, way.is_usual) as is_wanted
      from person
      cross join (values ('MAIL', ${isUsuallyWanted(topic, 'MAIL')}::boolean),
        ('PUSH', ${isUsuallyWanted(topic, 'PUSH')}::boolean)) as way (channel, is_usual)
      left join outreach_choices chosen on chosen.user_id = person.id
        and chosen.topic = ${topic} and chosen.channel = way.channel)
    select id as user_id, channel, case when ${isCritical} then now()
      else after_quiet_hours(begins, ends, time_zone) end as run_at
    from wish
    where (channel = 'MAIL' and has_mail and (is_wanted or (${isCritical} and not has_push)))
      or (channel = 'PUSH' and has_push and (is_wanted or (${isCritical} and not has_mail)))
    order by id, channel`.execute(db);
  return rows;
};

const webhooksFor = async ({ db }: Scope, topic: OutreachTopic): Promise<string[]> => {
  const rows = await db
    .selectFrom('webhooks')
    .select('id')
    .where('is_active', '=', true)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`${topic} = any(topics)`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};
