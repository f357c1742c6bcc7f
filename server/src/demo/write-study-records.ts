import sharp from 'sharp';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { read, send } from '#reading/chat/service.ts';
import { addCriticalFinding } from '#reading/critical-findings/service.ts';
import { finalize } from '#reading/reports/finalize.ts';
import { create, requestReview, submitReview } from '#reading/reports/service.ts';
import { unasked } from '#identity/signing-means/signed-with.ts';
import { update } from '#imaging/studies/service.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { assign } from '#reading/workflow/assign.ts';
import { type DemoMessage, type DemoReport, type DemoStudy, referrerWithAccount } from './demo-studies.ts';

/** The users of a tenant, by username. */
export type DemoSessions = ReadonlyMap<string, Session>;

const personIn = (people: DemoSessions, username: string): Session => orNotFound(people.get(username), 'user');

/**
 * Adds priority, history, participants, report and chat to a stored study. Uses one transaction, so that after a crash
 * the next start does all of it again.
 */
export const writePaperwork = async (
  scope: Scope,
  people: DemoSessions,
  study: DemoStudy,
  uid: string,
): Promise<void> => {
  const { id, revision } = await scope.db
    .selectFrom('studies')
    .select(['id', 'revision'])
    .where('study_instance_uid', '=', uid)
    .executeTakeFirstOrThrow();
  const isWritten = await scope.db
    .selectFrom('audit_entries')
    .select('id')
    .where('study_id', '=', id)
    .where('action', '=', 'study.update')
    .executeTakeFirst();
  if (isWritten) return;
  await update(scope, id, { revision, clinicalHistory: study.history, priority: study.priority ?? 'ROUTINE' });
  const referrer = people.get('referrer');
  if (referrer && study.referrer === referrerWithAccount) await concern(scope, id, referrer);
  if (study.assigned) await assignTo(scope, id, personIn(people, study.assigned.to), study.assigned.dueInHours);
  if (study.report) await writeReport(scope, people, id, study.report);
  for (const message of study.chat ?? []) await say(scope, people, id, message);
};

const concern = ({ db }: Scope, studyId: string, { userId }: Session) =>
  db.insertInto('study_participants').values({ study_id: studyId, user_id: userId, role: 'REFERRER' }).execute();

const assignTo = async (scope: Scope, studyId: string, { userId }: Session, dueInHours: number) => {
  await assign(scope, studyId, { userIds: [userId], groupIds: [], notes: '' });
  // The API accepts no due time in the past, so the times of overdue work are set here.
  const due_at = inHours(dueInHours);
  const assigned_at = dueInHours < 0 ? inHours(dueInHours - 24) : inHours(0);
  await scope.db
    .updateTable('study_assignments')
    .set({ assigned_at, due_at })
    .where('study_id', '=', studyId)
    .execute();
};

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Sends a chat message. Its sender has then read all earlier messages. */
const say = async (scope: Scope, people: DemoSessions, studyId: string, { by, text }: DemoMessage) => {
  const asSpeaker = { ...scope, session: personIn(people, by) };
  const { id } = await send(asSpeaker, { conversationId: studyId, text });
  await read(asSpeaker, studyId, id);
};

const writeReport = async (scope: Scope, people: DemoSessions, studyId: string, report: DemoReport) => {
  const { text: content, status } = report;
  const asAuthor = { ...scope, session: personIn(people, report.author) };
  const { patient_id } = await studyById(asAuthor, studyId);
  const id = await create(asAuthor, studyId, { content, patientId: patient_id });
  if (report.criticalFinding !== undefined) {
    await addCriticalFinding(asAuthor, id, { finding: report.criticalFinding, severity: 'URGENT' });
  }
  if (status === 'FINALIZED') await finalize(asAuthor, id, { content }, unasked(await signature()));
  if (status === 'DRAFT' || status === 'FINALIZED') return;
  const asReviewer = { ...scope, session: personIn(people, report.reviewer ?? '') };
  await requestReview(asAuthor, id, { reviewerId: asReviewer.session.userId, notes: 'Please review.' });
  if (status === 'PENDING_REVIEW') return;
  await submitReview(asReviewer, id, { approved: status === 'APPROVED', comments: report.comments ?? '' });
};

/** A drawn line, as a signature that resembles no real name. */
const signature = async (): Promise<string> => {
  const line = 'M10 60 C40 5 60 5 55 45 S80 75 95 35 S120 20 118 50 S150 70 165 38 S200 25 195 52 S240 60 290 30';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><path d="${line}" fill="none" stroke="#1c2733" stroke-width="3" stroke-linecap="round"/></svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};
