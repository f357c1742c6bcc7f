import type { PriorStudy, SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { kindOf, leadingModality } from '#reading/viewer/hanging/hanging.ts';
import { asHangingStudy } from '#reading/viewer/hanging/initial-hanging.ts';
import { bodyPartOf, isLocalizer, sequenceOf } from '#reading/viewer/hanging/series-description.ts';
import { isShowable } from '#reading/viewer/images/series/series-kinds.ts';

type ComparedStudy = Pick<StudyDetails, 'modalities' | 'studyDate'>;

/**
 * Returns the prior to compare: the first earlier study of the same modality. The server sorts by similarity (body
 * part, modality), then by date. A later study is used only if no earlier study exists. Undefined if no study has the
 * modality.
 */
export const priorToCompare = (study: ComparedStudy, priors: readonly PriorStudy[]): PriorStudy | undefined => {
  const alike = priors.filter(
    ({ modalities, status, instanceCount }) =>
      status !== 'CANCELLED' && instanceCount > 0 && modalities.some((modality) => study.modalities.includes(modality)),
  );
  const { studyDate } = study;
  const isEarlier = (prior: PriorStudy) =>
    studyDate === null || (prior.studyDate !== null && prior.studyDate <= studyDate);
  return alike.find(isEarlier) ?? alike[0];
};

/**
 * Returns the prior to hang next to a study without being asked: the latest earlier study of the same kind, by modality
 * and body part. Undefined if the body part is unknown, because the prior may then show another one.
 */
export const priorToHang = (study: StudyDetails, priors: readonly PriorStudy[]): PriorStudy | undefined => {
  const mine = kindOf(asHangingStudy(study));
  const { studyDate } = study;
  if (mine.modality === '' || (mine.part === '' && mine.modality !== 'MG') || studyDate === null) return undefined;
  const isAlike = (prior: PriorStudy) => {
    const description = prior.studyDescription || prior.description;
    const part = bodyPartOf(prior.bodyParts.map(asPart), description);
    return leadingModality(prior.modalities) === mine.modality && (part === mine.part || mine.modality === 'MG');
  };
  return priors
    .filter(
      (prior) =>
        prior.status !== 'CANCELLED' &&
        prior.instanceCount > 0 &&
        prior.studyDate !== null &&
        prior.studyDate < studyDate &&
        isAlike(prior),
    )
    .toSorted((one, other) => (other.studyDate ?? '').localeCompare(one.studyDate ?? ''))[0];
};

const asPart = (bodyPartExamined: string) => ({ bodyPartExamined });

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

/**
 * Returns the series of a prior that shows the same as a series: same modality, and the same weighting and plane where
 * the series name them. Undefined if there is none.
 */
export const counterpartOf = (series: SeriesSummary, prior: readonly SeriesSummary[]): SeriesSummary | undefined => {
  const mine = sequenceOf(series.seriesDescription);
  const isSame = (one: SeriesSummary) => {
    const theirs = sequenceOf(one.seriesDescription);
    const agrees = (a: string, b: string) => a === '' || b === '' || a === b;
    return (
      one.modality === series.modality && agrees(mine.weighting, theirs.weighting) && agrees(mine.plane, theirs.plane)
    );
  };
  return seriesToCompare(series, prior.filter(isSame));
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
