import { t } from '@radwork/contract/core/translate';
import { queueMail } from '#core/notifications/mail.ts';
import { orNotFound } from '#core/http/problem.ts';
import { inLanguage } from '#core/http/request-language.ts';
import type { Scope } from '#core/access/scope.ts';
import { makePasswordLink, minutesOf, type PasswordLinkPurpose } from './password-links.ts';
import type { MailContext } from './notify-owner.ts';

/** The address to which the link was sent. If the installation sends no mail, the link. */
export type SentLink = { sentTo: string } | { link: string };

/**
 * Creates the link with which a user sets a password, and mails it to the user when the transaction commits. Sending is
 * retried while the link works.
 */
export const sendPasswordLink = async (
  scope: Scope,
  context: MailContext,
  userId: string,
  purpose: PasswordLinkPurpose,
): Promise<SentLink> => {
  const link = await makePasswordLink(scope, userId, purpose);
  const row = await scope.db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['username', 'email', 'tenants.name as organization', 'locale'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  const { email, locale, ...account } = orNotFound(row, 'user');
  const address = `${context.config.mail?.publicUrl ?? ''}${link}`;
  const letter = { to: email, ...inLanguage(locale, () => words[purpose]({ ...account, address })) };
  if (!(await queueMail(scope, context, letter, minutesOf[purpose]))) return { link };
  await scope.db
    .updateTable('password_links')
    .set({ sent_to: email })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
  return { sentTo: email };
};

type LinkFacts = { username: string; organization: string; address: string };

const words: Record<PasswordLinkPurpose, (about: LinkFacts) => { subject: string; text: string }> = {
  INVITE: ({ username, organization, address }) => ({
    subject: t`Radwork: choose your password`,
    text: [
      t`${organization} created a Radwork account for you. Your username is ${username}.`,
      t`Choose your password with this link. It works once, for 7 days:\n${address}`,
      t`If you did not expect this message, ignore it.`,
    ].join('\n\n'),
  }),
  RESET: ({ username, organization, address }) => ({
    subject: t`Radwork: set a new password`,
    text: [
      t`We received a request for a new password for ${username} at ${organization}.`,
      t`Set a new password with this link. It works once, for 30 minutes:\n${address}`,
      t`If you did not request it, ignore this message. Your password stays the same.`,
    ].join('\n\n'),
  }),
};
