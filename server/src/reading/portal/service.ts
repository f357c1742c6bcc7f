import { t } from '@radwork/contract/core/translate';
import { setTimeout } from 'node:timers/promises';
import { codeNeeded } from '@radwork/contract/reading/portal';
import type { LinkOutcome } from '@radwork/contract/reading/sharing';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { passwordMatches } from '#core/access/passwords.ts';
import { notFound, unauthenticated } from '#core/http/problem.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import { recordOpen } from '#reading/sharing/link-opens.ts';
import { questionOf } from '#reading/sharing/service.ts';
import { countTry, birthDateOfLink, resetTries, recordWrongCode } from './code-attempts.ts';

type Scopes = Pick<Context, 'scopes'>;

/** Reads the report of an opened link, with its study and patient. Throws 404 when the study was deleted. */
export type ReadShared<T> = (
  scope: Scope,
  reportId: string,
) => Promise<{ report: T; studyId: string; patientId: string }>;

type LinkRow = {
  tenant_id: number;
  link_id: string;
  /** Why the link opens for no caller. Null when it can be opened. */
  refusal: Exclude<LinkOutcome, 'OPENED' | 'WRONG_CODE'> | null;
  passcode_hash: string | null;
  asks_birth_date: boolean;
};

/**
 * Opens the report of a link without an account. The answer is the same for wrong, expired, revoked, used-up and locked
 * links, for links of a suspended tenant and for a deleted study. So it does not reveal the reason. If a valid link
 * needs a code, throws an error that says which one.
 */
export const openLink = async <T>(context: Scopes, token: string, address: string, read: ReadShared<T>): Promise<T> => {
  const link = await linkBehind(context, token);
  if (!link || link.refusal) throw await refuse(context, link, address);
  const question = questionOf(link);
  if (question) throw codeMissing(question);
  return asLink(context, link, address, (scope) => open(scope, link.link_id, read));
};

const codeMissing = (question: keyof typeof codeNeeded) =>
  unauthenticated(question === 'PASSCODE' ? t`Enter the passcode` : t`Enter the date of birth`, codeNeeded[question]);

/**
 * Like `openLink`, but with the passcode or birth date that the link asks for. Five wrong codes in a row lock the link
 * for 15 minutes.
 */
export const openWithCode = async <T>(
  context: Scopes,
  token: string,
  code: string,
  address: string,
  read: ReadShared<T>,
): Promise<T> => {
  const link = await linkBehind(context, token);
  const question = link && !link.refusal ? questionOf(link) : null;
  if (link && !link.refusal && !question) return openLink(context, token, address, read);
  // Counts the try before the code is checked. So the limit holds even for simultaneous tries on several servers.
  const isAllowed =
    link && question ? await asLink(context, link, address, (scope) => countTry(scope, link.link_id)) : false;
  // Takes the same time even if there is no hash to compare.
  const isPasscode = await passwordMatches((isAllowed && link?.passcode_hash) || undefined, code);
  if (!link || !isAllowed) throw await refuse(context, link, address);
  return asLink(context, link, address, async (scope) => {
    const isRight = question === 'PASSCODE' ? isPasscode : (await birthDateOfLink(scope, link.link_id)) === code;
    return isRight ? open(scope, link.link_id, read) : undefined;
  }).then(async (report) => report ?? Promise.reject(await wrongCode(context, link, address)));
};

const linkBehind = async ({ scopes }: Scopes, token: string): Promise<LinkRow | undefined> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<LinkRow>`select * from find_report_link(${hashOfToken(token)})`.execute(db),
  );
  return rows[0];
};

const asLink = <T>({ scopes }: Scopes, { tenant_id }: LinkRow, address: string, work: (scope: Scope) => Promise<T>) =>
  scopes.inTenant(systemSession(tenant_id, address), work);

/** Milliseconds that a refusal takes at least. This is longer than writing to the log takes. */
export const leastRefusal = 40;

/**
 * Logs a failed attempt and returns the refusal, which is the same for all reasons. Always takes at least
 * `leastRefusal`, so the time does not show whether there was an attempt to log.
 */
const refuse = async (context: Scopes, link: LinkRow | undefined, address: string) => {
  await Promise.all([
    setTimeout(leastRefusal),
    link && asLink(context, link, address, (scope) => recordOpen(scope, link.link_id, link.refusal ?? 'LOCKED')),
  ]);
  return notFound('report');
};

const wrongCode = async (context: Scopes, link: LinkRow, address: string) => {
  await asLink(context, link, address, (scope) => recordWrongCode(scope, link.link_id));
  return unauthenticated(t`The passcode or date of birth is wrong. Check it and try again.`, 'report_link.wrong_code');
};

/** Opens a link after its question was answered. Counts and logs the opening, then reads the report. */
const open = async <T>(scope: Scope, linkId: string, read: ReadShared<T>): Promise<T> => {
  const opened = await scope.db
    .updateTable('report_links')
    .set({ open_count: sql`open_count + 1`, last_opened_at: sql`now()` })
    .where('id', '=', linkId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where(sql<boolean>`(max_opens is null or open_count < max_opens)`)
    .returning('report_id')
    .executeTakeFirst();
  if (!opened) throw notFound('report');
  const { report, studyId, patientId } = await read(scope, opened.report_id);
  await resetTries(scope, linkId);
  await recordOpen(scope, linkId, 'OPENED');
  await audit(scope, 'report_link.open', { entity: 'report_link', entityId: linkId, studyId, patientId });
  return report;
};

/** Subtracts an opening that returned no report from the count. The log entry stays. */
export const undoOpening = async (context: Scopes, token: string, address: string): Promise<void> => {
  const link = await linkBehind(context, token);
  if (!link) return;
  await asLink(context, link, address, ({ db }) =>
    db
      .updateTable('report_links')
      .set({ open_count: sql`greatest(open_count - 1, 0)` })
      .where('id', '=', link.link_id)
      .execute(),
  );
};
