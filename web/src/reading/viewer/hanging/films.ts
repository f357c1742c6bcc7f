import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { isTomosynthesis, rankOfFilm } from './film-kind.ts';
import type { HungSeries } from './hung-series.ts';
import { type Projection, projectionOf, turnOf } from './projection.ts';

/** A 2D image or a tomosynthesis with its side and view. */
export type Film = HungSeries & { projection: Projection; header: DicomJson; isTomosynthesis: boolean };

export const asHung = (film: Film | undefined): HungSeries | undefined =>
  film && { series: film.series, start: film.start, turn: film.turn };

export const filmsOf = (
  series: readonly SeriesSummary[],
  images: ReadonlyMap<string, readonly SeriesImage[]>,
): Film[] =>
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
export const filmsOfView = (films: readonly Film[], side: string, view: string): Film[] => {
  const rank = ({ header, isTomosynthesis }: Film) => rankOfFilm(header) + 2 * Number(isTomosynthesis);
  return films
    .filter(({ projection }) => projection.side === side && projection.view === view)
    .toSorted((one, other) => rank(one) - rank(other));
};

/** Returns the image of a prior for a view. It is the image that the prior's own hanging would show. */
export const filmLike = (
  header: DicomJson,
  series: readonly SeriesSummary[],
  images: ReadonlyMap<string, readonly SeriesImage[]>,
): HungSeries | undefined => {
  const { side, view } = projectionOf(header);
  const isKnown = view !== '' && (side !== '' || textOf(header, tag.Modality) !== 'MG');
  return isKnown ? asHung(filmsOfView(filmsOf(series, images), side, view)[0]) : undefined;
};
