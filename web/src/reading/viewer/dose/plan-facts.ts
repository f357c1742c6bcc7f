import { queryOptions } from '@tanstack/react-query';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type DicomJson, itemsOf, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { readHeaders } from '#reading/viewer/images/series/series-headers.ts';
import type { Dose } from './read-dose.ts';

/** Plan or structure set to which a dose belongs. */
export type Linked = {
  sopInstanceUID: string;
  modality: string;
  label: string;
  /** Highest prescribed dose of the targets of a plan, in Gy (PS3.3 §C.8.8.10). */
  prescription: number | undefined;
  structureSetUids: readonly string[];
};

const prescriptionOf = (header: DicomJson): number | undefined => {
  const doses = itemsOf(header, tag.DoseReferenceSequence).flatMap((item) => {
    const dose = numberOf(item, tag.TargetPrescriptionDose) ?? 0;
    return textOf(item, tag.DoseReferenceType) === 'TARGET' && dose > 0 ? [dose] : [];
  });
  return doses.length > 0 ? Math.max(...doses) : undefined;
};

/** Reads the facts of a plan or structure set. */
export const linkedOf = (header: DicomJson): Linked => ({
  sopInstanceUID: textOf(header, tag.SOPInstanceUID),
  modality: textOf(header, tag.Modality),
  label: textOf(header, tag.RTPlanLabel) || textOf(header, tag.StructureSetLabel),
  prescription: prescriptionOf(header),
  structureSetUids: itemsOf(header, tag.ReferencedStructureSetSequence).map((item) =>
    textOf(item, tag.ReferencedSOPInstanceUID),
  ),
});

const linkedModalities = ['RTPLAN', 'RTSTRUCT'];

/** Query for the plans and structure sets of a study. */
export const linkedObjects = ({ studyInstanceUID, series }: StudyDetails) => {
  const linkedSeries = series.filter(({ modality }) => linkedModalities.includes(modality));
  return queryOptions({
    queryKey: ['viewer', 'plans', studyInstanceUID, linkedSeries.map(({ seriesInstanceUID }) => seriesInstanceUID)],
    queryFn: async ({ signal }) =>
      (
        await Promise.all(
          linkedSeries.map(({ seriesInstanceUID }) => readHeaders(studyInstanceUID, seriesInstanceUID, signal)),
        )
      )
        .flat()
        .map(linkedOf),
    staleTime: Number.POSITIVE_INFINITY,
  });
};

/** Plan, prescription and structure sets of a dose. A label is undefined if the study has no such object. */
export type DoseFacts = {
  plans: readonly (string | undefined)[];
  structureSets: readonly (string | undefined)[];
  /** In Gy. Undefined if percents of it would be wrong: for fractions and beams, relative doses and several plans. */
  prescription: number | undefined;
};

/** Finds the objects to which a dose refers. A plan names the structure set if the dose does not. */
export const factsOf = (dose: Dose, linked: readonly Linked[]): DoseFacts => {
  const find = (uid: string) => linked.find(({ sopInstanceUID }) => sopInstanceUID === uid);
  const plans = dose.planUids.map(find);
  const [only] = plans;
  const structureSets =
    dose.structureSetUids.length > 0 ? dose.structureSetUids : plans.flatMap((plan) => plan?.structureSetUids ?? []);
  const isOfPlan = dose.summation === 'PLAN' && dose.unit !== '' && plans.length === 1;
  return {
    plans: plans.map((plan) => plan?.label),
    structureSets: structureSets.map((uid) => find(uid)?.label),
    prescription: isOfPlan ? only?.prescription : undefined,
  };
};
