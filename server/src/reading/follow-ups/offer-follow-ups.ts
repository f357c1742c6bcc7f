import { dueWindow } from '@radwork/contract/reading/follow-up-match';
import { type FollowUpPart, partsNamedIn } from '@radwork/contract/reading/follow-up-parts';
import { type FollowUpReviewCause, waitingStates } from '@radwork/contract/reading/follow-up-states';
import { recognizeFollowUps } from '@radwork/contract/reading/follow-up-text';
import { sentence, type Sentence } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { localTime } from '#core/values/local-time.ts';
import { blocksOfHtml } from '#reading/report-records/report-blocks.ts';
import type { StoredReport } from '#reading/report-records/stored-report.ts';
import { noteChange } from './change-follow-up.ts';
import { currentDay, storeEvent } from './follow-up-rows.ts';
import { defaultOwner } from './settings.ts';

/** Maximum number of offers of one text. If a report recommends more, a user reads it anyway. */
const mostOffers = 10;
const longestQuote = 2000;

type SignedReport = Pick<StoredReport, 'id' | 'study_id' | 'author_id'>;

/**
 * Offers the examinations that a signed text recommends for the register. An examination that the register already has
 * for the study is not offered again. A user decides on each offer; nothing waits for it.
 */
export const offerFollowUps = async (scope: Scope, report: SignedReport, content: string): Promise<void> => {
  const recognized = recognizeFollowUps(blocksOfHtml(content)).slice(0, mostOffers);
  if (recognized.length === 0) return;
  const { day, parts, patientId } = await examinationOf(scope, report.study_id);
  const known = await knownOf(scope, report.study_id);
  const ownerId = await defaultOwner(scope, report);
  for (const { modality, bodyPart, interval, quote } of recognized) {
    const part = bodyPart === '' ? parts : bodyPart;
    const isKnown = known.some(
      (row) =>
        row.quote === quote || (row.state !== 'DISMISSED' && row.modality === modality && row.body_part === part),
    );
    if (isKnown) continue;
    const { dueFrom, dueTo } = dueWindow(day, interval);
    const id = newId();
    await scope.db
      .insertInto('follow_ups')
      .values({
        id,
        report_id: report.id,
        modality,
        body_part: part,
        due_from: dueFrom,
        due_to: dueTo,
        quote: quote.slice(0, longestQuote),
        owner_id: ownerId,
        state: 'OFFERED',
      })
      .execute();
    await storeEvent(scope, { followUpId: id, event: 'OFFERED', state: 'OFFERED' });
    await noteChange(scope, { id, study_id: report.study_id, patient_id: patientId }, 'follow_up.offer');
  }
};

/** Returns the day of a study, the body part that its data names (empty if it names several), and its patient. */
const examinationOf = async ({ db }: Scope, studyId: string) => {
  const study = await db
    .selectFrom('studies as s')
    .select(['s.patient_id', 's.study_date', 's.description', 's.study_description', currentDay.as('today')])
    .select(
      sql<string[]>`array(select distinct body_part_examined from series where study_id = s.id order by 1)`.as('parts'),
    )
    .where('s.id', '=', studyId)
    .executeTakeFirstOrThrow();
  const { patient_id: patientId, study_date, description, study_description, today } = study;
  const [part] = partsOf([description || study_description, ...study.parts]);
  return { day: localTime(study_date)?.slice(0, 10) ?? today, parts: part ?? ('' as const), patientId };
};

/**
 * Returns the body parts that the first text with any body part names. Abdomen and pelvis together count as one part.
 */
const partsOf = (texts: readonly string[]): FollowUpPart[] => {
  const parts = texts.map((text) => partsNamedIn(text).map(({ part }) => part)).find(({ length }) => length > 0) ?? [];
  return parts.includes('ABDOMEN') && parts.includes('PELVIS') ? ['ABDOMENPELVIS'] : parts;
};

const knownOf = ({ db }: Scope, studyId: string) =>
  db
    .selectFrom('follow_ups as f')
    .innerJoin('reports as r', 'r.id', 'f.report_id')
    .select(['f.quote', 'f.state', 'f.modality', 'f.body_part'])
    .where('r.study_id', '=', studyId)
    .execute();

const titles: Record<FollowUpReviewCause, Sentence> = {
  CORRECTED: sentence`A report was corrected. Check its follow-up.`,
  MOVED: sentence`A study with a follow-up moved to another patient. Check the follow-up.`,
};

/**
 * Asks the owners to check the rows of studies, because a report was corrected or replaced, or because a study moved to
 * another patient. `exceptReportId`: the report that has just been signed, whose rows are new.
 */
export const askToReview = async (
  scope: Scope,
  studyIds: readonly string[],
  cause: FollowUpReviewCause,
  exceptReportId?: string,
): Promise<void> => {
  const { rows } = await sql<{
    id: string;
    owner_id: string;
    state: (typeof waitingStates)[number];
    study_id: string;
    patient_id: string;
  }>`
    update follow_ups f
    set review_cause = ${cause}, revision = f.revision + 1, updated_at = clock_timestamp(), compared_until = '-infinity'
    from reports r join studies s on s.id = r.study_id
    where r.id = f.report_id and r.study_id = any(${studyIds}::uuid[])
      and r.id is distinct from ${exceptReportId ?? null}::uuid and f.state in ('OPEN', 'SCHEDULED', 'DONE')
    returning f.id, f.owner_id, f.state, s.id as study_id, s.patient_id`.execute(scope.db);
  for (const { id, owner_id, state, ...place } of rows) {
    await storeEvent(scope, { followUpId: id, event: 'REVIEW', state });
    await noteChange(scope, { id, ...place }, 'follow_up.ask_review', { cause });
    await notify(scope, {
      to: [owner_id],
      type: 'FOLLOW_UP',
      title: titles[cause],
      ...(await aboutStudy(scope, place.study_id)),
      link: linkTo(id),
    });
  }
};

/** Returns the page that shows a row of the register. */
export const linkTo = (id: string): string => `/follow-ups?followUpId=${id}`;
