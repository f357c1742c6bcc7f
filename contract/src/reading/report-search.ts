import { t } from '../core/translate.ts';
import { z } from 'zod';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from '../core/day-filter.ts';
import { get, stream, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery } from '../core/paging.ts';
import { reportStatuses } from '../imaging/study-marks.ts';
import { person } from './report-parts.ts';
import { reportLanguages } from './report-sections.ts';
import { reportRow } from './reports.ts';

/** Languages by whose rules a text is searched. `other`: words are compared as they are written. */
export const textLanguages = [...reportLanguages, 'other'] as const;
export type TextLanguage = (typeof textLanguages)[number];

export const fewestTextLetters = 2;

const tooShort = { error: () => t`Type at least ${fewestTextLetters} characters` };

const filters = {
  /**
   * Words that all occur in the text. "Quotation marks" enclose a phrase, a minus excludes a word or phrase, and "or"
   * stands between alternatives.
   */
  text: z
    .string(tooShort)
    .trim()
    .min(fewestTextLetters, tooShort)
    .max(200, { error: () => t`Type at most 200 characters` }),
  status: z.enum(reportStatuses).optional(),
  modality: z.string().trim().max(16).optional(),
  authorId: z.uuid({ error: () => t`Choose an author` }).optional(),
  /** Days of the study. */
  startDate: dayFilter,
  endDate: dayFilter,
};

export const reportTextQuery = z.object({ ...pageQuery, ...filters }).refine(areDaysInOrder, daysOutOfOrder);
export const reportTextFilter = z.object(filters).refine(areDaysInOrder, daysOutOfOrder);
export type ReportTextFilter = z.infer<typeof reportTextFilter>;

/** A stretch of a report text. `isHit`: it matches the search. It is text, never HTML. */
export const snippetPart = z.object({ text: z.string(), isHit: z.boolean() });
export type SnippetPart = z.infer<typeof snippetPart>;

export const reportHit = reportRow.extend({
  /** The part that matches best: 0 is the text of the report, and n is its n-th addendum. */
  part: z.number(),
  snippet: z.array(snippetPart),
});
export type ReportHit = z.infer<typeof reportHit>;

export const reportHits = page(reportHit).extend({
  /** If false, there are more reports than `totalElements`. */
  isTotalExact: z.boolean(),
  /** Whether the best match comes first. If too many reports match, the newest come first. */
  isRanked: z.boolean(),
  /** Whether all older reports are in the index. If false, some of them are not found yet. */
  isIndexComplete: z.boolean(),
});
export type ReportHits = z.infer<typeof reportHits>;

/** Maximum number of reports in an export. A line at the end of the file says if there are more. */
export const mostExportedReports = 10_000;

export const reportSearch = {
  /**
   * Searches the texts of the reports that the caller may read: of drafts only for users who see drafts. Texts that were
   * replaced, by a newer signed report or by a correction, are not found.
   */
  find: get('/reports/text-search', {
    can: 'report.view',
    audited: asReading('report.searchText', 'report'),
    query: reportTextQuery,
    reply: reportHits,
  }),
  /** Returns the authors of the reports that the caller may read, by name. */
  authors: get('/reports/authors', {
    can: 'report.view',
    audited: notAudited.noPatient,
    reply: z.array(person),
  }),
};

/** Exports the hits of a text search as CSV, in the order of the search. The caller must be able to read reports too. */
export const reportHitsExport = stream('GET', '/api/reports/text-search/export', 'study.export', 'report.exportHits');

/**
 * Exports the list of reports as CSV, with the filters and order of the list. The caller must be able to read reports
 * too.
 */
export const reportsExport = stream('GET', '/api/reports/export', 'study.export', 'report.export');

export const noun = {
  calls: [reportSearch],
  streams: [reportHitsExport, reportsExport],
  actions: {
    Report: {
      'report.searchText': 'Searched report texts',
      'report.exportHits': 'Exported search of report texts',
      'report.export': 'Exported list of reports',
    },
  },
} as const satisfies Noun;
