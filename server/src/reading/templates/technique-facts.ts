import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { isOfShownImage, toMeasurement } from '#reading/measurements/measurement-rows.ts';
import { mostMeasurements } from '@radwork/contract/reading/measurements';
import { summaryOf } from '@radwork/contract/reading/measurement-text';
import { gunzip } from '#core/resources/gzip.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';

/** Number of series whose headers are read, and whose descriptions are listed. */
const mostSeries = 20;

/** Kinds of series that are not acquisitions: documents, states, segmentations and plans. */
const derivedModalities = ['SR', 'KO', 'PR', 'SEG', 'DOC', 'RTSTRUCT', 'RTPLAN', 'RTDOSE', 'REG', 'RWV'];

/** Returns the series of a study in the order of acquisition. */
const seriesOf = ({ db }: Scope, studyId: string) =>
  db
    .selectFrom('series')
    .select(['id', 'series_description'])
    .where('study_id', '=', studyId)
    .where('modality', 'not in', derivedModalities)
    .orderBy('series_number')
    .orderBy('id')
    .limit(mostSeries)
    .execute();

/** Returns the contrast agent, dose and series of a study, as its headers state them. Null for unknown facts. */
export const techniqueOf = async (scope: Scope, study: StoredStudy) => {
  const series = await seriesOf(scope, study.id);
  const described = [...new Set(series.map(({ series_description }) => series_description.trim()).filter(Boolean))];
  return {
    'technique.contrast': await contrastOf(
      scope,
      series.map(({ id }) => id),
    ),
    'technique.dose': doseOf(study),
    'technique.sequences': described.length === 0 ? null : described.join('; '),
  };
};

const doseOf = ({ ctdi_vol, total_dlp }: Pick<StoredStudy, 'ctdi_vol' | 'total_dlp'>): string | null => {
  const parts = [
    ...(ctdi_vol === null ? [] : [`CTDIvol ${ctdi_vol} mGy`]),
    ...(total_dlp === null ? [] : [`DLP ${total_dlp} mGy·cm`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
};

/** Values that scanners write when no agent was given. */
const noAgent = /^(?:no|none|n\/?a|-|0)$/i;

/** Returns agent, volume and route of the contrast (PS3.3 C.7.6.4) of the first series that names an agent. */
const contrastOf = async ({ db }: Scope, seriesIds: readonly string[]): Promise<string | null> => {
  for (const id of seriesIds) {
    const first = await db
      .selectFrom('instances')
      .select('metadata')
      .where('series_id', '=', id)
      .orderBy('instance_number')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!first) continue;
    const header: DicomJson = JSON.parse((await gunzip(first.metadata)).toString());
    const agent = (textOf(header, 'ContrastBolusAgent') ?? '').trim();
    if (agent === '' || noAgent.test(agent)) continue;
    const volume = (textOf(header, 'ContrastBolusVolume') ?? '').trim();
    const route = (textOf(header, 'ContrastBolusRoute') ?? '').trim().toLowerCase();
    return [agent, [volume && `${volume} ml`, route].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  }
  return null;
};

/** Returns the measurements of a study in one line: "Nodule 12.3 mm × 8 mm; 41 HU". Null if there are none. */
export const measuredOf = async (scope: Scope, studyId: string): Promise<string | null> => {
  const rows = await scope.db
    .selectFrom('measurements')
    .selectAll()
    .where('study_id', '=', studyId)
    .where('removed_at', 'is', null)
    .where(isOfShownImage)
    .orderBy('created_at')
    .orderBy('id')
    .limit(mostMeasurements)
    .execute();
  const words = rows
    .map((row) => toMeasurement(scope, row))
    .map(({ label, values }) => [label.trim(), summaryOf(values)].filter(Boolean).join(' '))
    .filter((text) => text !== '');
  return words.length === 0 ? null : words.join('; ');
};
