import { t } from '../core/translate.ts';
import { z } from 'zod';
import { stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { mostSelected, studySearch } from './studies.ts';

/** Columns of the exported list, by the ids of the columns of the screen. */
export const exportedColumns = [
  'patientName',
  'patientId',
  'studyDate',
  'accessionNumber',
  'modality',
  'status',
  'assignees',
  'dueDate',
  'seriesCount',
  'description',
  'referringPhysicianName',
  'priority',
] as const;
export type ExportedColumn = (typeof exportedColumns)[number];

/** Limit of an export. A line at the end says that studies are missing. */
export const mostExportedStudies = 10_000;

/** Form of an export: the studies that a search finds, in its order, or selected studies in their order. */
export const studyExportForm = z.object({
  search: studySearch.default(() => studySearch.parse({})),
  studyIds: z
    .array(z.uuid({ error: () => t`Choose a study` }))
    .max(mostSelected, { error: () => t`Choose at most ${mostSelected} studies` })
    .optional(),
  columns: z.array(z.enum(exportedColumns)).min(1, { error: () => t`Choose at least one column` }),
});
export type StudyExportForm = z.input<typeof studyExportForm>;

/** Exports a study list as CSV, with formulas escaped. The body is a `studyExportForm` as JSON. */
export const studyExport = stream('POST', '/api/studies/export', 'study.export', 'study.exportList');

export const noun = {
  streams: [studyExport],
  actions: { Study: { 'study.exportList': 'Exported list of studies' } },
} as const satisfies Noun;
