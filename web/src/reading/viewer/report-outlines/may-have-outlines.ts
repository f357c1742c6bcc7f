import type { StudyDetails } from '@radwork/contract/imaging/study-rows';

/** Whether a study has reports, whose outlines may lie on its images. */
export const mayHaveOutlines = ({ series }: StudyDetails): boolean =>
  series.some(({ modality, contents }) => modality === 'SR' || (contents?.documents ?? 0) > 0);
