import type { PriorStudy, SeriesSummary, StudyDetails } from '@radwork/contract/studies';
import { bodyPartOf, isLocalizer, sequenceOf } from '#viewer/hanging/series-words.ts';
import { isShowable } from '#viewer/images/series-kinds.ts';

type Compared = Pick<StudyDetails, 'modalities' | 'studyDate'>;

/**
 * The prior to compare with first: of the same modality, made before the study, and of these the first of the list,
 * which the server sorts by likeness (part of the body, modality) and then by date. A later study only when there is no
 * earlier one; undefined when none is of the same modality.
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

/** How much a series of a prior is like the one on the screen. */
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

/** The series of a prior to put beside one of the study; undefined when it has no pictures. */
export const seriesToCompare = (
  series: SeriesSummary | undefined,
  prior: readonly SeriesSummary[],
): SeriesSummary | undefined => {
  const showable = prior.filter(isShowable);
  if (!series) return showable[0];
  return showable.toSorted((one, other) => likeness(series, other) - likeness(series, one))[0];
};
