import {
  type DicomJson,
  itemsOf,
  numberOf,
  numbersOf,
  tag,
  textOf,
  textsOf,
} from '#reading/viewer/images/header/dicom-json.ts';
import { isSlideImage } from '#reading/viewer/images/header/slide-image.ts';
import { type Grid, gridOf, placedFrames, sparsePlaces } from './read-places.ts';
import { areaOf, isOfArea, type SlideImage } from './slide-area.ts';
import { orientationOf } from './slide-orientation.ts';
import { formOf, grayWindowOf } from './tile-form.ts';
import type {
  OpticalPath,
  Pyramid,
  Slide,
  SlideFault,
  SlideLayer,
  SlideLevel,
  SlidePart,
  SlidePicture,
} from './slide.ts';

const spacingIn = (header: DicomJson): SlideImage['spacing'] => {
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const [frame = {}] = itemsOf(header, tag.PerFrameFunctionalGroupsSequence);
  const [measures = {}] = [...itemsOf(shared, tag.PixelMeasuresSequence), ...itemsOf(frame, tag.PixelMeasuresSequence)];
  const [tall = 0, wide = tall] = numbersOf(measures, tag.PixelSpacing);
  return wide > 0 && tall > 0 ? { wide, tall } : undefined;
};

const framesIn = (header: DicomJson): number => Math.max(1, numberOf(header, tag.NumberOfFrames) ?? 1);

const imageOf = (unsorted: readonly DicomJson[]): SlideImage | undefined => {
  const headers = unsorted.toSorted(
    (one, other) =>
      (numberOf(one, tag.ConcatenationFrameOffsetNumber) ?? 0) -
      (numberOf(other, tag.ConcatenationFrameOffsetNumber) ?? 0),
  );
  const [header] = headers;
  if (!header) return undefined;
  const [tileColumns, tileRows] = [numberOf(header, tag.Columns) ?? 0, numberOf(header, tag.Rows) ?? 0];
  const columns = numberOf(header, tag.TotalPixelMatrixColumns) || tileColumns;
  const rows = numberOf(header, tag.TotalPixelMatrixRows) || tileRows;
  if (tileColumns <= 0 || tileRows <= 0 || columns <= 0 || rows <= 0) return undefined;
  let first = 0;
  const parts = headers.map((one): SlidePart => {
    const window = grayWindowOf(one);
    const part = {
      instanceUid: textOf(one, tag.SOPInstanceUID),
      first,
      frames: framesIn(one),
      form: formOf(one),
      isRgb: textOf(one, tag.PhotometricInterpretation) === 'RGB',
      ...(window && { window }),
    };
    first += part.frames;
    return part;
  });
  return {
    headers,
    header,
    kind: textsOf(header, tag.ImageType)[2] ?? 'VOLUME',
    grid: gridOf(columns, rows, tileColumns, tileRows),
    parts,
    frames: first,
    spacing: spacingIn(header),
  };
};

const pathsIn = (header: DicomJson): OpticalPath[] =>
  itemsOf(header, tag.OpticalPathSequence).map((item, at) => ({
    id: textOf(item, tag.OpticalPathIdentifier) || String(at + 1),
    description: textOf(item, tag.OpticalPathDescription),
  }));

type Layers = { layers: SlideLayer[]; fault?: SlideFault };

/** Maximum number of focal planes to accept from a file that does not state how many it has. */
const mostPlanes = 32;

const declaredPlanes = (header: DicomJson): number | undefined =>
  numberOf(header, tag.TotalPixelMatrixFocalPlanes) ?? numberOf(header, tag.NumberOfFocalPlanes);

/** Reads the layers of an image whose frames have places of their own. */
const sparseLayers = ({ headers, header, grid, parts, frames }: SlideImage): Layers => {
  const { columns, rows } = grid;
  const [shared = {}] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const [sharedPath = {}] = itemsOf(shared, tag.OpticalPathIdentificationSequence);
  const usualPath = textOf(sharedPath, tag.OpticalPathIdentifier) || (pathsIn(header)[0]?.id ?? '1');
  const items = headers.flatMap((one) => itemsOf(one, tag.PerFrameFunctionalGroupsSequence));
  // If places and frames do not match one to one, tiles would show tissue in the wrong place.
  if (items.length !== frames)
    return { layers: [], fault: { kind: 'frames', columns, rows, frames, needed: items.length } };
  const byHeight = placedFrames(items, grid, { usualPath, isFlat: false });
  const heights = new Set(byHeight.layers.map(({ z }) => z)).size;
  // A scanner that focuses each tile separately writes a height for each tile. Such heights are not planes to choose
  // from.
  const isFlat = heights > Math.max(1, declaredPlanes(header) ?? mostPlanes);
  const { layers, lost } = isFlat ? placedFrames(items, grid, { usualPath, isFlat }) : byHeight;
  return {
    layers: layers.map((layer): SlideLayer => ({
      path: layer.path,
      z: layer.z,
      parts,
      ...shapeOf(grid),
      places: sparsePlaces(layer, grid),
    })),
    ...(lost > 0 && { fault: { kind: 'places', columns, rows, frames: lost } }),
  };
};

