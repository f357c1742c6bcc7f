import { reportLinks } from '@radwork/contract/reading/sharing';
import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { LinkQuestion, LinkTerms, ReportLink } from '@radwork/contract/reading/sharing';
import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound, invalid } from '#core/http/problem.ts';
import type { ReportLinks } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import type { SecretKey } from '#core/installation/secret-key.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import { refiledTo } from '#reading/report-records/refiled-reports.ts';
import { assertMay, reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';

/**
 * Derives the 256-bit token of a link from the secret of the installation and the nonce of the link. So users who may
 * share can see the link again. The database stores only the SHA-256 of the token and the nonce, which are useless
 * without the secret.
 */
const tokenOf = (secretKey: SecretKey, reportId: string, nonce: Buffer): string =>
  secretKey.hmac('report-link', reportId, nonce).toString('base64url');

type StoredLink = Selectable<ReportLinks>;

const openLinkOf = ({ db }: Scope, reportId: string): Promise<StoredLink | undefined> =>
  db
    .selectFrom('report_links')
    .selectAll()
    .where('report_id', '=', reportId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where(sql<boolean>`(max_opens is null or open_count < max_opens)`)
    .executeTakeFirst();

/** Returns what must be entered before a link opens: a passcode, the birth date, or nothing. */
export const questionOf = ({
  passcode_hash,
  asks_birth_date,
}: Pick<StoredLink, 'passcode_hash' | 'asks_birth_date'>): LinkQuestion | null => {
  if (passcode_hash !== null) return 'PASSCODE';
  return asks_birth_date ? 'BIRTH_DATE' : null;
};

const toReportLink = (secretKey: SecretKey, link: StoredLink): ReportLink => ({
  linkHash: tokenOf(secretKey, link.report_id, link.nonce),
  expiresAt: link.expires_at,
  createdAt: link.created_at,
  openCount: link.open_count,
  lastOpenedAt: link.last_opened_at,
  question: questionOf(link),
  maxOpens: link.max_opens,
  lockedUntil: link.locked_until,
});

type LinkedReport = Pick<StoredReport, 'id' | 'study_id' | 'patient_id'>;

const note = (scope: Scope, action: string, linkId: string, report: LinkedReport) =>
  audit(scope, action, {
    entity: 'report_link',
    entityId: linkId,
    studyId: report.study_id,
    patientId: report.patient_id,
    detail: { reportId: report.id },
  });

/** Returns the open link of a report, or null. */
export const link = async (scope: Scope, secretKey: SecretKey, reportId: string): Promise<ReportLink | null> => {
  await reportById(scope, reportId);
  const open = await openLinkOf(scope, reportId);
  return open ? toReportLink(secretKey, open) : null;
};

/** Returns the default terms of a link and the questions that it can ask. */
export const linkTerms = async (scope: Scope, reportId: string): Promise<LinkTerms> => {
  const report = await reportById(scope, reportId);
  const { link_days, is_link_code_required } = await rulesOf(scope);
  return { days: link_days, isCodeRequired: is_link_code_required, hasBirthDate: report.date_of_birth !== null };
};

const rulesOf = ({ db, session }: Scope) =>
  db
    .selectFrom('tenants')
    .select(['link_days', 'is_link_code_required'])
    .where('id', '=', session.tenantId)
    .executeTakeFirstOrThrow();

/** Settings of a new link. The passcode is hashed before the transaction, because hashing takes long. */
export type NewLink = Omit<Body<typeof reportLinks.create>, 'passcode'> & { passcodeHash: string | null };

/**
 * Creates a link. If the report already has an open link, returns it when the caller asks for no settings of its own,
 * else throws 409. Also throws 409 when the report now belongs to another patient than the caller saw.
 */
export const share = async (
  scope: Scope,
  secretKey: SecretKey,
  reportId: string,
  { days, passcodeHash, asksBirthDate, maxOpens = null, patientRecordId }: NewLink,
): Promise<ReportLink> => {
  const { study_id } = await reportById(scope, reportId);
  // Locks the study. A move to another patient then ends first, or begins later and closes the new link too.
  await studyToChange(scope, study_id);
  const report = await reportById(scope, reportId);
  assertMay('share', report, scope.session);
  if (patientRecordId !== undefined && report.patient_id !== patientRecordId) {
    throw refiledTo(report, t`Review the report before you share it.`);
  }
  // Locks the report, so that callers at the same time get the same link.
  await scope.db.selectFrom('reports').select('id').where('id', '=', reportId).forUpdate().execute();
  const open = await openLinkOf(scope, reportId);
  if (open) {
    if (days === undefined && !passcodeHash && !asksBirthDate && maxOpens === null)
      return toReportLink(secretKey, open);
    throw conflict(
      'report_link.open',
      t`This report already has a share link. Revoke it to create a link with other settings.`,
    );
  }
  const rules = await rulesOf(scope);
  if (rules.is_link_code_required && !passcodeHash && !asksBirthDate) {
    throw invalid({ passcode: t`Your organization requires a passcode or the date of birth` });
  }
  if (asksBirthDate && report.date_of_birth === null) {
    throw invalid({ asksBirthDate: t`The patient has no recorded date of birth` });
  }
  await close(scope, reportId);
  const nonce = randomBytes(32);
  const inserted = await scope.db
    .insertInto('report_links')
    .values({
      id: newId(),
      report_id: reportId,
      nonce,
      token_hash: hashOfToken(tokenOf(secretKey, reportId, nonce)),
      created_by: scope.session.userId,
      expires_at: sql`now() + make_interval(hours => 24 * ${days ?? rules.link_days}::int)`,
      passcode_hash: passcodeHash,
      asks_birth_date: asksBirthDate,
      max_opens: maxOpens,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await note(scope, 'report_link.create', inserted.id, report);
  return toReportLink(secretKey, inserted);
};

/** Revokes the open link for good. Sharing again creates a new link. */
export const revoke = async (scope: Scope, reportId: string): Promise<void> => {
  const report = await reportById(scope, reportId);
  assertMay('share', report, scope.session);
  const open = orNotFound(await openLinkOf(scope, reportId), 'link');
  await close(scope, reportId);
  await note(scope, 'report_link.revoke', open.id, report);
};

/**
 * Revokes the open links to reports of these studies, which now belong to another patient. Their recipients would read
 * about another person. `since`: only links created after this time.
 */
export const closeLinksOf = async (
  scope: Scope,
  studyIds: readonly string[],
  since: string | null = null,
): Promise<void> => {
  const closed = await scope.db
    .updateTable('report_links as l')
    .from('reports as r')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .set({ revoked_at: sql`now()` })
    .whereRef('r.id', '=', 'l.report_id')
    .where('r.study_id', '=', sql<string>`any(${studyIds}::uuid[])`)
    .where('l.revoked_at', 'is', null)
    .where(sql<boolean>`(${since}::timestamptz is null or l.created_at >= ${since}::timestamptz)`)
    .returning(['l.id', 'r.id as report_id', 'r.study_id', 's.patient_id'])
    .execute();
  for (const { id, report_id, study_id, patient_id } of closed) {
    await note(scope, 'report_link.revoke', id, { id: report_id, study_id, patient_id });
  }
};

const close = async ({ db }: Scope, reportId: string): Promise<void> => {
  await db
    .updateTable('report_links')
    .set({ revoked_at: sql`now()` })
    .where('report_id', '=', reportId)
    .where('revoked_at', 'is', null)
    .execute();
};
