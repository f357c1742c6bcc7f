import { t } from '@lingui/core/macro';
import { formatDateRange } from '#ui/formats/formats.ts';
import type { ReportsSearch } from './reports-search.ts';

/** Names the filters that a link of the dashboard has set and that have no field above the list. */
export const dashboardFilterLabels = ({
  signedFrom,
  signedTo,
  signedBy,
  priority,
  isFirst,
}: ReportsSearch): string[] => {
  const days = formatDateRange(signedFrom, signedTo);
  return [
    (signedFrom ?? signedTo) && t`signed ${days}`,
    signedBy && t`signed by one reader`,
    priority,
    isFirst && t`first report of the study`,
  ].filter((words): words is string => Boolean(words));
};
