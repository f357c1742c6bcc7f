import { t } from '@radwork/contract/core/translate';
import { membersOnly } from '@radwork/contract/core/access';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import {
  type outreach as endpoints,
  isCriticalTopic,
  type OutreachChoice,
  outreachTopicLabels,
  outreachTopics,
  personalChannels,
} from '@radwork/contract/reading/outreach';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { forbidden, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { isUsuallyWanted } from './queue-messages.ts';

type Settings = Reply<typeof endpoints.settings>;
type SettingsContext = { config: Pick<Context['config'], 'mail'>; pushKey: string };

/** Returns the choices of the caller. A missing choice has its default. A visitor has no choices. */
export const settingsOf = async ({ db, session }: Scope, { config, pushKey }: SettingsContext): Promise<Settings> => {
  const isMember = session.homeTenantId === undefined;
  const userId = isMember ? session.userId : null;
  const storedChoices = await db
    .selectFrom('outreach_choices')
    .select(['topic', 'channel', 'is_wanted'])
    .where('user_id', '=', userId)
    .execute();
  const quiet = await db
    .selectFrom('quiet_hours')
    .select([sql<string>`to_char(begins, 'HH24:MI')`.as('begins'), sql<string>`to_char(ends, 'HH24:MI')`.as('ends')])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const devices = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'label', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const choices = outreachTopics.flatMap((topic) =>
    personalChannels.map((channel) => {
      const own = storedChoices.find((choice) => choice.topic === topic && choice.channel === channel);
      return { topic, channel, isWanted: own?.is_wanted ?? isUsuallyWanted(topic, channel) };
    }),
  );
  return {
    choices,
    quietHours: quiet ?? null,
    timeZone: session.timeZone,
    mailAddress: config.mail && isMember ? session.email : '',
    devices,
    pushKey,
  };
};

/** Saves the caller's choices. Throws 422 for a critical event without a channel. */
export const save = async (scope: Scope, { choices, quietHours }: Body<typeof endpoints.save>): Promise<void> => {
  const { db, session } = scope;
  if (session.homeTenantId !== undefined) throw forbidden(membersOnly());
  const lost = outreachTopics.find((topic) => isCriticalTopic(topic) && isLeftOut(choices, topic));
  if (lost) throw invalid({ choices: t`"${outreachTopicLabels[lost]}" requires e-mail or push` });
  // Without the lock, two saves at the same time would insert the same keys.
  await db.selectFrom('users').select('id').where('id', '=', session.userId).forUpdate().execute();
  await db.deleteFrom('outreach_choices').where('user_id', '=', session.userId).execute();
  const latest = new Map(choices.map((choice) => [`${choice.topic} ${choice.channel}`, choice]));
  const rows = Array.from(latest.values(), ({ topic, channel, isWanted }) => ({
    user_id: session.userId,
    topic,
    channel,
    is_wanted: isWanted,
  }));
  if (rows.length > 0) await db.insertInto('outreach_choices').values(rows).execute();
  await db.deleteFrom('quiet_hours').where('user_id', '=', session.userId).execute();
  if (quietHours)
    await db
      .insertInto('quiet_hours')
      .values({ user_id: session.userId, ...quietHours })
      .execute();
  await audit(scope, 'outreach.update', { entity: 'user', entityId: session.userId });
};

const isLeftOut = (choices: readonly OutreachChoice[], topic: string): boolean =>
  personalChannels.every((channel) =>
    choices.some((choice) => choice.topic === topic && choice.channel === channel && !choice.isWanted),
  );
