import { t } from '@lingui/core/macro';
import { isForProcessing } from './projection-kind.ts';
import { asHung, type ProjectionImage, imagesOfView } from './projection-images.ts';
import type { Hanging } from './hung-series.ts';
import { type Layout, shapesOf } from './layouts.ts';

/** Layouts of the grids into which views, sides and tomosynthesis can be put. */
const grids: readonly Layout[] = ['1x1', '1x2', '1x3', '2x1', '2x2', '2x3', '2x4'];

/** Puts tomosynthesis next to the 2D images of the same view, in as many columns as the fullest row needs. */
const withVolumes = (
  rows: readonly (ProjectionImage | undefined)[][],
  volumes: readonly ProjectionImage[][],
): (ProjectionImage | undefined)[][] => {
  const columns = Math.max(...volumes.map((row) => row.length));
  const isOneView = rows.length === 1 && columns === 2;
  // With one view, a second row has more room than four columns.
  if (isOneView) return [...rows, ...volumes];
  return rows.map((row, at) => [...row, ...Array.from({ length: columns }, (_, column) => volumes[at]?.[column])]);
};

/** Layouts that keep the two sides of a grid next to each other. */
const shapesOfGrid = (layout: Layout, sides: number): readonly Layout[] =>
  layout === '2x4' || sides === 1 ? shapesOf(layout) : [layout];

/**
 * Hangs right next to left as the reader faces the patient, CC above MLO, and tomosynthesis next to the 2D images of
 * its view. Undefined if no image names its side and view.
 */
export const mammogram = (images: readonly ProjectionImage[]): Hanging | undefined => {
  const find = (side: string, view: string) => imagesOfView(images, side, view)[0];
  const sides = ['R', 'L'].filter((side) => find(side, 'CC') || find(side, 'MLO'));
  const views = ['CC', 'MLO'].filter((view) => find('R', view) || find('L', view));
  const flat = views.map((view) => sides.map((side) => find(side, view)));
  const volumes = views.map((view) =>
    sides.flatMap(
      (side) =>
        imagesOfView(images, side, view).find((image) => image.isTomosynthesis && image !== find(side, view)) ?? [],
    ),
  );
  const hasVolumes = volumes.some((row) => row.length > 0);
  const rows = hasVolumes ? withVolumes(flat, volumes) : flat;
  const layout = grids.find((name) => name === `${rows.length}x${rows[0]?.length ?? 0}`);
  if (!layout) return undefined;
  const hung = rows.flat();
  const others = images
    .filter((image) => !hung.includes(image))
    .toSorted((one, other) => Number(isForProcessing(one.header)) - Number(isForProcessing(other.header)));
  const name = hasVolumes ? t`Mammogram: 2D next to tomosynthesis` : t`Mammogram: right and left, CC above MLO`;
  return {
    name,
    layout,
    shapes: shapesOfGrid(layout, hasVolumes ? 2 : sides.length),
    panes: [...hung, ...others].map(asHung),
  };
};

/**
 * Hangs the current views above those of the prior, at most four: the 2D images, or else the tomosynthesis. Other
 * images follow.
 */
export const mammogramViews = (images: readonly ProjectionImage[]): Hanging | undefined => {
  const flat = mammogram(images.filter((image) => !isBesideOther(image, images)));
  if (!flat) return undefined;
  const others = images.filter((image) => isBesideOther(image, images)).map(asHung);
  return { ...flat, panes: [...flat.panes, ...others] };
};

const isBesideOther = (image: ProjectionImage, images: readonly ProjectionImage[]): boolean => {
  const { side, view } = image.projection;
  return image.isTomosynthesis && imagesOfView(images, side, view)[0] !== image;
};
