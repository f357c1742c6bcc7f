import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useEffect } from 'react';
import { rememberItem } from '#insight/search/recent-items.ts';
import { studyItem } from '#insight/search/study-item.ts';

/** Offers the open study as a recent subject in the palette. The list exists only in the memory of this tab. */
export const useRecentStudy = (study: StudyDetails): void => {
  useEffect(() => rememberItem(studyItem(study)), [study]);
};
