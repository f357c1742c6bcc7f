import { type Job, finishJob } from '#core/jobs/jobs.ts';
import type { Scope } from '#core/access/scope.ts';

/** Selects a message with the current data that are needed to send it. */
export const messageToSend = async ({ db }: Scope, id: string) =>
  db
    .selectFrom('outbound_messages as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('webhooks as w', 'w.id', 'm.webhook_id')
    .leftJoin('critical_findings as f', 'f.id', 'm.finding_id')
    .select(['m.id', 'm.tenant_id', 'm.channel', 'm.topic', 'm.user_id', 'm.webhook_id', 'm.people', 'm.link'])
    .select(['m.finding_id', 'm.created_at', 'm.failure_told_at'])
    .select(['t.name as organization', 't.subdomain', 't.locale'])
    .select((row) => row.fn.coalesce('u.email', row.val('')).as('email'))
    .select((row) => row.fn.coalesce('u.name', 'w.name', row.val('')).as('recipient_name'))
    .select(['u.is_active', 'w.url', 'w.sealed_secret', 'w.is_active as is_webhook_active', 'w.removed_at'])
    .select(['f.state as finding_state', 'f.study_id', 'f.report_id', 'f.identified_by', 'f.severity'])
    .where('m.id', '=', id)
    .where('m.state', '=', 'QUEUED')
    .executeTakeFirst();

export type OutgoingMessage = NonNullable<Awaited<ReturnType<typeof messageToSend>>>;

/** Returns the message of a job. If nothing is left to do, finishes the job and returns undefined. */
export const beginMessage = async (scope: Scope, job: Job): Promise<OutgoingMessage | undefined> => {
  const message = await messageToSend(scope, job.id);
  if (!message) await finishJob(scope, job);
  return message;
};
