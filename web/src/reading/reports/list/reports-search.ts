import { priorities } from '@radwork/contract/core/priorities';
import { reportSortFields, reportViews } from '@radwork/contract/reading/report-list';
import { reportStatuses } from '@radwork/contract/imaging/study-marks';
import { z } from 'zod';
import { dayInAddress, pageInAddress, searchTextParam } from '#core/http/search-params.ts';

const sorts = reportSortFields.flatMap((field) => [`${field},asc`, `${field},desc`] as const);

/** Search parameters of the list of reports. Invalid values are ignored. */
export const reportsSearch = z.object({
  /** Selected tab; absent for all reports. */
  view: z.enum(reportViews).exclude(['ALL']).optional().catch(undefined),
  query: searchTextParam,
  status: z.enum(reportStatuses).optional().catch(undefined),
  modality: searchTextParam,
  authorId: z.uuid().optional().catch(undefined),
  reviewerId: z.uuid().optional().catch(undefined),
  critical: z.enum(['true', 'false']).optional().catch(undefined),
  startDate: searchTextParam,
  endDate: searchTextParam,
  /** Filters set by links of the dashboard. */
  signedFrom: dayInAddress,
  signedTo: dayInAddress,
  signedBy: z.uuid().optional().catch(undefined),
  priority: z.enum(priorities).optional().catch(undefined),
  isFirst: z.literal('true').optional().catch(undefined),
  ...pageInAddress,
  sort: z.enum(sorts).optional().catch(undefined),
  /** `text` shows the search in report texts instead of the list. */
  in: z.literal('text').optional().catch(undefined),
  /** Words to find in report texts. */
  text: searchTextParam,
  /** ID of the open report. */
  reportId: searchTextParam,
});
export type ReportsSearch = z.infer<typeof reportsSearch>;

export const defaultSize = 10;
export const defaultSort = 'createdAt,desc';

/** Search parameters that clear the filters set by the dashboard. */
export const noFigureFilters = {
  signedFrom: undefined,
  signedTo: undefined,
  signedBy: undefined,
  priority: undefined,
  isFirst: undefined,
} satisfies Partial<ReportsSearch>;

/** Search parameters that clear the tab and all filters. */
export const noFilters = {
  view: undefined,
  query: undefined,
  status: undefined,
  modality: undefined,
  authorId: undefined,
  reviewerId: undefined,
  critical: undefined,
  startDate: undefined,
  endDate: undefined,
  ...noFigureFilters,
  text: undefined,
  page: undefined,
} satisfies Partial<ReportsSearch>;
