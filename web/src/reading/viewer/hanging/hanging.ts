import { t } from '@lingui/core/macro';
import type { HangingWindow } from '@radwork/contract/reading/hanging-rules';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { isForProcessing, isTomosynthesis, roleOfProjection } from './projection-kind.ts';
import { asHung, type ProjectionImage, projectionImagesOf } from './projection-images.ts';
import type { Hanging, HungSeries } from './hung-series.ts';
import { type Layout, layoutFor, panesOf, shapesOf } from './layouts.ts';
import { mammogram, mammogramViews } from './mammogram.ts';
import { projectionName, rankOfView } from './projection.ts';
import {
  type BodyPart,
  bodyPartOf,
  isLocalizer,
  planeOf,
  type Sequence,
  sequenceName,
  sequenceOf,
} from './series-description.ts';

export type { Hanging, HungSeries };
export { imageLike } from './projection-images.ts';

/** Properties of a study that decide its hanging. */
export type HangingStudy = { series: readonly SeriesSummary[]; description: string };

/** Modalities in which only image headers tell the views apart. The headers must be read before hanging. */
const projections = ['MG', 'CR', 'DX', 'RG'];

/** Modalities by priority. The first modality that a study contains decides its hanging. */
const leading = ['MG', 'PT', 'NM', 'MR', 'CT', 'DX', 'CR', 'RG'];

/** Returns the modality that decides the hanging; '' if there is none. */
export const leadingModality = (modalities: readonly string[]): string =>
  leading.find((modality) => modalities.includes(modality)) ?? modalities[0] ?? '';

const modalityOf = (series: readonly SeriesSummary[]): string =>
  leadingModality(series.filter(isShowable).map(({ modality }) => modality));

/** Returns the kind of a study, such as "MR head". Layouts are saved per kind. */
export const kindOf = ({ series, description }: HangingStudy): { modality: string; part: BodyPart; name: string } => {
  const modality = modalityOf(series);
  const part = bodyPartOf(series, description);
  return { modality, part, name: [modality, part].filter(Boolean).join(' ') };
};

/**
 * Maximum number of series whose headers are read before the study hangs. A work-up of both breasts has up to 30
 * series.
 */
const mostRead = 64;

/** Returns the series whose headers decide the hanging. Most studies have none. */
export const seriesToRead = (study: HangingStudy): SeriesSummary[] => {
  if (!projections.includes(modalityOf(study.series))) return [];
  const readable = study.series.filter(({ modality }) => projections.includes(modality));
  return readable.slice(0, mostRead);
};

const plain = (series: SeriesSummary): HungSeries => ({ series, start: 0 });

/** Shows all series in acquisition order, one at a time. */
const inOrder = (series: readonly SeriesSummary[]): Hanging => ({
  name: t`One series at a time`,
  layout: '1x1',
  panes: series.map(plain),
});

/** Whether an image is raw data for which the study also has a processed image. */
const isReplaced = (image: ProjectionImage, images: readonly ProjectionImage[]): boolean =>
  isForProcessing(image.header) &&
  images.some(
    ({ header, projection }) =>
      !isForProcessing(header) && projectionName(projection) === projectionName(image.projection),
  );

const radiograph = (images: readonly ProjectionImage[]): Hanging => {
  const sorted = images.toSorted(
    (one, other) =>
      rankOfView(one.projection.view) - rankOfView(other.projection.view) ||
      Number(one.projection.side === 'L') - Number(other.projection.side === 'L'),
  );
  const raw = sorted.filter((image) => isReplaced(image, sorted));
  const shownImages = sorted.filter((image) => !raw.includes(image));
  const layout = layoutFor(Math.min(shownImages.length, 4));
  const name = t`Radiograph: views side by side`;
  return { name, layout, shapes: shapesOf(layout), panes: [...shownImages, ...raw].map(asHung) };
};

type PreferredSequence = Partial<Sequence>;

const usual: readonly PreferredSequence[] = [
  { weighting: 'T2' },
  { weighting: 'FLAIR' },
  { weighting: 'T1' },
  { weighting: 'DWI' },
];

