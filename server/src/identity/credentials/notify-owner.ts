import { t, translatedSentence, type Sentence } from '@radwork/contract/core/translate';
import type { Context } from '#core/context.ts';
import { queueMail } from '#core/notifications/mail.ts';
import { notify } from '#core/notifications/notify.ts';
import { orNotFound } from '#core/http/problem.ts';
import { inLanguage } from '#core/http/request-language.ts';
import type { Scope } from '#core/access/scope.ts';

export type MailContext = Pick<Context, 'config' | 'vault'>;

/**
 * Notifies users of a change to their own account, in the application and by mail. Users must learn of a change that
 * another person made (ASVS 6.3.7). `alsoTo` contains previous addresses of the user.
 */
export const notifyOwner = async (
  scope: Scope,
  { config, vault }: MailContext,
  userId: string,
  { title, message, alsoTo = [] }: { title: Sentence; message: Sentence; alsoTo?: readonly string[] },
): Promise<void> => {
  await notify(scope, { to: [userId], type: 'ACCOUNT', title, message, link: '/account', isForActorToo: true });
  const row = await scope.db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['username', 'email', 'tenants.name as organization', 'locale'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  const { username, email, organization, locale } = orNotFound(row, 'user');
  const { subject, text } = inLanguage(locale, () => ({
    subject: t`Radwork: ${translatedSentence(title)}`,
    text: [
      `${translatedSentence(title)}.`,
      translatedSentence(message),
      t`Account: ${username}, ${organization}`,
      t`If this was not you, change your password and contact your administrator at once.`,
    ].join('\n\n'),
  }));
  for (const to of new Set([email, ...alsoTo])) {
    await queueMail(scope, { config, vault }, { to, subject, text });
  }
};
