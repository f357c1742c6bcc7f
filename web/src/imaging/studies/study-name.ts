import { t } from '@lingui/core/macro';
import type { StudyRow } from '@radwork/contract/imaging/studies';

/** Returns the name of a study: the department's description, or the scanner's (C18). */
export const nameOfStudy = ({ description, studyDescription }: Pick<StudyRow, 'description' | 'studyDescription'>) =>
  description || studyDescription || t`No description`;
