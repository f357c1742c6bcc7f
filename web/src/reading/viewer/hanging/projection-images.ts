import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { isTomosynthesis, rankOfProjection } from './projection-kind.ts';
import type { HungSeries } from './hung-series.ts';
import { type Projection, projectionOf, turnOf } from './projection.ts';

/** A 2D image or a tomosynthesis with its side and view. */
export type ProjectionImage = HungSeries & { projection: Projection; header: DicomJson; isTomosynthesis: boolean };

export const asHung = (image: ProjectionImage | undefined): HungSeries | undefined =>
  image && { series: image.series, start: image.start, turn: image.turn };

export const projectionImagesOf = (
  series: readonly SeriesSummary[],
  images: ReadonlyMap<string, readonly SeriesImage[]>,
): ProjectionImage[] =>
  series.flatMap((one) =>
    (images.get(one.seriesInstanceUID) ?? []).flatMap(({ header, frame, numberOfFrames }, start) =>
      frame > 1
        ? []
        : [
            {
              series: one,
              start,
              header,
              projection: projectionOf(header),
              turn: turnOf(header),
              isTomosynthesis: isTomosynthesis(header, numberOfFrames),
            },
          ],
    ),
  );

/**
 * Returns the images of a view, the best image first: processed before raw, whole breast before parts, 2D before
 * tomosynthesis.
 */
export const imagesOfView = (images: readonly ProjectionImage[], side: string, view: string): ProjectionImage[] => {
  const rank = ({ header, isTomosynthesis }: ProjectionImage) => rankOfProjection(header) + 2 * Number(isTomosynthesis);
  return images
    .filter(({ projection }) => projection.side === side && projection.view === view)
    .toSorted((one, other) => rank(one) - rank(other));
};

/** Returns the image of a prior for a view. It is the image that the prior's own hanging would show. */
export const imageLike = (
  header: DicomJson,
  series: readonly SeriesSummary[],
  images: ReadonlyMap<string, readonly SeriesImage[]>,
): HungSeries | undefined => {
  const { side, view } = projectionOf(header);
  const isKnown = view !== '' && (side !== '' || textOf(header, tag.Modality) !== 'MG');
  return isKnown ? asHung(imagesOfView(projectionImagesOf(series, images), side, view)[0]) : undefined;
};
