import { t } from '@lingui/core/macro';
import { studyAgeLabels, studyStageLabels } from '@radwork/contract/imaging/study-work-filters';
import { formatDateRange } from '#ui/formats/formats.ts';
import type { StudiesSearch } from './studies-search.ts';

/** Names the filters that a link of the dashboard has set and that have no field above the list. */
export const dashboardFilterLabels = (search: StudiesSearch): string[] => {
  const { priority, mainModality, stage, age, arrivedFrom, arrivedTo, assigneeId } = search;
  const time = age ? studyAgeLabels[age] : '';
  const days = formatDateRange(arrivedFrom, arrivedTo);
  return [
    stage && studyStageLabels[stage],
    age && t`no report, time since arrival: ${time}`,
    priority,
    mainModality && t`main modality ${mainModality}`,
    (arrivedFrom ?? arrivedTo) && t`arrived ${days}`,
    assigneeId && t`assigned to one reader`,
  ].filter((words): words is string => Boolean(words));
};
