import { t } from '@lingui/core/macro';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';

/** Returns the name of a study: the description by the department, or else the description by the scanner. */
export const nameOfStudy = ({ description, studyDescription }: Pick<StudyRow, 'description' | 'studyDescription'>) =>
  description || studyDescription || t`No description`;
