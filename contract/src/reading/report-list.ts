import { z } from 'zod';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from '../core/day-filter.ts';
import { pageQuery, sortQuery } from '../core/paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from '../core/period.ts';
import { priorities } from '../core/priorities.ts';
import { t } from '../core/translate.ts';
import { reportStatuses } from '../imaging/study-marks.ts';

/**
 * Tabs of the list: own drafts, waiting for the caller's review, to revise, and finalized. The first three are empty
 * for users who cannot see drafts.
 */
export const reportViews = ['MINE', 'TO_REVIEW', 'REVISION_REQUIRED', 'FINALIZED', 'ALL'] as const;
export type ReportView = (typeof reportViews)[number];

export const reportSortFields = ['createdAt', 'studyDate', 'patientName'] as const;

/** Filters of the list. Days are those of the study. `query` searches the same fields as in the study list. */
export const reportListQuery = z
  .object({
    ...pageQuery,
    sort: sortQuery(reportSortFields, 'createdAt,desc'),
    view: z.enum(reportViews).default('ALL'),
    query: z.string().trim().max(200).optional(),
    status: z.enum(reportStatuses).optional(),
    modality: z.string().trim().max(16).optional(),
    authorId: z.uuid({ error: () => t`Choose an author` }).optional(),
    reviewerId: z.uuid({ error: () => t`Choose a reviewer` }).optional(),
    critical: z.stringbool({ error: () => t`Use true or false` }).optional(),
    startDate: dayFilter,
    endDate: dayFilter,
    /** Signer, and days of signing in the time zone of the tenant. */
    signedFrom: dayInQuery,
    signedTo: dayInQuery,
    signedBy: z.uuid({ error: () => t`Choose a reader` }).optional(),
    /** Priority of the study. */
    priority: z.enum(priorities).optional(),
    /** Whether to return only the first signed report of each study. */
    isFirst: z.stringbool({ error: () => t`Use true or false` }).optional(),
  })
  .refine(areDaysInOrder, daysOutOfOrder)
  .refine(({ signedFrom, signedTo }) => areInOrder(signedFrom, signedTo), outOfOrder('signedFrom'));
