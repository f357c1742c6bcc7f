import type { StudyRow } from '@radwork/contract/studies';

/** What people call a study: their own words, else those of the scanner (C18). */
export const nameOfStudy = ({ description, studyDescription }: Pick<StudyRow, 'description' | 'studyDescription'>) =>
  description || studyDescription || 'No description';
