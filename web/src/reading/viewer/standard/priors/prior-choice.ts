import type { PriorStudy, SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { bodyPartOf, isLocalizer, sequenceOf } from '#reading/viewer/hanging/series-description.ts';
import { isShowable } from '#reading/viewer/images/series/series-kinds.ts';

type Compared = Pick<StudyDetails, 'modalities' | 'studyDate'>;

/**
 * Returns the prior to compare: the first earlier study of the same modality. The server sorts by similarity (body
 * part, modality), then by date. A later study is used only if no earlier study exists. Undefined if no study has the
 * modality.
 */
export const priorToCompare = (study: Compared, priors: readonly PriorStudy[]): PriorStudy | undefined => {
  const alike = priors.filter(
    ({ modalities, status, instanceCount }) =>
      status !== 'CANCELLED' && instanceCount > 0 && modalities.some((modality) => study.modalities.includes(modality)),
  );
  const { studyDate } = study;
  const isEarlier = (prior: PriorStudy) =>
    studyDate === null || (prior.studyDate !== null && prior.studyDate <= studyDate);
  return alike.find(isEarlier) ?? alike[0];
};

/** Returns how similar a series of a prior is to the current series. */
const likeness = (series: SeriesSummary, other: SeriesSummary): number => {
  const [mine, theirs] = [sequenceOf(series.seriesDescription), sequenceOf(other.seriesDescription)];
  const same = (one: string, two: string) => Number(one !== '' && one === two);
  return (
    8 * same(series.modality, other.modality) +
    4 * same(series.seriesDescription.toLowerCase(), other.seriesDescription.toLowerCase()) +
    2 * same(mine.plane, theirs.plane) +
    2 * same(mine.weighting, theirs.weighting) +
    same(bodyPartOf([series], ''), bodyPartOf([other], '')) -
    6 * Number(isLocalizer(other) && !isLocalizer(series))
  );
};

/** Returns the series of a prior to show next to a series. Undefined if the prior has no images. */
export const seriesToCompare = (
  series: SeriesSummary | undefined,
  prior: readonly SeriesSummary[],
): SeriesSummary | undefined => {
  const showable = prior.filter(isShowable);
  if (!series) return showable[0];
  return showable.toSorted((one, other) => likeness(series, other) - likeness(series, one))[0];
};
