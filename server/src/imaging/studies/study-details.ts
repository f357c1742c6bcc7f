import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { wholeSlideStorage } from '@radwork/dicom/slide';
import { displayName } from '@radwork/dicom/person-name';
import { transferSyntaxes } from '@radwork/dicom/transfer-syntax';
import { sql } from 'kysely';
import { whyNotInChat } from '#core/access/chat-access.ts';
import { localTime } from '#core/values/local-time.ts';
import type { Scope } from '#core/access/scope.ts';
import { identityMarksOf } from '#imaging/identity-marks/identity-marks.ts';
import { orderJoinOf } from './joined-order.ts';
import { assigneesOf, type StoredStudy, toStudyRow } from './study-rows.ts';

/** Segmentation and Label Map Segmentation. They have pixels, but are drawn over other images (PS3.4 §B.5). */
const drawnOverImages = ['1.2.840.10008.5.1.4.1.1.66.4', '1.2.840.10008.5.1.4.1.1.66.7'];

/** Structured reports with key object selections, and encapsulated documents (PS3.4 §B.5). */
const documentClasses = ['1.2.840.10008.5.1.4.1.1.88.%', '1.2.840.10008.5.1.4.1.1.104.%'];

/** Transfer syntaxes of videos, which have no frames that can be read on their own (PS3.5 §8.2.5 to §8.2.8). */
const videoSyntaxes = transferSyntaxes.flatMap(({ uid, codec }) => (codec === 'video' ? uid : []));

/** Counts the instances of a series by kind: images, documents, videos, images of slides and others. */
const countedContents = sql<Required<SeriesSummary>['contents']>`(
  select json_build_object(
    'images', count(*) filter (where kind = 'image'),
    'documents', count(*) filter (where kind = 'document'),
    'others', count(*) filter (where kind = 'other'),
    'videos', count(*) filter (where kind = 'video'),
    'slides', count(*) filter (where kind = 'slide'))
  from (
    select case
      when sop_class_uid like any (${documentClasses}::text[]) then 'document'
      when transfer_syntax_uid = any (${videoSyntaxes}::text[]) then 'video'
      when sop_class_uid = ${wholeSlideStorage} then 'slide'
      when rows > 0 and not sop_class_uid = any (${drawnOverImages}::text[]) then 'image'
      else 'other' end as kind
    from instances where series_id = series.id) instance)`.as('contents');

/**
 * Two facts about a series. Whether all its images are localizers: false if at least one is known not to be, null if
 * the headers do not tell. The plane of all other images: null if they have several.
 */
const imageKinds = sql<Required<Pick<SeriesSummary, 'isLocalizer' | 'plane'>>>`(
  select json_build_object(
    'isLocalizer',
    case when bool_and(is_localizer is true) then true when bool_or(is_localizer is false) then false end,
    'plane', case when min(plane) filter (where is_localizer is not true)
      = max(plane) filter (where is_localizer is not true) then min(plane) filter (where is_localizer is not true) end)
  from instances where series_id = series.id and rows > 0)`.as('kinds');

/** Returns the series of a study by number. Series without a number come last. */
export const seriesOfStudy = async ({ db }: Scope, studyId: string): Promise<SeriesSummary[]> => {
  const rows = await db
    .selectFrom('series')
    .select(['id', 'series_instance_uid', 'series_number', 'series_description', 'modality'])
    .select(['body_part_examined', 'instance_count'])
    .select(countedContents)
    .select(imageKinds)
    .where('study_id', '=', studyId)
    .orderBy(sql`series_number nulls last, id`)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    seriesInstanceUID: row.series_instance_uid,
    seriesNumber: row.series_number,
    seriesDescription: row.series_description,
    modality: row.modality,
    bodyPartExamined: row.body_part_examined,
    instanceCount: row.instance_count,
    contents: row.contents,
    ...row.kinds,
  }));
};

type Instance = StudyDetails['series'][number]['instances'][number];

const instancesBySeries = async ({ db }: Scope, studyId: string): Promise<Map<string, Instance[]>> => {
  const rows = await db
    .selectFrom('instances')
    .select(['id', 'series_id', 'sop_instance_uid', 'instance_number', 'number_of_frames'])
    .where('study_id', '=', studyId)
    .orderBy(sql`instance_number nulls last, id`)
    .execute();
  const bySeries = Map.groupBy(rows, (row) => row.series_id);
  const toInstance = (row: (typeof rows)[number]): Instance => ({
    id: row.id,
    sopInstanceUID: row.sop_instance_uid,
    instanceNumber: row.instance_number,
    numberOfFrames: row.number_of_frames,
  });
  return new Map([...bySeries].map(([seriesId, instances]) => [seriesId, instances.map(toInstance)]));
};

/** Returns a study with series, instances, and the equipment, dose and order data of its files. */
export const detailsOf = async (scope: Scope, study: StoredStudy): Promise<StudyDetails> => {
  const series = await seriesOfStudy(scope, study.id);
  const instances = await instancesBySeries(scope, study.id);
  const assignees = await assigneesOf(scope, [study.id]);
  const readings = await scope.extensions.studyMarks.readingBy(scope, [study.id]);
  const critical = await scope.extensions.studyMarks.criticalState(scope, [study.id]);
  const identities = await identityMarksOf(scope, [study.id]);
  return {
    ...toStudyRow(study, {
      assignees: assignees.get(study.id),
      readingBy: readings.get(study.id),
      criticalState: critical.get(study.id),
      identity: identities.get(study.id),
    }),
    revision: study.revision,
    chatRefusal: await whyNotInChat(scope, study.id),
    clinicalHistory: study.clinical_history,
    isOnLegalHold: study.is_on_legal_hold,
    orderJoin: await orderJoinOf(scope, study.id),
    series: series.map((one) => ({ ...one, instances: instances.get(one.id) ?? [] })),
    equipment: {
      name: study.equipment_name,
      manufacturer: study.equipment_manufacturer,
      model: study.equipment_model,
      room: { name: study.equipment_room },
    },
    radiation: {
      totalDLP: study.total_dlp,
      ctdiVol: study.ctdi_vol,
      effectiveDose: study.effective_dose,
    },
    order: {
      orderNumber: study.order_number,
      orderingPhysician: { username: displayName(study.ordering_physician_name) },
      procedureCode: study.procedure_code,
      procedureDescription: study.procedure_description,
      scheduledDateTime: localTime(study.scheduled_at),
      performingTechnologist: { username: displayName(study.performing_technologist_name) },
    },
  };
};
