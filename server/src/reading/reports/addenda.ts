import { t } from '@radwork/contract/core/translate';
import type { Body, Query } from '@radwork/contract/core/endpoint';
import type { reportAddenda as endpoints } from '@radwork/contract/reading/report-addenda';
import {
  type AddendumDraft,
  addendumKindLabels,
  hashedText,
  signedStatement,
} from '@radwork/contract/reading/report-parts';
import { sql, type UpdateObject } from 'kysely';
import { announce } from '#core/live/announce.ts';
import type { Schema } from '#core/database/database.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { askToReview, offerFollowUps } from '#reading/follow-ups/offer-follow-ups.ts';
import { storeAfterSigning } from '#reading/report-delivery/queue-delivery.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { auditReport } from '#reading/report-records/change-report.ts';
import { refuseOpenPassages } from '#reading/drafting/passages.ts';
import { acceptContent, finalContent, hashOfContent } from '#reading/report-records/content.ts';
import { refuseUnprintableName, refuseUnprintableText } from '#reading/report-delivery/printable-characters.ts';
import { refuseRefiled } from '#reading/report-records/refiled-reports.ts';
import { refuseQuote, spaced } from './quoted-passage.ts';
import { requireIdentified } from './require-identified.ts';
import { assertMaySign, remarkDetail } from '#identity/signing-holds/assert-may-sign.ts';
import type { Form, SigningResult } from '#identity/signing-means/signed-with.ts';
import { assertOwnName, assertSigned, ownSigner } from '#identity/signing-means/signature.ts';
import { indexReports } from '#reading/report-records/report-texts.ts';
import { signedParts } from '#reading/report-records/signed-parts.ts';
import { assertMay, reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { notifyOfAddendum } from '#reading/report-records/announce-report.ts';

/**
 * Addenda and corrections of a signed report. Only the author sees a draft. A signed addendum is shown below the text
 * of the report, which does not change. Each exported function that changes an addendum returns the id of the report.
 */

type AddendumForm = Body<typeof endpoints.begin>;
type Words = Omit<AddendumForm, 'patientRecordId'>;

/** Returns the caller's own draft, if there is one. */
export const ownDraft = async ({ db, session }: Scope, reportId: string): Promise<AddendumDraft | null> => {
  const draft = await db
    .selectFrom('report_addenda')
    .select(['id', 'kind', 'content', 'passage', 'corrects', 'revision', 'updated_at as updatedAt'])
    .where('report_id', '=', reportId)
    .where(sql<boolean>`author_id::text = ${session.userId}`)
    .where('finalized_at', 'is', null)
    .executeTakeFirst();
  return draft ?? null;
};

export const beginAddendum = async (
  scope: Scope,
  reportId: string,
  { patientRecordId, ...form }: AddendumForm,
): Promise<string> => {
  const report = await reportToAmend(scope, reportId);
  if (patientRecordId !== undefined) refuseRefiled(report, patientRecordId);
  const words = await acceptWords(scope, reportId, form);
  if (await ownDraft(scope, reportId)) {
    throw conflict('addendum.open', t`You already have an addendum draft for this report. Nothing was overwritten.`);
  }
  const id = newId();
  await scope.db
    .insertInto('report_addenda')
    .values({ id, report_id: reportId, author_id: scope.session.userId, ...words })
    .execute();
  await auditReport(scope, 'report.beginAddendum', report, { addendumId: id, kind: words.kind });
  return reportId;
};

export const saveAddendum = async (
  scope: Scope,
  { id: reportId, addendumId }: { id: string; addendumId: string },
  { revision, ...form }: Body<typeof endpoints.save>,
): Promise<string> => {
  const report = await reportToAmend(scope, reportId);
  const words = await acceptWords(scope, reportId, form);
  await changeDraft(scope, reportId, addendumId, revision, words);
  await auditReport(scope, 'report.saveAddendum', report, { addendumId });
  return reportId;
};

/** Deletes a draft. Only its author has seen it. */
export const discardAddendum = async (
  scope: Scope,
  { id: reportId, addendumId }: { id: string; addendumId: string },
  { revision }: Query<typeof endpoints.discard>,
): Promise<string> => {
  const report = await reportToAmend(scope, reportId);
  const draft = await draftById(scope, reportId, addendumId);
  if (revision !== undefined && draft.revision !== revision) throw changedMeanwhile();
  await scope.db.deleteFrom('report_addenda').where('id', '=', addendumId).execute();
  await auditReport(scope, 'report.discardAddendum', report, { addendumId });
  return reportId;
};

/** Signs a draft. It gets a number, is shown below the text, and does not change after this. */
export const signAddendum = async (
  scope: Scope,
  { id: reportId, addendumId }: { id: string; addendumId: string },
  { revision, ...form }: Omit<Body<typeof endpoints.sign>, keyof Form> & Pick<Form, 'typedName'>,
  signed: SigningResult,
): Promise<string> => {
  const remark = await assertMaySign(scope);
  const report = await reportToAmend(scope, reportId);
  const accepted = await acceptWords(scope, reportId, form);
  const words = { ...accepted, content: finalContent(accepted.content) };
  refuseUnprintableText(words.content);
  refuseUnprintableName(report.patient_name);
  assertSigned(signed.picture, report.is_signature_required);
  const signer = await ownSigner(scope);
  assertOwnName(signer, form.typedName);
  const identityStatement = await requireIdentified(scope, report.study_id, form.identityStatement);
  const number = (await signedParts(scope, reportId)).length;
  await signed.complete(scope);
  await changeDraft(scope, reportId, addendumId, revision, {
    ...words,
    number,
    statement: signedStatement,
    signature_data: signed.picture,
    signing_remark: remark,
    signer_name: signer.name,
    signer_credentials: signer.credentials,
    identity_statement: identityStatement,
    content_hash: hashOfContent(hashedText(words)),
    finalized_at: sql`now()`,
    finalized_by: scope.session.userId,
  });
  await indexReports(scope, [reportId]);
  await recordTask(scope, {
    studyId: report.study_id,
    type: 'REPORT_STATUS',
    displayValue: 'FINALIZED',
    details: `${addendumKindLabels[words.kind]} ${number} signed`,
  });
  const stated = identityStatement !== '' && { statesIdentity: true };
  const detail = { addendumId, kind: words.kind, number, ...signed.detail, ...remarkDetail(remark), ...stated };
  await auditReport(scope, 'report.addend', report, detail);
  await storeAfterSigning(scope, reportId, report.study_id);
  await notifyOfAddendum(scope, report, words.kind);
  if (words.kind === 'CORRECTION') await askToReview(scope, [report.study_id], 'CORRECTED');
  await offerFollowUps(scope, report, words.content);
  await announce(scope, { kind: 'study', studyId: report.study_id });
  return reportId;
};

/**
 * Reads a report to which the caller may add an addendum. Waits for moves of its study and for other signatures on it.
 */
const reportToAmend = async (scope: Scope, reportId: string): Promise<StoredReport> => {
  const { study_id } = await reportById(scope, reportId);
  await studyToChange(scope, study_id);
  const report = await reportById(scope, reportId);
  assertMay('addend', report, scope.session);
  return report;
};

/** Checks the content of an addendum before it is stored. A correction must quote a passage that occurs once. */
const acceptWords = async (scope: Scope, reportId: string, form: Words) => {
  const { kind } = form;
  const content = acceptContent(form.content);
  refuseOpenPassages(content);
  if (kind === 'ADDENDUM') return { kind, content, passage: '', corrects: null };
  const passage = spaced(form.passage);
  const parts = await signedParts(scope, reportId);
  const corrected = parts.find(({ number }) => number === form.corrects);
  const refusal = refuseQuote(corrected?.content ?? '', passage);
  if (refusal !== undefined || !corrected) throw invalid({ passage: refusal ?? t`Quote a passage of this report` });
  return { kind, content, passage, corrects: corrected.number };
};

const draftById = async ({ db, session }: Scope, reportId: string, addendumId: string) =>
  orNotFound(
    await db
      .selectFrom('report_addenda')
      .select(['id', 'revision', 'finalized_at'])
      .where('id', '=', addendumId)
      .where('report_id', '=', reportId)
      .where('author_id', '=', session.userId)
      .where('finalized_at', 'is', null)
      .executeTakeFirst(),
    'addendum',
  );

const changeDraft = async (
  scope: Scope,
  reportId: string,
  addendumId: string,
  revision: number,
  set: UpdateObject<Schema, 'report_addenda'>,
): Promise<void> => {
  await draftById(scope, reportId, addendumId);
  const changed = await scope.db
    .updateTable('report_addenda')
    .set({ ...set, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', addendumId)
    .where('revision', '=', revision)
    .where('finalized_at', 'is', null)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) throw changedMeanwhile();
};

const changedMeanwhile = () =>
  conflict(
    'addendum.changed',
    t`The addendum was changed in another window, or its study was moved to another patient. Nothing was overwritten. Reload the addendum.`,
  );
