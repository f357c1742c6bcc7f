import type { ImageLook } from '@radwork/contract/key-images';
import type { SeriesSummary } from '@radwork/contract/studies';
import { isShowable } from '#viewer/images/series-kinds.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { type Layout, layoutFor, panesOf } from './layouts.ts';
import { type Projection, projectionName, projectionOf, rankOfView, type Turn, turnOf } from './projection.ts';
import { type BodyPart, bodyPartOf, isLocalizer, type Sequence, sequenceName, sequenceOf } from './series-words.ts';

/** A series in a pane: with which of its images it begins, counted from 0, and how that is shown at first. */
export type Hung = {
  series: SeriesSummary;
  start: number;
  turn?: Turn | undefined;
  /** The name of a window preset. */
  window?: string | undefined;
  /** The image to begin with, by its id, before `start`; and exactly how it is to be seen. */
  image?: string | undefined;
  look?: ImageLook | undefined;
};

export type Hanging = {
  /** Why it hangs so, in words. */
  name: string;
  layout: Layout;
  panes: readonly (Hung | undefined)[];
};

/** A study as far as hanging depends on it. */
export type HangingStudy = { series: readonly SeriesSummary[]; description: string };

/** Pictures that are told apart by what their headers say, so that their headers must be read first. */
const projections = ['MG', 'CR', 'DX', 'RG'];

/** The modality that decides how a study hangs. */
const leading = ['MG', 'PT', 'NM', 'MR', 'CT', 'DX', 'CR', 'RG'];

const modalityOf = (series: readonly SeriesSummary[]): string => {
  const there = series.filter(isShowable).map(({ modality }) => modality);
  return leading.find((modality) => there.includes(modality)) ?? there[0] ?? '';
};

/** What kind of study it is: what a kept layout is kept for. "MR head" */
export const kindOf = ({ series, description }: HangingStudy): { modality: string; part: BodyPart; name: string } => {
  const modality = modalityOf(series);
  const part = bodyPartOf(series, description);
  return { modality, part, name: [modality, part].filter(Boolean).join(' ') };
};

/** The most series whose headers are read before anything hangs. */
const mostRead = 16;

/** The series whose headers decide how a study hangs; for most studies none. */
export const seriesToRead = (study: HangingStudy): SeriesSummary[] => {
  if (!projections.includes(modalityOf(study.series))) return [];
  const there = study.series.filter(({ modality }) => projections.includes(modality));
  return there.length <= mostRead ? there : [];
};

const plain = (series: SeriesSummary): Hung => ({ series, start: 0 });

/** The pictures in the order in which they were made, one in sight. */
const inOrder = (series: readonly SeriesSummary[]): Hanging => ({
  name: 'One picture',
  layout: '1x1',
  panes: series.map(plain),
});

type Film = Hung & { projection: Projection };

const asHung = (film: Film | undefined): Hung | undefined =>
  film && { series: film.series, start: film.start, turn: film.turn };

const isTomosynthesis = ({ numberOfFrames }: SeriesImage) => numberOfFrames > 1;

const filmsOf = (series: readonly SeriesSummary[], images: ReadonlyMap<string, readonly SeriesImage[]>): Film[] =>
  series.flatMap((one) =>
    (images.get(one.seriesInstanceUID) ?? []).flatMap((image, start) =>
      image.frame > 1 || isTomosynthesis(image)
        ? []
        : [{ series: one, start, projection: projectionOf(image.header), turn: turnOf(image.header) }],
    ),
  );

/** Right beside left as the reader faces the patient, craniocaudal above oblique. */
const mammogram = (films: readonly Film[]): Hanging | undefined => {
  const find = (side: string, view: string) =>
    films.find(({ projection }) => projection.side === side && projection.view === view);
  const sides = ['R', 'L'].filter((side) => find(side, 'CC') || find(side, 'MLO'));
  const views = ['CC', 'MLO'].filter((view) => find('R', view) || find('L', view));
  const hung = views.flatMap((view) => sides.map((side) => find(side, view)));
  const layout = ([`1x1`, `1x2`, `2x1`, `2x2`] as const).find((name) => name === `${views.length}x${sides.length}`);
  if (!layout) return undefined;
  const others = films.filter((film) => !hung.includes(film));
  return { name: 'Mammogram: right and left, CC above MLO', layout, panes: [...hung, ...others].map(asHung) };
};

