import { queryOptions } from '@tanstack/react-query';
import { type DicomJson, itemsOf, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { readHeaders } from './series-headers.ts';

/** Instance that is a document instead of an image: a structured report, or an encapsulated file. */
export type SeriesDocument = {
  sopInstanceUID: string;
  header: DicomJson;
  kind: 'report' | 'file';
  title: string;
};

/** Returns the coded title of a report or a file (PS3.3 §C.17.3, C.24.2). */
const codedTitle = (header: DicomJson): string => {
  const [name] = itemsOf(header, tag.ConceptNameCodeSequence);
  return name ? textOf(name, tag.CodeMeaning) : '';
};

const kindOf = (header: DicomJson): SeriesDocument['kind'] | undefined => {
  if (header[tag.EncapsulatedDocument] ?? header[tag.MIMETypeOfEncapsulatedDocument]) return 'file';
  return header[tag.ContentSequence] || textOf(header, tag.ValueType) === 'CONTAINER' ? 'report' : undefined;
};

/** Returns the documents among instances, sorted by instance number. */
export const documentsIn = (headers: readonly DicomJson[]): SeriesDocument[] =>
  headers
    .toSorted((one, other) => (numberOf(one, tag.InstanceNumber) ?? 0) - (numberOf(other, tag.InstanceNumber) ?? 0))
    .flatMap((header) => {
      const kind = kindOf(header);
      const title = textOf(header, tag.DocumentTitle) || codedTitle(header) || textOf(header, tag.SeriesDescription);
      return kind ? [{ sopInstanceUID: textOf(header, tag.SOPInstanceUID), header, kind, title }] : [];
    });

/** Returns the documents of a series. Empty for a series of images. */
export const seriesDocuments = (studyUid: string, seriesUid: string) =>
  queryOptions({
    queryKey: ['viewer', 'documents', studyUid, seriesUid],
    queryFn: async ({ signal }) => documentsIn(await readHeaders(studyUid, seriesUid, signal)),
    staleTime: 60_000,
  });
