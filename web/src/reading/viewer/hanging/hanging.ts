import { t } from '@lingui/core/macro';
import type { ImageLook } from '@radwork/contract/reading/key-images';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { isForProcessing, rankOfFilm, roleOfFilm } from './film-kind.ts';
import { type Layout, layoutFor, panesOf } from './layouts.ts';
import { type Projection, projectionName, projectionOf, rankOfView, type Turn, turnOf } from './projection.ts';
import {
  type BodyPart,
  bodyPartOf,
  isLocalizer,
  type Sequence,
  sequenceName,
  sequenceOf,
} from './series-description.ts';

/** Series in a viewport, with the index of its first image (from 0) and the initial display. */
export type HungSeries = {
  series: SeriesSummary;
  start: number;
  /** Shows the documents of a series that also has images. */
  part?: 'documents' | undefined;
  turn?: Turn | undefined;
  /** Name of a window preset. */
  window?: string | undefined;
  /** ID of the first image, which takes precedence over `start`, and how exactly to show it. */
  image?: string | undefined;
  look?: ImageLook | undefined;
};

export type Hanging = {
  /** Reason for this hanging, shown to the user. */
  name: string;
  layout: Layout;
  panes: readonly (HungSeries | undefined)[];
};

/** Properties of a study that decide its hanging. */
export type HangingStudy = { series: readonly SeriesSummary[]; description: string };

/** Modalities in which only image headers tell the views apart. The headers must be read before hanging. */
const projections = ['MG', 'CR', 'DX', 'RG'];

/** Modalities by priority. The first modality that a study contains decides its hanging. */
const leading = ['MG', 'PT', 'NM', 'MR', 'CT', 'DX', 'CR', 'RG'];

const modalityOf = (series: readonly SeriesSummary[]): string => {
  const there = series.filter(isShowable).map(({ modality }) => modality);
  return leading.find((modality) => there.includes(modality)) ?? there[0] ?? '';
};

/** Returns the kind of a study, such as "MR head". Layouts are saved per kind. */
export const kindOf = ({ series, description }: HangingStudy): { modality: string; part: BodyPart; name: string } => {
  const modality = modalityOf(series);
  const part = bodyPartOf(series, description);
  return { modality, part, name: [modality, part].filter(Boolean).join(' ') };
};

/** Most series whose headers are read before the study hangs. A work-up of both breasts has up to 30. */
const mostRead = 64;

/** Returns the series whose headers decide the hanging. Most studies have none. */
export const seriesToRead = (study: HangingStudy): SeriesSummary[] => {
  if (!projections.includes(modalityOf(study.series))) return [];
  const there = study.series.filter(({ modality }) => projections.includes(modality));
  return there.slice(0, mostRead);
};

const plain = (series: SeriesSummary): HungSeries => ({ series, start: 0 });

/** Shows all series in acquisition order, one at a time. */
const inOrder = (series: readonly SeriesSummary[]): Hanging => ({
  name: t`One series at a time`,
  layout: '1x1',
  panes: series.map(plain),
});

type Film = HungSeries & { projection: Projection; header: DicomJson; isTomosynthesis: boolean };

const asHung = (film: Film | undefined): HungSeries | undefined =>
  film && { series: film.series, start: film.start, turn: film.turn };

const filmsOf = (series: readonly SeriesSummary[], images: ReadonlyMap<string, readonly SeriesImage[]>): Film[] =>
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
              isTomosynthesis: numberOfFrames > 1,
            },
          ],
    ),
  );

/**
 * Returns the images of a view, the best image first: processed before raw, whole breast before parts, 2D before
 * tomosynthesis.
 */
const filmsOfView = (films: readonly Film[], side: string, view: string): Film[] => {
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
  return side && view ? asHung(filmsOfView(filmsOf(series, images), side, view)[0]) : undefined;
};

/**
 * Hangs right next to left as the reader faces the patient, CC above MLO. With one breast, its tomosynthesis hangs next
 * to the 2D image.
 */