const shapeOf = ({ tileColumns, tileRows, across, down }: Grid) => ({ tileColumns, tileRows, across, down });

/** Reads the layers of an image whose frames cover the matrix in order (PS3.3 §C.7.6.17.3). */
const fullLayers = ({ header, grid, parts, frames }: SlideImage): Layers => {
  const ownPaths = pathsIn(header);
  const paths = ownPaths.length > 0 ? ownPaths : [{ id: '1', description: '' }];
  const tiles = grid.across * grid.down;
  const planes = declaredPlanes(header) || Math.max(1, frames / (tiles * paths.length));
  const needed = tiles * paths.length * planes;
  const { columns, rows } = grid;
  if (!Number.isInteger(planes) || needed !== frames) {
    const ofOnePlane = Number.isInteger(planes) ? needed : tiles * paths.length;
    return { layers: [], fault: { kind: 'frames', columns, rows, frames, needed: ofOnePlane } };
  }
  const [origin = {}] = itemsOf(header, tag.TotalPixelMatrixOriginSequence);
  const lowest = numberOf(origin, tag.ZOffsetInSlideCoordinateSystem) ?? 0;
  const distance = numberOf(header, tag.DistanceBetweenFocalPlanes) || 1;
  const layers = paths.flatMap(({ id }, path) =>
    Array.from({ length: planes }, (_, plane): SlideLayer => {
      const first = (path * planes + plane) * tiles;
      const z = Math.round((lowest + plane * distance) * 1000) / 1000;
      return { path: id, z, parts, ...shapeOf(grid), places: { kind: 'full', first } };
    }),
  );
  return { layers };
};

const layersOf = (image: SlideImage): Layers => {
  const isFull = textOf(image.header, tag.DimensionOrganizationType) === 'TILED_FULL';
  const hasPlaces = itemsOf(image.header, tag.PerFrameFunctionalGroupsSequence).some(
    (item) => itemsOf(item, tag.PlanePositionSlideSequence).length > 0,
  );
  return hasPlaces && !isFull ? sparseLayers(image) : fullLayers(image);
};

/** Gives all levels the identifier of the largest one if each has a single optical path, whatever it is called there. */
const alignPaths = (levels: readonly SlideLevel[]): void => {
  const pathsOf = ({ layers }: SlideLevel) => new Set(layers.map(({ path }) => path));
  const path = levels[0]?.layers[0]?.path;
  if (path === undefined || levels.some((level) => pathsOf(level).size > 1)) return;
  for (const layer of levels.flatMap(({ layers }) => layers)) layer.path = path;
};

type Found = { pyramid: Pyramid; instanceUid: string; header: DicomJson };

/** An image with the layers of its frames. */
type Usable = { image: SlideImage; layers: SlideLayer[] };

/** Returns the images whose frames fit their header: the largest first, thumbnails last. */
const usableOf = (images: readonly SlideImage[], faults: SlideFault[]): Usable[] =>
  images
    .flatMap((image) => {
      const { layers, fault } = layersOf(image);
      if (fault) faults.push(fault);
      return layers.length > 0 ? [{ image, layers }] : [];
    })
    .toSorted(
      (one, other) =>
        Number(one.image.kind === 'THUMBNAIL') - Number(other.image.kind === 'THUMBNAIL') ||
        areaOf(other.image) - areaOf(one.image),
    );

/**
 * Returns the pyramids of images. Images of another area than the largest one, and second images of a level, form
 * further pyramids, so that none is hidden. A thumbnail forms one only without other images.
 */
const pyramidsOf = (usable: readonly Usable[]): Found[] => {
  const [first, ...others] = usable;
  if (!first) return [];
  const { found, rest } = pyramidOf(first, others);
  return [found, ...pyramidsOf(rest.filter(({ image }) => image.kind !== 'THUMBNAIL'))];
};

