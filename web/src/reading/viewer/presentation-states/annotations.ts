import { type Color, colorOfLab } from '@radwork/dicom/cielab';
import { type DicomJson, itemsOf, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import type { ForImages } from './image-references.ts';
import { imagesOf } from './read-references.ts';

/** Point of an annotation: in image pixels, or as a fraction of the displayed area (PS3.3 §C.10.5.1.1). */
export type AnnotationPoint = { x: number; y: number; units: 'PIXEL' | 'DISPLAY' };

export type GraphicType = 'POINT' | 'POLYLINE' | 'INTERPOLATED' | 'CIRCLE' | 'ELLIPSE';

/** Line or shape. The meaning of its points depends on its type (PS3.3 §C.10.5.1.2). */
export type Graphic = {
  kind: 'graphic';
  type: GraphicType;
  points: readonly AnnotationPoint[];
  isFilled: boolean;
  /** Color that the state recommends. */
  color?: Color | undefined;
};

export type TextObject = {
  kind: 'words';
  text: string;
  box: readonly [AnnotationPoint, AnnotationPoint] | undefined;
  justification: 'left' | 'center' | 'right';
  anchor: AnnotationPoint | undefined;
  /** Whether a line connects the text to its anchor point. */
  hasLine: boolean;
  /** Color that the state recommends. */
  color?: Color | undefined;
};

export type Annotation = Graphic | TextObject;

const graphicTypes: readonly GraphicType[] = ['POINT', 'POLYLINE', 'INTERPOLATED', 'CIRCLE', 'ELLIPSE'];

/** Limit of points per graphic. No manual drawing has more. */
const mostPoints = 20_000;

const unitsOf = (item: DicomJson, keyword: string): AnnotationPoint['units'] | undefined =>
  (['PIXEL', 'DISPLAY'] as const).find((units) => units === textOf(item, keyword));

const pointsOf = (item: DicomJson, keyword: string, units: AnnotationPoint['units']): AnnotationPoint[] => {
  const numbers = valuesOf(item, keyword)
    .slice(0, 2 * mostPoints)
    .map(Number);
  if (!numbers.every(Number.isFinite)) return [];
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => ({
    x: numbers[2 * at] ?? 0,
    y: numbers[2 * at + 1] ?? 0,
    units,
  }));
};

const fewest: Record<GraphicType, number> = { POINT: 1, POLYLINE: 2, INTERPOLATED: 2, CIRCLE: 2, ELLIPSE: 4 };

const labOf = (item: DicomJson | undefined, keyword: string): Color | undefined =>
  item && colorOfLab(valuesOf(item, keyword).map(Number).filter(Number.isFinite));

const graphicOf = (item: DicomJson, layerColor: Color | undefined): Graphic | undefined => {
  const type = graphicTypes.find((graphicType) => graphicType === textOf(item, 'GraphicType'));
  const units = unitsOf(item, 'GraphicAnnotationUnits');
  if (!type || !units) return undefined;
  const points = pointsOf(item, 'GraphicData', units);
  if (points.length < fewest[type]) return undefined;
  // The style of an object precedes that of its layer (PS3.3 §C.10.5.1).
  const color = labOf(itemsOf(item, 'LineStyleSequence')[0], 'PatternOnColorCIELabValue') ?? layerColor;
  return { kind: 'graphic', type, points, isFilled: textOf(item, 'GraphicFilled') === 'Y', color };
};

const justifications = { LEFT: 'left', CENTER: 'center', RIGHT: 'right' } as const;

const wordsOf = (item: DicomJson, layerColor: Color | undefined): TextObject | undefined => {
  const text = textOf(item, 'UnformattedTextValue') ?? '';
  const boxUnits = unitsOf(item, 'BoundingBoxAnnotationUnits');
  const anchorUnits = unitsOf(item, 'AnchorPointAnnotationUnits');
  const [first] = boxUnits ? pointsOf(item, 'BoundingBoxTopLeftHandCorner', boxUnits) : [];
  const [last] = boxUnits ? pointsOf(item, 'BoundingBoxBottomRightHandCorner', boxUnits) : [];
  const [anchor] = anchorUnits ? pointsOf(item, 'AnchorPoint', anchorUnits) : [];
  const box = first && last ? ([first, last] as const) : undefined;
  if (text === '' || (!box && !anchor)) return undefined;
  const justificationName = textOf(item, 'BoundingBoxTextHorizontalJustification') ?? '';
  return {
    kind: 'words',
    // Converts line ends as defined in PS3.5 §6.1.3.
    text: text.replaceAll('\r\n', '\n').replaceAll('\r', '\n'),
    box,
    justification:
      justificationName in justifications ? justifications[justificationName as keyof typeof justifications] : 'left',
    anchor,
    hasLine: textOf(item, 'AnchorPointVisibility') === 'Y',
    color: labOf(itemsOf(item, 'TextStyleSequence')[0], 'TextColorCIELabValue') ?? layerColor,
  };
};

const orderOf = (header: DicomJson): ReadonlyMap<string, number> =>
  new Map(
    itemsOf(header, 'GraphicLayerSequence').map((layer) => [
      textOf(layer, 'GraphicLayer') ?? '',
      numberOf(layer, 'GraphicLayerOrder') ?? 0,
    ]),
  );

/** Returns the recommended color of each layer that has one (PS3.3 §C.10.7). */
export const colorsOfLayers = (header: DicomJson): ReadonlyMap<string, Color> =>
  new Map(
    itemsOf(header, 'GraphicLayerSequence').flatMap((layer) => {
      const color = labOf(layer, 'GraphicLayerRecommendedDisplayCIELabValue');
      return color ? [[textOf(layer, 'GraphicLayer') ?? '', color] as const] : [];
    }),
  );

/** Returns the graphics and texts of one item, and the number of unreadable ones. */
const objectsOf = (item: DicomJson, color?: Color): { read: Annotation[]; unread: number } => {
  const all = [
    ...itemsOf(item, 'GraphicObjectSequence').map((one) => graphicOf(one, color)),
    ...itemsOf(item, 'TextObjectSequence').map((one) => wordsOf(one, color)),
  ];
  const read = all.filter((one) => one !== undefined);
  return { read, unread: all.length - read.length };
};

/** Returns the annotations in the order of their layers, the lowest first. */
export const annotationsOf = (header: DicomJson): ForImages<Annotation>[] => {
  const order = orderOf(header);
  const colors = colorsOfLayers(header);
  const layerOf = (item: DicomJson) => order.get(textOf(item, 'GraphicLayer') ?? '') ?? 0;
  const colorOf = (item: DicomJson) => colors.get(textOf(item, 'GraphicLayer') ?? '');
  return itemsOf(header, 'GraphicAnnotationSequence')
    .toSorted((one, other) => layerOf(one) - layerOf(other))
    .flatMap((item) => objectsOf(item, colorOf(item)).read.map((part) => ({ images: imagesOf(item), part })));
};

/** Returns the number of annotations of unknown kinds, which cannot be drawn. */
export const unreadAnnotations = (header: DicomJson): number =>
  itemsOf(header, 'GraphicAnnotationSequence').reduce((sum, item) => sum + objectsOf(item).unread, 0);
