import { daysInWords } from '#ui/formats.ts';
import type { ReportsSearch } from './reports-search.ts';

/** Names the filters set by a link of the dashboard that no field above the list shows. */
export const figureWords = ({ signedFrom, signedTo, signedBy, priority, isFirst }: ReportsSearch): string[] =>
  [
    (signedFrom ?? signedTo) && `signed ${daysInWords(signedFrom, signedTo)}`,
    signedBy && 'signed by one reader',
    priority,
    isFirst && 'first report of its study',
  ].filter((words): words is string => Boolean(words));