const pyramidOf = (first: Usable, others: readonly Usable[]): { found: Found; rest: Usable[] } => {
  const largest = first.image;
  const { columns, rows } = largest.grid;
  const shape = largest.spacing ? largest.spacing.tall / largest.spacing.wide : 1;
  const levels = new Map<string, SlideLevel>();
  const rest: Usable[] = [];
  for (const one of [first, ...others]) {
    const { grid } = one.image;
    const key = `${grid.columns} ${grid.rows}`;
    const level = levels.get(key) ?? {
      columns: grid.columns,
      rows: grid.rows,
      wide: columns / grid.columns,
      tall: (rows * shape) / grid.rows,
      layers: [],
    };
    const isKnown = one.layers.some((layer) =>
      level.layers.some(({ path, z }) => path === layer.path && z === layer.z),
    );
    if (isKnown || !isOfArea(one.image, largest)) {
      rest.push(one);
      continue;
    }
    level.layers.push(...one.layers);
    levels.set(key, level);
  }
  const inOrder = [...levels.values()].toSorted((one, other) => one.wide - other.wide);
  const [base] = inOrder;
  alignPaths(inOrder);
  const described = new Map(
    [first, ...others].flatMap(({ image }) => pathsIn(image.header)).map((path) => [path.id, path]),
  );
  const ids = [...new Set(base?.layers.map(({ path }) => path))];
  const planes = [...new Set(base?.layers.map(({ z }) => z))].toSorted((one, other) => one - other);
  const [lens = {}] = itemsOf(largest.header, tag.OpticalPathSequence);
  const found = {
    header: largest.header,
    instanceUid: largest.parts[0]?.instanceUid ?? '',
    pyramid: {
      width: columns,
      height: rows * shape,
      levels: inOrder,
      spacing: largest.spacing?.wide,
      objective: numberOf(lens, tag.ObjectiveLensPower) || undefined,
      paths: ids.map((id) => described.get(id) ?? { id, description: '' }),
      planes,
      turn: orientationOf(numbersOf(largest.header, tag.ImageOrientationSlide)),
    },
  };
  return { found, rest };
};

const besides: Record<string, 'label' | 'overview'> = { LABEL: 'label', OVERVIEW: 'overview' };

/** Identifies the pyramid of an image: older files have only a frame of reference (PS3.3 §C.8.12.14). */
const pyramidKey = ({ header }: SlideImage): string =>
  textOf(header, tag.PyramidUID) || textOf(header, tag.FrameOfReferenceUID);

/**
 * Reads the slides of a series from the headers of its instances (PS3.3 §A.32.8, §C.8.12.4). Levels are the images of
 * one frame of reference. Images whose frames do not fit their header are left out, each with a fault. Undefined if the
 * series has no slide image.
 */
export const slideOf = (headers: readonly DicomJson[]): Slide | undefined => {
  const ofSlides = headers.filter(isSlideImage);
  const byConcatenation = Map.groupBy(
    ofSlides,
    (header) => textOf(header, tag.ConcatenationUID) || textOf(header, tag.SOPInstanceUID),
  );
  const faults: SlideFault[] = [];
  const images = [...byConcatenation.values()].flatMap((ofImage) => {
    const image = imageOf(ofImage);
    if (!image) faults.push({ kind: 'size', columns: 0, rows: 0 });
    return image ?? [];
  });
  const levels = images.filter(({ kind }) => !(kind in besides));
  const found = [...Map.groupBy(levels, pyramidKey).values()]
    .flatMap((ofPyramid) => pyramidsOf(usableOf(ofPyramid, faults)))
    .toSorted((one, other) => other.pyramid.width * other.pyramid.height - one.pyramid.width * one.pyramid.height);
  const pictures: SlidePicture[] = found.map(({ pyramid, instanceUid }) => ({ kind: 'slide', instanceUid, pyramid }));
  for (const image of images) {
    const kind = besides[image.kind];
    const [single] = kind ? pyramidsOf(usableOf([image], faults)) : [];
    // A label is photographed, without the objective.
    const pyramid = single && { ...single.pyramid, objective: undefined };
    if (kind && single && pyramid) pictures.push({ kind, instanceUid: single.instanceUid, pyramid });
  }
  const header = found[0]?.header ?? images[0]?.header ?? ofSlides[0];
  if (!header) return undefined;
  const { [tag.PerFrameFunctionalGroupsSequence]: _, ...slim } = header;
  return { pictures, faults, header: slim };
};