/** Preferred MR sequences for each body part, in order. */
const wishes: Partial<Record<BodyPart, readonly PreferredSequence[]>> = {
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

const answers = (series: SeriesSummary, { weighting, plane }: PreferredSequence): boolean => {
  const sequence = sequenceOf(series.seriesDescription);
  return (!weighting || sequence.weighting === weighting) && (!plane || planeOf(series) === plane);
};

/** Sorts the preferred series to the front, each once. */
const byWishes = (series: readonly SeriesSummary[], preferred: readonly PreferredSequence[]): SeriesSummary[] => {
  const remaining = [...series];
  const matched = preferred.flatMap((wish) => {
    const at = remaining.findIndex((one) => answers(one, wish));
    return at < 0 ? [] : remaining.splice(at, 1);
  });
  return [...matched, ...remaining];
};

const magneticResonance = (series: readonly SeriesSummary[], part: BodyPart): Hanging => {
  const sorted = byWishes(series, wishes[part] ?? usual);
  const layout = layoutFor(Math.min(sorted.length, 4));
  return { name: t`MR: sequences side by side`, layout, shapes: shapesOf(layout), panes: sorted.map(plain) };
};

/**
 * Returns the window that the description of a CT series suggests. Most descriptions suggest none; then the window of
 * the file applies.
 */
const windowFor = ({ seriesDescription }: SeriesSummary): HangingWindow | undefined => {
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
  const panes = [anatomy, uptake, ...others].map(plain);
  return { name: t`CT or MR next to PET or NM`, layout: '1x2', shapes: shapesOf('1x2'), panes };
};

/** Layout of the current images above or next to those of the prior, by the number of current images. */
const besidePrior: Partial<Record<number, Layout>> = { 1: '1x2', 2: '2x2', 3: '2x3', 4: '2x4' };

/** Adds a pane of the prior for each pane of a hanging. A hanging with too many panes stays as it is. */
export const withPrior = (hanging: Hanging): Hanging => {
  const count = panesOf(hanging.layout);
  const layout = besidePrior[count];
  if (!layout) return hanging;
  const current = Array.from({ length: count }, (_, at) => hanging.panes[at]);
  const none = current.map(() => undefined);
  return {
    name: t`With the prior of the same kind`,
    layout,
    shapes: shapesOf(layout),
    panes: [...current, ...none, ...hanging.panes.slice(count)],
    priorPanes: [...none, ...current],
  };
};

/**
 * Returns the layout, series and windows for a study. `images` holds the images of the series from `seriesToRead`; a
 * missing series hangs as if its header were empty. With `hasPrior`, half of the panes are for the prior.
 */
export const hang = (
  study: HangingStudy,
  images: ReadonlyMap<string, readonly SeriesImage[]>,
  hasPrior = false,
): Hanging => (hasPrior ? withPrior(hangAlone(study, images, true)) : hangAlone(study, images, false));

/** Hangs a study without its prior. With `hasPrior`, leaves room for one: at most four views of a mammogram. */
export const hangAlone = (
  study: HangingStudy,
  images: ReadonlyMap<string, readonly SeriesImage[]>,
  hasPrior: boolean,
): Hanging => {
  const showable = study.series.filter(isShowable);
  const { modality, part } = kindOf(study);
  const pictures = showable.filter((one) => !isLocalizer(one));
  const sorted = pictures.length > 0 ? [...pictures, ...showable.filter(isLocalizer)] : showable;
  const projectionImages = projectionImagesOf(seriesToRead(study), images);
  if (modality === 'MG')
    return (hasPrior ? mammogramViews(projectionImages) : mammogram(projectionImages)) ?? inOrder(sorted);
  const still = projectionImages.filter((image) => !image.isTomosynthesis);
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
  if (image) return roleOfProjection(image.header, isTomosynthesis(image.header, image.numberOfFrames));
  return sequenceName(sequenceOf(series.seriesDescription)) || series.modality;
};

/** Layout that a user has saved for a kind of study, with the role of each viewport. */
export type SavedLayout = { layout: Layout; roles: readonly string[] };

/** Role of a pane that shows the image of the prior with another role. */
export const priorRole = (role: string): string => `prior ${role}`.slice(0, 40);

/**
 * Hangs a study by the user's saved layout. Series without a saved role follow in default order. Panes of a prior fill
 * with other series if there is no prior.
 */
export const hangSaved = (
  { layout, roles }: SavedLayout,
  hanging: Hanging,
  images: ReadonlyMap<string, readonly SeriesImage[]>,
  hasPrior = false,
): Hanging => {
  const all = hanging.panes.filter((pane) => pane !== undefined);
  const remaining = [...all];
  const roleNames = roles.slice(0, panesOf(layout));
  const chosen = roleNames.map((role) => {
    const isIt = (one: HungSeries) => role !== '' && roleOf(one, images) === role;
    const at = remaining.findIndex(isIt);
    // If the user saved a role for two viewports, both show the same series.
    return at < 0 ? all.find(isIt) : remaining.splice(at, 1)[0];
  });
  const priorPanes = roleNames.map((role) =>
    hasPrior ? all.find((one) => roleOf(one, images) !== '' && priorRole(roleOf(one, images)) === role) : undefined,
  );
  const panes = Array.from({ length: Math.max(panesOf(layout), chosen.length) }, (_, at) =>
    priorPanes[at] ? undefined : (chosen[at] ?? remaining.shift()),
  );
  return {
    name: t`Your saved layout for this kind of study`,
    layout,
    panes: [...panes, ...remaining],
    ...(priorPanes.some(Boolean) && { priorPanes }),
  };
};
