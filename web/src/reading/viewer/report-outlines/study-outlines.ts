import type { DicomJson } from '@radwork/dicom/dataset';
import { textOf } from '@radwork/dicom/dataset';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQueries } from '@tanstack/react-query';
import { seriesDocuments } from '#reading/viewer/images/series/series-documents.ts';
import { outlinesOf, type ReportOutlines } from './read-outlines.ts';

/** Outlines of one report of a study. */
export type OutlinedReport = ReportOutlines & {
  sopInstanceUID: string;
  title: string;
  /** Whether this program made the report. Its outlines are measurements, which the viewer draws as such. */
  isOwn: boolean;
};

/** Maximum number of report series to read. They are read for each study that opens. */
const mostSeries = 20;

const mayHaveReports = ({ modality, contents }: SeriesSummary): boolean =>
  modality === 'SR' || (contents !== undefined && contents.documents > 0 && modality !== 'DOC' && modality !== 'KO');

export const reportSeriesOf = ({ series }: StudyDetails): SeriesSummary[] =>
  series.filter(mayHaveReports).slice(0, mostSeries);

const known = new WeakMap<object, OutlinedReport>();

/** Reads a report once, because reading takes long for thousands of outlines. */
const read = (header: object, sopInstanceUID: string, title: string): OutlinedReport => {
  const report = known.get(header);
  if (report) return report;
  const dataset = header as DicomJson;
  const outlines = {
    ...outlinesOf(dataset),
    sopInstanceUID,
    title,
    isOwn: textOf(dataset, 'Manufacturer') === 'Radwork',
  };
  known.set(header, outlines);
  return outlines;
};

/** Returns the reports of a study that have outlines, as far as they have loaded. */
export const useOutlinedReports = (study: StudyDetails): readonly OutlinedReport[] =>
  useQueries({
    queries: reportSeriesOf(study).map(({ seriesInstanceUID }) =>
      seriesDocuments(study.studyInstanceUID, seriesInstanceUID),
    ),
  })
    .flatMap(({ data = [] }) => data)
    .filter(({ kind }) => kind === 'report')
    .map(({ header, sopInstanceUID, title }) => read(header, sopInstanceUID, title))
    .filter(({ outlines, unread }) => outlines.length + unread > 0);