const radiograph = (films: readonly Film[]): Hanging => {
  const sorted = films.toSorted(
    (one, other) =>
      rankOfView(one.projection.view) - rankOfView(other.projection.view) ||
      Number(one.projection.side === 'L') - Number(other.projection.side === 'L'),
  );
  const layout = layoutFor(Math.min(sorted.length, 4));
  return { name: 'Radiograph: views side by side', layout, panes: sorted.map(asHung) };
};

type Wish = Partial<Sequence>;

const usual: readonly Wish[] = [{ weighting: 'T2' }, { weighting: 'FLAIR' }, { weighting: 'T1' }, { weighting: 'DWI' }];

/** What is wanted first, by the part of the body. */
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

/** The series that are wished for, each once, in the order of the wishes; then the others. */
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
    name: 'MR: sequences side by side',
    layout: layoutFor(Math.min(sorted.length, 4)),
    panes: sorted.map(plain),
  };
};

/** The window that the words of a CT series ask for; mostly they ask for none, and its own is right. */
const windowFor = ({ seriesDescription }: SeriesSummary): string | undefined => {
  const words = seriesDescription.toLowerCase();
  if (/lung|pulm/.test(words)) return 'Lung';
  return /bone|skelet/.test(words) ? 'Bone' : undefined;
};

const computedTomography = (series: readonly SeriesSummary[]): Hanging => ({
  name: 'CT: one large picture',
  layout: '1x1',
  panes: series.map((one) => ({ ...plain(one), window: windowFor(one) })),
});

const withUptake = (series: readonly SeriesSummary[]): Hanging | undefined => {
  const anatomy = series.find(({ modality }) => modality === 'CT' || modality === 'MR');
  const uptake = series.find(({ modality }) => modality === 'PT' || modality === 'NM');
  if (!anatomy || !uptake) return undefined;
  const others = series.filter((one) => one !== anatomy && one !== uptake);
  return { name: 'Anatomy beside uptake', layout: '1x2', panes: [anatomy, uptake, ...others].map(plain) };
};

/**
 * How a study is hung: which layout, which series where, which window. `images` are those of the series that
 * `seriesToRead` names; a series whose images are not there hangs as if its header said nothing.
 */
export const hang = (study: HangingStudy, images: ReadonlyMap<string, readonly SeriesImage[]>): Hanging => {
  const showable = study.series.filter(isShowable);
  const { modality, part } = kindOf(study);
  const pictures = showable.filter((one) => !isLocalizer(one));
  const sorted = pictures.length > 0 ? [...pictures, ...showable.filter(isLocalizer)] : showable;
  const films = filmsOf(seriesToRead(study), images);
  if (modality === 'MG') return mammogram(films) ?? inOrder(sorted);
  if (films.length > 0) return radiograph(films);
  if (modality === 'MR') return magneticResonance(pictures.length > 0 ? pictures : showable, part);
  if (modality === 'CT') return computedTomography(sorted);
  if (modality === 'PT' || modality === 'NM') return withUptake(sorted) ?? inOrder(sorted);
  return inOrder(sorted);
};

/** What a picture in a pane is called in a kept layout: a word of ours, never what somebody typed. '' for what has none. */
export const roleOf = ({ series, start }: Hung, images: ReadonlyMap<string, readonly SeriesImage[]>): string => {
  const image = images.get(series.seriesInstanceUID)?.[start];
  if (image) return projectionName(projectionOf(image.header));
  return sequenceName(sequenceOf(series.seriesDescription)) || series.modality;
};

/** The layout that somebody keeps for a kind of study: what goes into each pane, by role. */
export type KeptLayout = { layout: Layout; roles: readonly string[] };

/** Hangs a study as somebody keeps it; what has no such role follows in the order of the rules. */
export const hangKept = (
  { layout, roles }: KeptLayout,
  hanging: Hanging,
  images: ReadonlyMap<string, readonly SeriesImage[]>,
): Hanging => {
  const all = hanging.panes.filter((one) => one !== undefined);
  const left = [...all];
  const wanted = roles.slice(0, panesOf(layout)).map((role) => {
    const isIt = (one: Hung) => role !== '' && roleOf(one, images) === role;
    const at = left.findIndex(isIt);
    // What is kept twice stands there twice.
    return at < 0 ? all.find(isIt) : left.splice(at, 1)[0];
  });
  const panes = Array.from({ length: Math.max(panesOf(layout), wanted.length) }, (_, at) => wanted[at] ?? left.shift());
  return { name: 'As you keep it for this kind of study', layout, panes: [...panes, ...left] };
};
