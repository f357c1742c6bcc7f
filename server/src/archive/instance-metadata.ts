import type { DicomElement, DicomJson } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import type { Header } from '@radwork/dicom/header';
import { pixelGeometry } from '@radwork/dicom/pixel-geometry';
import { text } from './column-values.ts';
import { isServedAsRgb } from './served-frames.ts';

/** Where the archive is for our own viewer; /dicom-web is the same place for other software. */
export const wadoPrefix = '/api/wado-rs';

export const instancePath = (uids: Pick<Header, 'studyInstanceUID' | 'seriesInstanceUID' | 'sopInstanceUID'>): string =>
  `/studies/${uids.studyInstanceUID}/series/${uids.seriesInstanceUID}/instances/${uids.sopInstanceUID}`;

/**
 * The metadata of an instance as WADO-RS answers it (PS3.18 §10.4.1.1.2), as text: the header as DICOM JSON, the
 * transfer syntax that the archive has it in, and bulk data by the path it can be had from. Where frames are served in
 * other colours than the file has, the metadata says what is served (docs/decisions: frames and metadata).
 */
export const metadataJson = (header: Header): string => {
  const hasBulk = header.bulk.length > 0;
  const dataset = hasBulk ? withBulkPaths(header.dataset, `${wadoPrefix}${instancePath(header)}/`) : header.dataset;
  const served = servedElements(header);
  const added = Object.keys(served).filter((tag) => !dataset[tag]);
  return jsonOf([...Object.keys(dataset), ...added], (tag) => served[tag] ?? dataset[tag]);
};

const namedInterpretation = ({ dataset }: Header): string => text(dataset, 'PhotometricInterpretation');

/** The photometric interpretation that the stored pixels have, whatever the file says (pixelGeometry). */
export const storedInterpretation = (header: Header): string => {
  const geometry = pixelGeometry(header.dataset, header.pixelData?.length);
  const isFullColour = geometry.problem === undefined && geometry.interpretation === 'YBR_FULL';
  return isFullColour ? geometry.interpretation : namedInterpretation(header);
};

/** What is said of the instance as it is served, whatever its file says. */
const servedElements = (header: Header): DicomJson => {
  const stored = storedInterpretation(header);
  const isRgb = isServedAsRgb({ transferSyntaxUid: header.transferSyntaxUID, photometricInterpretation: stored });
  const served = isRgb ? 'RGB' : stored;
  return {
    [tagOf('AvailableTransferSyntaxUID')]: { vr: 'UI', Value: [header.transferSyntaxUID] },
    ...(served !== namedInterpretation(header) && {
      [tagOf('PhotometricInterpretation')]: { vr: 'CS', Value: [served] },
    }),
    ...(isRgb && { [tagOf('PlanarConfiguration')]: { vr: 'US', Value: [0] } }),
  };
};

const withBulkPaths = (dataset: DicomJson, prefix: string): DicomJson =>
  Object.fromEntries(Object.entries(dataset).map(([tag, element]) => [tag, withBulkPath(element, prefix)]));

const withBulkPath = (element: DicomElement, prefix: string): DicomElement => {
  if (element.BulkDataURI) return { ...element, BulkDataURI: `${prefix}${element.BulkDataURI}` };
  if (element.vr !== 'SQ' || !element.Value) return element;
  return { ...element, Value: element.Value.map((item) => (isItem(item) ? withBulkPaths(item, prefix) : item)) };
};

/** Whether a value is an item of a sequence, where it is a value of one. */
export const isItem = (value: unknown): value is DicomJson => typeof value === 'object' && value !== null;

/**
 * DICOM JSON as text, with the elements in the order of their tags as PS3.18 §F.2.2 has them. JSON.stringify would put
 * those first that look like the index of an array, such as 54000100.
 */
export const orderedJson = (dataset: DicomJson): string => jsonOf(Object.keys(dataset), (tag) => dataset[tag]);

const jsonOf = (tags: string[], elementOf: (tag: string) => DicomElement | undefined): string => {
  let json = '';
  for (const tag of tags.toSorted()) {
    const element = elementOf(tag);
    if (element) json += `${json && ','}"${tag}":${elementJson(element)}`;
  }
  return `{${json}}`;
};

const elementJson = (element: DicomElement): string => {
  if (element.vr !== 'SQ' || !element.Value) return JSON.stringify(element);
  return `{"vr":"SQ","Value":[${element.Value.map((item) => (isItem(item) ? orderedJson(item) : 'null')).join(',')}]}`;
};
