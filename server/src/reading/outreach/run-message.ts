import { sentence } from '@radwork/contract/core/translate';
import { isCriticalTopic, outreachChannelLabels } from '@radwork/contract/reading/outreach';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import type { Context } from '#core/context.ts';
import { finishJob, Interruption, type Job, putBackJob, type RunJob, RetryLater } from '#core/jobs/jobs.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { readersOf } from '#reading/critical-contacts/contacts.ts';
import { canceled, failed, type Outcome } from './outcome.ts';
import { beginMessage, type OutgoingMessage } from './outgoing-message.ts';
import { sendByMail } from './send-mail.ts';
import { sendByPush } from './send-push.ts';
import { sendByWebhook } from './send-webhook.ts';

export type Pauses = { critical: readonly number[]; ordinary: readonly number[] };

export type SendContext = {
  context: Pick<Context, 'config' | 'scopes' | 'outgoing' | 'vault'>;
  /** Seconds after each attempt. The last pause repeats until the message expires. */
  pauses: Pauses;
  /** Called with errors, also those of mail servers and other systems. */
  onError: (error: unknown) => void;
};

/** Hours until a message expires. */
const lastsHours = 24;

/** Sends one queued message and records the outcome. */
export const runMessage =
  (sending: SendContext): RunJob =>
  async (job, signal) => {
    const { scopes } = sending.context;
    const asServer = <T>(work: (scope: Scope) => Promise<T>) => scopes.inTenant(systemSession(job.tenantId), work);
    const message = await asServer((scope) => beginMessage(scope, job));
    if (!message) return;
    const outcome = reasonNotToSend(message, job) ?? (await send(sending, message, signal));
    if (signal.aborted && outcome.kind === 'failed') return asServer((scope) => interrupt(scope, job, signal.reason));
    const pause = pauseAfter(sending, message, job, outcome);
    await asServer((scope) => note(scope, { job, message, outcome, pause }));
    if (pause !== undefined) throw new RetryLater(pause);
  };

const send = async (sending: SendContext, message: OutgoingMessage, signal: AbortSignal): Promise<Outcome> => {
  try {
    switch (message.channel) {
      case 'MAIL':
        return await sendByMail(sending, message);
      case 'PUSH':
        return await sendByPush(sending, message, signal);
      case 'WEBHOOK':
        return await sendByWebhook(sending, message, signal);
    }
  } catch (error) {
    sending.onError(error);
    return failed('The server failed to send the message. Check the server log.', true);
  }
};

/**
 * Returns why the message is canceled. The recipient is inactive, the webhook is turned off, or, at a retry, the
 * finding was communicated in the meantime.
 */
const reasonNotToSend = (message: OutgoingMessage, { attempt }: Job): Outcome | undefined => {
  const { channel, is_active, is_webhook_active, removed_at, topic, finding_state } = message;
  if (channel !== 'WEBHOOK' && is_active !== true) return canceled('The recipient is not an active user');
  if (channel === 'WEBHOOK' && (is_webhook_active !== true || removed_at !== null)) {
    return canceled('The webhook was turned off');
  }
  const isUntold = topic !== 'CRITICAL_TOLD' && topic !== 'CRITICAL_WITHDRAWN';
  const isSettled = finding_state !== null && finding_state !== 'OPEN' && isUntold;
  return attempt > 1 && isSettled ? canceled('The finding was communicated in the meantime') : undefined;
};

const pauseAfter = (
  { pauses }: SendContext,
  { topic, created_at }: OutgoingMessage,
  { attempt }: Job,
  outcome: Outcome,
): number | undefined => {
  if (outcome.kind !== 'failed' || !outcome.mayPass) return undefined;
  const those = isCriticalTopic(topic) ? pauses.critical : pauses.ordinary;
  const pause = those[Math.min(attempt, those.length) - 1];
  if (pause === undefined) return undefined;
  const isOutOfDate = Date.now() + pause * 1000 > Date.parse(created_at) + lastsHours * 3_600_000;
  return isOutOfDate ? undefined : pause;
};

const interrupt = async (scope: Scope, job: Job, reason: unknown): Promise<void> => {
  if (reason instanceof Interruption && reason.isStop) await putBackJob(scope, job);
};

type MessageNote = { job: Job; message: OutgoingMessage; outcome: Outcome; pause: number | undefined };

const note = async (scope: Scope, { job, message, outcome, pause }: MessageNote): Promise<void> => {
  if (pause === undefined && !(await finishJob(scope, job))) return;
  const error = outcome.kind === 'sent' ? '' : outcome.error;
  await scope.db
    .updateTable('outbound_messages')
    .set({
      state: stateAfter(outcome, pause),
      error,
      // A message that is canceled before its first attempt keeps the count 0.
      ...((outcome.kind !== 'canceled' || job.attempt > 1) && { attempts: job.attempt }),
      next_attempt_at: pause === undefined ? null : sql`now() + make_interval(secs => ${pause})`,
      ...(outcome.kind === 'sent' && { sent_at: sql`now()` }),
    })
    .where('id', '=', message.id)
    .where('state', '=', 'QUEUED')
    .execute();
  if (outcome.kind === 'failed') await notifyFailure(scope, message, error);
  if (message.study_id !== null) await announce(scope, { kind: 'study', studyId: message.study_id });
};

const stateAfter = (outcome: Outcome, pause: number | undefined) => {
  if (outcome.kind === 'sent') return 'SENT';
  if (outcome.kind === 'canceled') return 'CANCELED';
  return pause === undefined ? 'FAILED' : 'QUEUED';
};

/**
 * Reports the first failure of a message about a critical finding in the history of the study. Also notifies the
 * readers of the study inside the application, once per channel, so that they can telephone. This notification cannot
 * fail in the same way as the message.
 */
const notifyFailure = async (scope: Scope, message: OutgoingMessage, error: string): Promise<void> => {
  const { id, channel, finding_id, study_id, report_id, identified_by, severity, failure_told_at } = message;
  if (finding_id === null || study_id === null || report_id === null || identified_by === null) return;
  if (failure_told_at !== null) return;
  const earlierNotice = await scope.db
    .selectFrom('outbound_messages')
    .select('id')
    .where('finding_id', '=', finding_id)
    .where('channel', '=', channel)
    .where('failure_told_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  await scope.db
    .updateTable('outbound_messages')
    .set({ failure_told_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  await recordTask(scope, {
    studyId: study_id,
    type: 'CRITICAL_FINDING',
    displayValue: severity ?? '',
    details: `${outreachChannelLabels[channel]} to ${message.recipient_name} failed: ${error}`,
    isBySystem: true,
  });
  if (earlierNotice) return;
  const { message: about } = await aboutStudy(scope, study_id);
  await notify(scope, {
    to: (await readersOf(scope, { study_id, report_id, identified_by })).ids,
    type: 'CRITICAL_FINDING',
    isForAll: true,
    title: sentence`A message about a critical finding was not delivered. Call the recipient by phone.`,
    message: about,
    link: `/critical-findings?findingId=${finding_id}`,
  });
};
