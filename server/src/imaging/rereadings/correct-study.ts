import { isAcquisition } from '@radwork/contract/core/modalities';
import { hasTime } from '@radwork/dicom/dicom-date';
import { sql, type Updateable } from 'kysely';
import type { Series, Studies } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { noStudyDate, type SeriesAttributes, type StudyAttributes } from '#imaging/archive/header/study-attributes.ts';
import { addsTime, type Difference, differenceOf, isCutAtBackslash, replacesMidnight } from './compare-headers.ts';
import type { Corrected, Readings } from './readings.ts';

const seriesTexts = {
  series_description: 'SeriesDescription',
  body_part_examined: 'BodyPartExamined',
} as const satisfies Partial<Record<keyof SeriesAttributes, string>>;

/** Corrects a series. No user edits its columns, so a value is corrected where it is what the earlier reader gave. */
export const correctSeries = async (
  { db }: Scope,
  { file, earlier: { series: earlier }, now: { series: now }, isRenderable }: Readings,
): Promise<Corrected> => {
  const stored = await db
    .selectFrom('series')
    .selectAll()
    .where('id', '=', file.series_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const changed: Difference[] = [];
  const set: Updateable<Series> = {};
  if (stored.series_number === null && stored.long_series_number === '') {
    if (now.series_number !== null) set.series_number = now.series_number;
    if (now.long_series_number !== '') set.long_series_number = now.long_series_number;
    const number = now.series_number ?? now.long_series_number;
    if (number !== '') changed.push(differenceOf('SeriesNumber', '', number));
  }
  const isReadOtherwise = stored.modality === earlier.modality && earlier.modality !== now.modality;
  const isLedByImage = isRenderable && isAcquisition(now.modality) && !isAcquisition(stored.modality);
  if ((isReadOtherwise || isLedByImage) && now.modality !== stored.modality) {
    set.modality = now.modality;
    changed.push(differenceOf('Modality', stored.modality, now.modality));
  }
  const { performed_at } = now;
  const hasNewStart = stored.performed_at === null && performed_at !== null;
  if (hasNewStart || addsTime(stored.performed_at ?? '', stored.is_performed_time_known, performed_at)) {
    Object.assign(set, { performed_at, is_performed_time_known: now.is_performed_time_known });
    changed.push(
      differenceOf(
        'PerformedProcedureStepStartTime',
        moment(stored.performed_at, stored.is_performed_time_known),
        performed_at,
      ),
    );
  }
  for (const column of ['series_description', 'body_part_examined'] as const) {
    const isCut = column === 'series_description' && isCutAtBackslash(stored[column], now[column]);
    if (!isCut && (earlier[column] === now[column] || stored[column] !== earlier[column])) continue;
    set[column] = now[column];
    changed.push(differenceOf(seriesTexts[column], stored[column], now[column]));
  }
  if (Object.keys(set).length > 0) await db.updateTable('series').set(set).where('id', '=', file.series_id).execute();
  return { changed, left: [] };
};

/** Texts of a study from its files, with their keywords. Users edit some of them. */
const studyTexts = {
  timezone_offset: 'TimezoneOffsetFromUTC',
  scanner_study_id: 'StudyID',
  accession_number: 'AccessionNumber',
  study_description: 'StudyDescription',
  referring_physician_name: 'ReferringPhysicianName',
  referring_physician_phone: 'ReferringPhysicianTelephoneNumbers',
  institution_name: 'InstitutionName',
  equipment_name: 'StationName',
  equipment_manufacturer: 'Manufacturer',
  equipment_model: 'ManufacturerModelName',
  equipment_room: 'PerformedLocation',
  order_number: 'PlacerOrderNumberImagingServiceRequest',
  ordering_physician_name: 'RequestingPhysician',
  procedure_code: 'CodeValue',
  procedure_description: 'RequestedProcedureDescription',
  performing_technologist_name: 'OperatorsName',
} as const satisfies Partial<Record<keyof StudyAttributes, string>>;

type TextColumn = keyof typeof studyTexts;

const textColumns = Object.keys(studyTexts) as TextColumn[];

/** Texts that may contain backslashes. Earlier readers stored the text before the first one. */
const descriptions: readonly TextColumn[] = ['study_description', 'procedure_description'];

/**
 * Corrects a study. A text is corrected only if it is exactly what the earlier reader gave, because users edit texts. A
 * description is also corrected if it ends at a backslash of the file.
 * The time is corrected only if it was unknown and the day is the same. The scheduled time is corrected only if it was
 * missing, or midnight of the same day. If a user registered the study, its times are only listed.
 */
export const correctStudy = async (
  scope: Scope,
  { file, earlier: { study: earlier }, now: { study: now, series } }: Readings,
): Promise<Corrected> => {
  const { db } = scope;
  const id = file.study_id;
  const stored = await db.selectFrom('studies').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  const changed: Difference[] = [];
  const left: Difference[] = [];
  const set: Updateable<Studies> = {};

  if (!stored.modalities.includes(series.modality)) {
    const modalities = [...stored.modalities, series.modality];
    set.modalities = modalities;
    changed.push(differenceOf('ModalitiesInStudy', stored.modalities.join('\\'), modalities.join('\\')));
  }
  for (const column of textColumns) {
    const isCut = descriptions.includes(column) && isCutAtBackslash(stored[column], now[column]);
    if (!isCut && (earlier[column] === now[column] || stored[column] === now[column])) continue;
    const difference = differenceOf(studyTexts[column], stored[column], now[column]);
    const isEntered = isCut ? await isEnteredByUser(scope, id, column) : stored[column] !== earlier[column];
    if (isEntered) left.push(difference);
    else {
      set[column] = now[column];
      changed.push(difference);
    }
  }
  const { study_date } = now;
  if (study_date !== null && mayDescribeStudy(stored.modalities, series.modality)) {
    const hasNoDate = stored.is_date_presumed || stored.study_date === noStudyDate;
    const timeIsNew = addsTime(stored.study_date, stored.is_study_time_known, study_date);
    if (hasNoDate || timeIsNew) {
      const before = hasNoDate ? '' : moment(stored.study_date, stored.is_study_time_known);
      const difference = differenceOf(hasNoDate ? 'StudyDate' : 'StudyTime', before, study_date);
      if (!hasNoDate && (await isRegisteredByUser(scope, id))) left.push(difference);
      else {
        Object.assign(set, { study_date, is_study_time_known: hasTime(study_date), is_date_presumed: false });
        changed.push(difference);
      }
    }
  }
  const { scheduled_at } = now;
  if (scheduled_at !== null && (!stored.scheduled_at || replacesMidnight(stored.scheduled_at, scheduled_at))) {
    const keyword = stored.scheduled_at ? 'ScheduledProcedureStepStartTime' : 'ScheduledProcedureStepStartDate';
    const difference = differenceOf(keyword, stored.scheduled_at, scheduled_at);
    if (await isEnteredByUser(scope, id, 'scheduled_at')) left.push(difference);
    else {
      set.scheduled_at = scheduled_at;
      changed.push(difference);
    }
  }
  if (Object.keys(set).length > 0) {
    await db
      .updateTable('studies')
      .set({ ...set, updated_at: sql<string>`now()` })
      .where('id', '=', id)
      .execute();
  }
  return { changed, left };
};

/** Returns a time for the list; the day alone if the time is unknown. */
const moment = (stored: string | null, isTimeKnown: boolean): string =>
  isTimeKnown ? (stored ?? '') : (stored ?? '').slice(0, 10);

/** A user who registers a study may enter its date and time. */
const isRegisteredByUser = async ({ db }: Scope, studyId: string): Promise<boolean> => {
  const entry = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('study_id', '=', studyId)
    .where('action', '=', 'study.create')
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
};

/** A user may enter or remove a value when the study is registered, and later. No user edits the study description. */
const isEnteredByUser = async ({ db }: Scope, studyId: string, column: keyof StudyAttributes): Promise<boolean> => {
  if (column === 'study_description') return false;
  const entry = await db
    .selectFrom('audit_entries')
    .select('id')
    .where('study_id', '=', studyId)
    .where(
      sql<boolean>`(action = 'study.create' or action = 'study.update' and detail->>'fields' like ${`%${column}%`})`,
    )
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
};

/** True when the study has only reports and documents, or the file itself is an acquisition. */
const mayDescribeStudy = (modalities: readonly string[], modality: string): boolean =>
  isAcquisition(modality) || !modalities.some(isAcquisition);