const mammogram = (films: readonly Film[]): Hanging | undefined => {
  const find = (side: string, view: string) => filmsOfView(films, side, view)[0];
  const sides = ['R', 'L'].filter((side) => find(side, 'CC') || find(side, 'MLO'));
  const views = ['CC', 'MLO'].filter((view) => find('R', view) || find('L', view));
  const rows = views.map((view) => sides.map((side) => find(side, view)));
  const [side = ''] = sides;
  const volumes = views.map((view) =>
    filmsOfView(films, side, view).find((film) => film.isTomosynthesis && film !== find(side, view)),
  );
  const hasVolumes = sides.length === 1 && volumes.some(Boolean);
  const hung = rows.flatMap((row, at) => (hasVolumes ? [...row, volumes[at]] : row));
  const columns = hasVolumes ? 2 : sides.length;
  const layout = ([`1x1`, `1x2`, `2x1`, `2x2`] as const).find((name) => name === `${views.length}x${columns}`);
  if (!layout) return undefined;
  const others = films
    .filter((film) => !hung.includes(film))
    .toSorted((one, other) => Number(isForProcessing(one.header)) - Number(isForProcessing(other.header)));
  const name = hasVolumes ? t`Mammogram: 2D next to tomosynthesis` : t`Mammogram: right and left, CC above MLO`;
  return { name, layout, panes: [...hung, ...others].map(asHung) };
};

/** Checks whether an image is raw data of which the study has a processed image. */
const isReplaced = (film: Film, films: readonly Film[]): boolean =>
  isForProcessing(film.header) &&
  films.some(
    ({ header, projection }) =>
      !isForProcessing(header) && projectionName(projection) === projectionName(film.projection),
  );

const radiograph = (films: readonly Film[]): Hanging => {
  const sorted = films.toSorted(
    (one, other) =>
      rankOfView(one.projection.view) - rankOfView(other.projection.view) ||
      Number(one.projection.side === 'L') - Number(other.projection.side === 'L'),
  );
  const raw = sorted.filter((film) => isReplaced(film, sorted));
  const shown = sorted.filter((film) => !raw.includes(film));
  const layout = layoutFor(Math.min(shown.length, 4));
  return { name: t`Radiograph: views side by side`, layout, panes: [...shown, ...raw].map(asHung) };
};

type Wish = Partial<Sequence>;

const usual: readonly Wish[] = [{ weighting: 'T2' }, { weighting: 'FLAIR' }, { weighting: 'T1' }, { weighting: 'DWI' }];

/** Preferred MR sequences for each body part, in order. */
const wishes: Partial<Record<BodyPart, readonly Wish[]>> = {
  head: [{ weighting: 'T2', plane: 'axial' }, { weighting: 'FLAIR' }, { weighting: 'DWI' }, { weighting: 'T1' }],
  spine: [
    { weighting: 'T2', plane: 'sagittal' },
    { weighting: 'T1', plane: 'sagittal' },
    { weighting: 'STIR' },
    { weighting: 'T2', plane: 'axial' },
  ],
  knee: [
    { weighting: 'PD', plane: 'sagittal' },
    { weighting: 'PD', plane: 'coronal' },
    { weighting: 'PD', plane: 'axial' },
    { weighting: 'T1' },
  ],
};

const answers = (series: SeriesSummary, { weighting, plane }: Wish): boolean => {
  const found = sequenceOf(series.seriesDescription);
  return (!weighting || found.weighting === weighting) && (!plane || found.plane === plane);
};

/** Sorts the preferred series to the front, each once. */
const byWishes = (series: readonly SeriesSummary[], wanted: readonly Wish[]): SeriesSummary[] => {
  const left = [...series];
  const found = wanted.flatMap((wish) => {
    const at = left.findIndex((one) => answers(one, wish));
    return at < 0 ? [] : left.splice(at, 1);
  });
  return [...found, ...left];
};

