import { queryOptions } from '@tanstack/react-query';
import { type DicomJson, itemsOf, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { isVideo } from '#reading/viewer/images/header/video-syntax.ts';
import { readHeaders } from './series-headers.ts';

/** Instance without images: a structured report, a video, an encapsulated file, or an object only to be downloaded. */
export type SeriesDocument = {
  sopInstanceUID: string;
  header: DicomJson;
  kind: 'report' | 'file' | 'video' | 'object';
  title: string;
};

/** Returns the coded title of a report or a file (PS3.3 §C.17.3, C.24.2). */
const codedTitle = (header: DicomJson): string => {
  const [name] = itemsOf(header, tag.ConceptNameCodeSequence);
  return name ? textOf(name, tag.CodeMeaning) : '';
};

/**
 * Returns the kind of a document by its content. Never uses the modality of the series, because the modality may name
 * the device.
 */
const kindOf = (header: DicomJson): SeriesDocument['kind'] | undefined => {
  if (isVideo(header)) return 'video';
  if (header[tag.EncapsulatedDocument] ?? header[tag.MIMETypeOfEncapsulatedDocument]) return 'file';
  if (header[tag.ContentSequence] || textOf(header, tag.ValueType) === 'CONTAINER') return 'report';
  const isPicture = (numberOf(header, tag.Rows) ?? 0) > 0;
  return isPicture || textOf(header, tag.SOPInstanceUID) === '' ? undefined : 'object';
};

/** Returns the instances without images: reports and files first, then other objects, each by instance number. */
export const documentsIn = (headers: readonly DicomJson[]): SeriesDocument[] =>
  headers
    .toSorted(
      (one, other) =>
        Number(kindOf(one) === 'object') - Number(kindOf(other) === 'object') ||
        (numberOf(one, tag.InstanceNumber) ?? 0) - (numberOf(other, tag.InstanceNumber) ?? 0),
    )
    .flatMap((header) => {
      const kind = kindOf(header);
      const title = textOf(header, tag.DocumentTitle) || codedTitle(header) || textOf(header, tag.SeriesDescription);
      return kind ? [{ sopInstanceUID: textOf(header, tag.SOPInstanceUID), header, kind, title }] : [];
    });

/** Query for the documents of a series. A series with images may have documents, too. */
export const seriesDocuments = (studyUid: string, seriesUid: string) =>
  queryOptions({
    queryKey: ['viewer', 'documents', studyUid, seriesUid],
    queryFn: async ({ signal }) => documentsIn(await readHeaders(studyUid, seriesUid, signal)),
    staleTime: 60_000,
  });
