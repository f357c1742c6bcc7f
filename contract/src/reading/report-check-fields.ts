import { isToFill, placeholders } from '../core/placeholders.ts';
import type { ReportBlock } from './report-check-text.ts';
import { sectionAtStart, sectionOfHeading } from './report-sections.ts';

/**
 * Replaces unfilled fields by spaces, so that positions stay the same, and with them the label of a line that has
 * nothing else: "Hemorrhage: [Hemorrhage]".
 */
export const withoutFields = ({ text, isHeading }: ReportBlock): ReportBlock => {
  const isEmpty = isToFill(text) && sectionAtStart(text) === undefined && sectionOfHeading(text) === undefined;
  const blank = (words: string) => ' '.repeat(words.length);
  const rest = text.replaceAll(placeholders(), (field) => (isReference(field) ? field : blank(field)));
  return { text: isEmpty ? blank(text) : rest, isHeading };
};

/** Whether brackets hold a number: a reference, not a gap. */
export const isReference = (field: string): boolean => /^\[[\d\s.,–-]+\]$/.test(field);