const magneticResonance = (series: readonly SeriesSummary[], part: BodyPart): Hanging => {
  const sorted = byWishes(series, wishes[part] ?? usual);
  return {
    name: t`MR: sequences side by side`,
    layout: layoutFor(Math.min(sorted.length, 4)),
    panes: sorted.map(plain),
  };
};

/**
 * Returns the window that the description of a CT series suggests. Most descriptions suggest none; then the window of
 * the file applies.
 */
const windowFor = ({ seriesDescription }: SeriesSummary): string | undefined => {
  const words = seriesDescription.toLowerCase();
  if (/lung|pulm/.test(words)) return 'Lung';
  return /bone|skelet/.test(words) ? 'Bone' : undefined;
};

const computedTomography = (series: readonly SeriesSummary[]): Hanging => ({
  name: t`CT: one large viewport`,
  layout: '1x1',
  panes: series.map((one) => ({ ...plain(one), window: windowFor(one) })),
});

const withUptake = (series: readonly SeriesSummary[]): Hanging | undefined => {
  const anatomy = series.find(({ modality }) => modality === 'CT' || modality === 'MR');
  const uptake = series.find(({ modality }) => modality === 'PT' || modality === 'NM');
  if (!anatomy || !uptake) return undefined;
  const others = series.filter((one) => one !== anatomy && one !== uptake);
  return { name: t`CT or MR next to PET or NM`, layout: '1x2', panes: [anatomy, uptake, ...others].map(plain) };
};

/**
 * Returns the layout, series and windows for a study. `images` holds the images of the series from `seriesToRead`; a
 * missing series hangs as if its header were empty.
 */
export const hang = (study: HangingStudy, images: ReadonlyMap<string, readonly SeriesImage[]>): Hanging => {
  const showable = study.series.filter(isShowable);
  const { modality, part } = kindOf(study);
  const pictures = showable.filter((one) => !isLocalizer(one));
  const sorted = pictures.length > 0 ? [...pictures, ...showable.filter(isLocalizer)] : showable;
  const films = filmsOf(seriesToRead(study), images);
  if (modality === 'MG') return mammogram(films) ?? inOrder(sorted);
  const still = films.filter((film) => !film.isTomosynthesis);
  if (still.length > 0) return radiograph(still);
  if (modality === 'MR') return magneticResonance(pictures.length > 0 ? pictures : showable, part);
  if (modality === 'CT') return computedTomography(sorted);
  if (modality === 'PT' || modality === 'NM') return withUptake(sorted) ?? inOrder(sorted);
  return inOrder(sorted);
};

/**
 * Returns the role of an image in a saved layout; '' if it has none. Roles consist of fixed terms, never of text that a
 * user typed.
 */
export const roleOf = ({ series, start }: HungSeries, images: ReadonlyMap<string, readonly SeriesImage[]>): string => {
  const image = images.get(series.seriesInstanceUID)?.[start];
  if (image) return roleOfFilm(image.header, image.numberOfFrames > 1);
  return sequenceName(sequenceOf(series.seriesDescription)) || series.modality;
};

/** Layout that a user has saved for a kind of study, with the role of each viewport. */
export type SavedLayout = { layout: Layout; roles: readonly string[] };

/** Hangs a study by the user's saved layout. Series without a saved role follow in default order. */
export const hangSaved = (
  { layout, roles }: SavedLayout,
  hanging: Hanging,
  images: ReadonlyMap<string, readonly SeriesImage[]>,
): Hanging => {
  const all = hanging.panes.filter((one) => one !== undefined);
  const left = [...all];
  const wanted = roles.slice(0, panesOf(layout)).map((role) => {
    const isIt = (one: HungSeries) => role !== '' && roleOf(one, images) === role;
    const at = left.findIndex(isIt);
    // If the user saved a role for two viewports, both show the same series.
    return at < 0 ? all.find(isIt) : left.splice(at, 1)[0];
  });
  const panes = Array.from({ length: Math.max(panesOf(layout), wanted.length) }, (_, at) => wanted[at] ?? left.shift());
  return { name: t`Your saved layout for this kind of study`, layout, panes: [...panes, ...left] };
};
