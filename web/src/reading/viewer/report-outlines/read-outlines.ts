import { contentTree, measureText } from '@radwork/dicom/content-tree';
import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { ImageReferences } from '#reading/viewer/presentation-states/image-references.ts';
import { mergedImages } from '#reading/viewer/presentation-states/read-references.ts';

export type OutlineType = 'POINT' | 'MULTIPOINT' | 'POLYLINE' | 'POLYGON' | 'CIRCLE' | 'ELLIPSE';

/** Outline of a structured report with its words: "Nodule 1", "Long Axis: 20 mm". */
export type ReportOutline = { type: OutlineType; words: readonly string[] } & (
  | { images: ImageReferences; points: readonly { x: number; y: number }[] }
  | { frameOfReference: string; places: readonly Vector[] }
);

/** Outlines of a report, and the number of those that cannot be drawn. */
export type ReportOutlines = { outlines: readonly ReportOutline[]; unread: number };

const types: readonly OutlineType[] = ['POINT', 'MULTIPOINT', 'POLYLINE', 'POLYGON', 'CIRCLE', 'ELLIPSE'];
const fewest: Record<OutlineType, number> = { POINT: 1, MULTIPOINT: 1, POLYLINE: 2, POLYGON: 3, CIRCLE: 2, ELLIPSE: 4 };

/** Limits against hostile reports. No report made by hand or by a detector comes near them. */
const [mostOutlines, mostDepth, mostNumbers] = [2000, 64, 60_000];

const numbersOf = (item: DicomJson, keyword: string): number[] =>
  valuesOf(item, keyword).slice(0, mostNumbers).map(Number);

const valueType = (item: DicomJson): string => textOf(item, 'ValueType')?.trim() ?? '';

/** Follows a reference by position in the tree: [1, 2, 3] is the third child of the second child of the root. */
const itemAt = (root: DicomJson, [, ...positions]: readonly number[]): DicomJson | undefined =>
  positions
    .slice(0, mostDepth)
    .reduce<DicomJson | undefined>((item, at) => item && itemsOf(item, 'ContentSequence')[at - 1], root);

/** Returns an item, or the item to which it refers by its position (PS3.3 §C.17.3, Referenced Content Item Identifier). */
const resolved = (root: DicomJson, item: DicomJson): DicomJson => {
  const positions = numbersOf(item, 'ReferencedContentItemIdentifier');
  return (positions.length > 0 ? itemAt(root, positions) : undefined) ?? item;
};

/** Returns the images from which the points of an outline were selected (PS3.3 §C.18.6). */
const imagesOf = (root: DicomJson, outline: DicomJson): ImageReferences | undefined => {
  const references = itemsOf(outline, 'ContentSequence')
    .map((child) => resolved(root, child))
    .filter((child) => valueType(child) === 'IMAGE')
    .flatMap((image) => itemsOf(image, 'ReferencedSOPSequence'))
    .map(
      (one) =>
        [
          textOf(one, 'ReferencedSOPInstanceUID') ?? '',
          numbersOf(one, 'ReferencedFrameNumber').filter(Number.isFinite),
        ] as const,
    );
  return references.length > 0 ? mergedImages([references]) : undefined;
};

/** Returns an item as text: "Long Axis: 20 mm". Empty for an item without a value. */
const wordsOf = (item: DicomJson): string => {
  const { name, value, measure } = contentTree(item, { depth: 0, items: 0 });
  const text = measure ? measureText(measure, measure.unit) : value;
  return [name, text].filter((part) => part !== '').join(': ');
};

/** Tracking Identifier (PS3.16, DCM 112039), which names a finding. */
const isTracking = (item: DicomJson): boolean => {
  const [name = {}] = itemsOf(item, 'ConceptNameCodeSequence');
  return textOf(name, 'CodeValue') === '112039';
};

/** Most lines of text at one outline. Further lines are in the report. */
const mostLines = 6;
const inWords = new Set(['NUM', 'CODE', 'TEXT']);

/**
 * Returns the words of an outline: the name of its finding, then the item that was inferred from it. An outline that
 * stands in a group of measurements (TID 1410, 1411) has the measurements of the group.
 */
const wordsAt = (ancestors: readonly DicomJson[]): string[] => {
  const [parent = {}] = ancestors;
  const group = ancestors.find((ancestor) => valueType(ancestor) === 'CONTAINER') ?? {};
  const inGroup = itemsOf(group, 'ContentSequence');
  const name = inGroup.filter(isTracking).map((item) => textOf(item, 'TextValue') ?? '');
  const isInGroup = valueType(parent) === 'CONTAINER';
  const itemTexts = isInGroup
    ? inGroup.filter((item) => inWords.has(valueType(item)) && !isTracking(item)).map(wordsOf)
    : [wordsOf(parent)];
  return [...name, ...itemTexts].filter((words) => words !== '').slice(0, mostLines);
};

const outlineOf = (root: DicomJson, item: DicomJson, ancestors: readonly DicomJson[]): ReportOutline | undefined => {
  const type = types.find((one) => one === textOf(item, 'GraphicType')?.trim());
  const numbers = numbersOf(item, 'GraphicData');
  const isInSpace = valueType(item) === 'SCOORD3D';
  const count = Math.floor(numbers.length / (isInSpace ? 3 : 2));
  if (!type || count < fewest[type] || !numbers.every(Number.isFinite)) return undefined;
  const at = (index: number) => numbers[index] ?? 0;
  const words = wordsAt(ancestors);
  if (isInSpace) {
    const places = Array.from({ length: count }, (_, index): Vector => [
      at(3 * index),
      at(3 * index + 1),
      at(3 * index + 2),
    ]);
    const frameOfReference = textOf(item, 'ReferencedFrameOfReferenceUID') ?? '';
    return frameOfReference === '' || type === 'CIRCLE' ? undefined : { type, words, frameOfReference, places };
  }
  const images = imagesOf(root, item);
  // Points of a whole slide count from the corner of all its tiles, not from that of the frame (PS3.3 §C.18.6.1.1).
  if (!images || textOf(item, 'PixelOriginInterpretation') === 'VOLUME') return undefined;
  const points = Array.from({ length: count }, (_, index) => ({ x: at(2 * index), y: at(2 * index + 1) }));
  return { type, words, images, points };
};

/** Reads the spatial coordinates of a structured report, of any template (PS3.3 §C.18.6, §C.18.9). */
export const outlinesOf = (report: DicomJson): ReportOutlines => {
  const outlines: ReportOutline[] = [];
  let unread = 0;
  const visit = (item: DicomJson, ancestors: readonly DicomJson[]) => {
    if (outlines.length + unread >= mostOutlines || ancestors.length > mostDepth) return;
    if (['SCOORD', 'SCOORD3D'].includes(valueType(item))) {
      const outline = outlineOf(report, item, ancestors);
      if (outline) outlines.push(outline);
      else unread += 1;
    }
    for (const child of itemsOf(item, 'ContentSequence')) {
      const isReference = numbersOf(child, 'ReferencedContentItemIdentifier').length > 0;
      const referred = isReference ? resolved(report, child) : child;
      // A measurement may be inferred from an outline elsewhere in the report.
      if (!isReference) visit(child, [item, ...ancestors]);
      else if (['SCOORD', 'SCOORD3D'].includes(valueType(referred))) {
        const outline = outlineOf(report, referred, [item, ...ancestors]);
        if (outline) outlines.push(outline);
      }
    }
  };
  visit(report, []);
  return { outlines, unread };
};
