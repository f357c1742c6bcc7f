import { studyAgeLabels, studyStageLabels } from '@radwork/contract/study-work-filters';
import { daysInWords } from '#ui/formats.ts';
import type { StudiesSearch } from './studies-search.ts';

/** Returns labels of dashboard filters that have no field above the list. */
export const figureWords = (search: StudiesSearch): string[] => {
  const { priority, mainModality, stage, age, arrivedFrom, arrivedTo, assigneeId } = search;
  return [
    stage && studyStageLabels[stage],
    age && `without a report, arrived ${studyAgeLabels[age].toLowerCase()} ago`,
    priority,
    mainModality && `main modality ${mainModality}`,
    (arrivedFrom ?? arrivedTo) && `arrived ${daysInWords(arrivedFrom, arrivedTo)}`,
    assigneeId && 'assigned to one reader',
  ].filter((words): words is string => Boolean(words));
};
