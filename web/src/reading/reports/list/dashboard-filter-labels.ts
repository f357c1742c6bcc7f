import { t } from '@lingui/core/macro';
import { formatDateRange } from '#ui/formats/formats.ts';
import type { ReportsSearch } from './reports-search.ts';

/** Names the filters set by a link of the dashboard that no field above the list shows. */
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
