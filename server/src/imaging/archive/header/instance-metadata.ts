import { type DicomElement, type DicomJson, itemsOf } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import type { Header } from '@radwork/dicom/header';
import { declaredFrames, pixelGeometry } from '@radwork/dicom/pixel-geometry';
import { text } from './column-values.ts';
import { isServedAsRgb } from '#imaging/archive/retrieve/served-frames.ts';

/** Path of the archive for our viewer. Other software uses the same service at /dicom-web. */
export const wadoPrefix = '/api/wado-rs';

export const instancePath = (uids: Pick<Header, 'studyInstanceUID' | 'seriesInstanceUID' | 'sopInstanceUID'>): string =>
  `/studies/${uids.studyInstanceUID}/series/${uids.seriesInstanceUID}/instances/${uids.sopInstanceUID}`;

/**
 * Returns the metadata of an instance for WADO-RS (PS3.18 §10.4.1.1.2) as text: the header as DICOM JSON, the stored
 * transfer syntax, and bulk data by path. If the served frames have other colors than those in the file, the metadata
 * describes the served frames (docs/decisions/0006). If `frames`, the number of frames that were found, differs from
 * the number in the file, the metadata contains `frames`.
 */
export const metadataJson = (header: Header, frames = 0): string => {
  const hasBulk = header.bulk.length > 0;
  const dataset = hasBulk ? withBulkPaths(header.dataset, `${wadoPrefix}${instancePath(header)}/`) : header.dataset;
  const served = { ...servedElements(header), ...correctedFrames(header, frames) };
  const added = Object.keys(served).filter((tag) => !dataset[tag]);
  return jsonOf([...Object.keys(dataset), ...added], (tag) => served[tag] ?? dataset[tag]);
};

const namedInterpretation = ({ dataset }: Header): string => text(dataset, 'PhotometricInterpretation');

/**
 * Returns the photometric interpretation of the stored pixels, even if the header names another interpretation
 * (pixelGeometry).
 */
export const storedInterpretation = (header: Header): string => {
  const geometry = pixelGeometry(header.dataset, header.pixelData?.length);
  const isFullColor = geometry.problem === undefined && geometry.interpretation === 'YBR_FULL';
  return isFullColor ? geometry.interpretation : namedInterpretation(header);
};

/** Elements that describe the served instance. These elements replace those of the file. */
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

/**
 * Returns the elements for the actual number of frames. They keep the wrong number of the file as an original attribute
 * (PS3.3 §C.12.1.1.9).
 */
const correctedFrames = ({ dataset }: Header, frames: number): DicomJson => {
  const tag = tagOf('NumberOfFrames');
  const declared = dataset[tag];
  if (frames === 0 || frames === (declared ? declaredFrames(dataset) : 1)) return {};
  const original = {
    [tagOf('ModifiedAttributesSequence')]: { vr: 'SQ', Value: [{ [tag]: declared ?? { vr: 'IS' } }] },
    [tagOf('ModifyingSystem')]: { vr: 'LO', Value: ['Radwork'] },
    [tagOf('ReasonForTheAttributeModification')]: { vr: 'CS', Value: ['CORRECT'] },
  };
  return {
    [tag]: { vr: 'IS', Value: [frames] },
    [tagOf('OriginalAttributesSequence')]: {
      vr: 'SQ',
      Value: [...itemsOf(dataset, 'OriginalAttributesSequence'), original],
    },
  };
};

const withBulkPaths = (dataset: DicomJson, prefix: string): DicomJson =>
  Object.fromEntries(Object.entries(dataset).map(([tag, element]) => [tag, withBulkPath(element, prefix)]));

const withBulkPath = (element: DicomElement, prefix: string): DicomElement => {
  if (element.BulkDataURI) return { ...element, BulkDataURI: `${prefix}${element.BulkDataURI}` };
  if (element.vr !== 'SQ' || !element.Value) return element;
  return { ...element, Value: element.Value.map((item) => (isItem(item) ? withBulkPaths(item, prefix) : item)) };
};

/** Returns whether a value of a sequence is an item. */
export const isItem = (value: unknown): value is DicomJson => typeof value === 'object' && value !== null;

/**
 * Returns DICOM JSON with its elements in tag order (PS3.18 §F.2.2). JSON.stringify would put keys that look like array
 * indexes first, such as 54000100.
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
