import type { Query } from '@radwork/contract/core/endpoint';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { HeaderDifference, rereadings as endpoints, RereadProgress } from '@radwork/contract/imaging/rereadings';
import { translatedSentence } from '@radwork/contract/core/translate';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import type { Failure } from './readings.ts';

/** Selects the differences of studies of which the caller may know. */
const knownDifferences = ({ db, session }: Scope) =>
  db
    .selectFrom('header_differences as d')
    .innerJoin('studies as s', 's.id', 'd.study_id')
    .where(mayKnowStudy(session, 's.id'));

export const progress = async (scope: Scope): Promise<RereadProgress | null> => {
  const row = await scope.db
    .selectFrom('header_rereadings')
    .select(['reader_version', 'files_read as filesRead', 'files_in_all as filesInAll', 'finished_at as finishedDate'])
    .executeTakeFirst();
  if (!row) return null;
  const { reader_version, ...numbers } = row;
  const ofOutcome = (outcome: HeaderDifference['outcome']) =>
    sql<number>`(count(*) filter (where d.outcome = ${outcome}))::int`;
  const counts = await knownDifferences(scope)
    .select([ofOutcome('CHANGED').as('changed'), ofOutcome('LEFT').as('left'), ofOutcome('FAILED').as('failed')])
    .where('d.reader_version', '=', reader_version)
    .executeTakeFirstOrThrow();
  return { ...numbers, ...counts };
};

const failureText = (failure: Failure): string =>
  'kind' in failure ? sentenceOfFault(failure) : translatedSentence(failure);

export const differences = async (
  scope: Scope,
  { outcome, ...ask }: Query<typeof endpoints.differences>,
): Promise<Page<HeaderDifference>> => {
  const ofOutcome = () =>
    knownDifferences(scope).$if(outcome !== undefined, (all) => all.where('d.outcome', '=', outcome ?? 'CHANGED'));
  const { total } = await ofOutcome()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await ofOutcome()
    .select(['d.id', 'd.outcome', 'd.sop_instance_uid as sopInstanceUid', 'd.keyword', 'd.before', 'd.after'])
    .select(['d.files', 'd.found_at as foundDate', 's.id as studyId', 's.modality', 's.accession_number'])
    .select(['s.description', 's.study_description', 's.patient_name'])
    .orderBy('d.found_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(ask.size)
    .offset(ask.page * ask.size)
    .execute();
  const content = rows.map(
    ({ studyId, modality, accession_number, description, study_description, patient_name, ...difference }) => ({
      ...difference,
      ...(difference.outcome === 'FAILED' && { after: failureText(JSON.parse(difference.after) as Failure) }),
      patientName: displayName(patient_name),
      study: {
        id: studyId,
        modality,
        accessionNumber: accession_number,
        description: description || study_description,
      },
    }),
  );
  return pageOf(content, total, ask);
};
