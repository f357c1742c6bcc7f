import { type Elements, writePart10 } from '@radwork/dicom/part10';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { dcm } from '#imaging/study-documents/codes.ts';
import { container, imageItem, templateOf, textItem } from '#imaging/study-documents/content-items.ts';
import {
  type AboutStudy,
  documentElements,
  type DocumentIdentity,
  evidenceOf,
  languageItem,
  observerItems,
} from '#imaging/study-documents/study-document.ts';

export const keyObjectSelectionDocument = '1.2.840.10008.5.1.4.1.1.88.59';
/** This number is greater than the series numbers of scanners, signed reports and measurements. */
const seriesNumber = 9903;

/** A marked frame of an image in the archive. */
export type KeyObject = {
  sopClassUid: string;
  sopInstanceUid: string;
  seriesInstanceUid: string;
  /** Counts from 1. Undefined for an image without frames. */
  frame: number | undefined;
  seriesNumber: number | null;
  instanceNumber: number | null;
  /** Notes of all users who marked the frame. */
  notes: readonly string[];
};

export type KeyObjectSelection = AboutStudy & { objects: readonly KeyObject[]; authors: readonly string[] };

/**
 * Creates a DICOM Key Object Selection Document (PS3.3 §A.35.4, PS3.16 TID 2010) with the title "Of Interest". A single
 * text contains all notes, one per line with their image. Throws a RangeError without images.
 */
export const keyObjectDocument = (selection: KeyObjectSelection, identity: DocumentIdentity): Buffer => {
  const { objects } = selection;
  if (objects.length === 0) throw new RangeError('A key object selection has an image at least');
  const kind = {
    sopClassUid: keyObjectSelectionDocument,
    modality: 'KO',
    seriesNumber,
    seriesDescription: 'Key images',
  };
  const instances = new Map(objects.map((object) => [object.sopInstanceUid, object]));
  return writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: {
      ...documentElements(selection, identity, kind),
      ...evidenceOf(selection, [...instances.values()]),
      ...rootContainer(selection),
    },
  });
};

const rootContainer = ({ objects, authors }: KeyObjectSelection): Elements => {
  const description = descriptionOf(objects);
  const { RelationshipType: _, ...root } = container({
    relationship: 'CONTAINS',
    name: dcm('113000', 'Of Interest'),
    items: [
      languageItem(),
      ...authors.flatMap(observerItems),
      ...(description === ''
        ? []
        : [textItem({ relationship: 'CONTAINS', name: dcm('113012', 'Key Object Description') }, description)]),
      ...objects.map((object) => imageItem({ relationship: 'CONTAINS' }, object)),
    ],
  });
  return { ...root, ContentTemplateSequence: [templateOf('2010')] };
};

const descriptionOf = (objects: readonly KeyObject[]): string =>
  objects.flatMap((object) => object.notes.map((note) => `${placeOf(object)}: ${note}`)).join('\r\n');

/** Returns the position of an image, such as "Series 2, image 57, frame 3". */
const placeOf = ({ seriesNumber: series, instanceNumber: image, frame }: KeyObject): string => {
  const parts = [
    ...(series === null ? [] : [`series ${series}`]),
    ...(image === null ? [] : [`image ${image}`]),
    ...(frame === undefined ? [] : [`frame ${frame}`]),
  ];
  const place = parts.join(', ') || 'image without a number';
  return `${place.charAt(0).toUpperCase()}${place.slice(1)}`;
};
