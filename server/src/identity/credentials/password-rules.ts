import { t } from '@radwork/contract/core/translate';
import { newPassword } from '@radwork/contract/identity/accounts';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Config } from '#core/config/config.ts';
import { invalid } from '#core/http/problem.ts';
import { isBreached } from './breached-passwords.ts';

/** The user of a new password. Facts that are not known yet are empty. */
export type PasswordOwner = { username: string; name: string; email: string; tenantName: string };

const productName = 'Radwork';
const common = new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()));

/**
 * Refuses a password that is easy to guess: short, common, breached, or mostly made of known facts about the user. Any
 * kind of characters is allowed. Throws 422 at `field` with the reason.
 */
export const assertPasswordAllowed = async (
  password: string,
  owner: PasswordOwner,
  { breachedPasswordsFile }: Pick<Config, 'breachedPasswordsFile'>,
  field = 'password',
): Promise<void> => {
  const length = newPassword.safeParse(password);
  const fault =
    length.error?.issues[0]?.message ??
    repetition(password) ??
    commonness(password) ??
    ownWord(password, owner) ??
    (await breach(password, breachedPasswordsFile));
  if (fault) throw invalid({ [field]: fault });
};

const repetition = (password: string): string | undefined => {
  const units = [1, 2, 3, 4, 5, 6].map((length) => password.slice(0, length));
  const unit = units.find((one) => one.repeat(password.length).startsWith(password));
  return unit && t`This password only repeats “${unit}”. Choose another.`;
};

const oftenUsed = () => t`This password is too common. Choose another.`;

/** Checks the password as it is. Also checks the word in it, without digits and signs before and after this word. */
const commonness = (password: string): string | undefined => {
  const lower = password.toLowerCase();
  const word = lower.replace(/^[\d\W_]+/u, '').replace(/(?<![\d\W_])[\d\W_]+$/u, '');
  const isDressed = word.length >= 6 && lower.length - word.length <= 6 && common.has(word);
  return common.has(lower) || isDressed ? oftenUsed() : undefined;
};

/** Returns only letters and digits, so that hyphens and dots do not hide a match. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const ownWord = (password: string, owner: PasswordOwner): string | undefined => {
  const { username, name, email, tenantName } = owner;
  const [mailbox = ''] = email.split('@');
  const words = [
    { what: 'your username', texts: [username, ...username.split(/[._-]/)] },
    { what: 'your name', texts: [name, ...name.split(/\s+/)] },
    { what: 'your e-mail address', texts: [email, mailbox] },
    { what: 'the name of your organization', texts: [tenantName, ...tenantName.split(/\s+/)] },
    { what: 'the product name', texts: [productName] },
  ].flatMap(({ what, texts }) => texts.map((text) => ({ what, text: plain(text) })));
  const known = words.filter(({ text }) => text.length >= 3).toSorted((a, b) => b.text.length - a.text.length);
  const plainPassword = plain(password);
  let remaining = plainPassword;
  let most: { what: string; length: number } | undefined;
  for (const { what, text } of known) {
    const remainder = remaining.replaceAll(text, '');
    const removed = remaining.length - remainder.length;
    if (removed > (most?.length ?? 0)) most = { what, length: removed };
    remaining = remainder;
  }
  // Without these words, at least half of the password must remain, and at least six characters.
  return most && remaining.length < Math.max(plainPassword.length / 2, 6)
    ? t`This password is mostly ${most.what}. Choose another.`
    : undefined;
};

const breach = async (password: string, path: string | undefined): Promise<string | undefined> =>
  path !== undefined && (await isBreached(path, password))
    ? t`This password appeared in a data breach. Choose another.`
    : undefined;
