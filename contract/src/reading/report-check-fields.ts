import { isToFill, placeholders } from '../core/placeholders.ts';
import type { ReportBlock } from './report-check-text.ts';
import { sectionAtStart, sectionOfHeading } from './report-sections.ts';

/**
 * Replaces unfilled fields by spaces, so that positions stay the same. In a line that has nothing else, also replaces a
 * label of one word, or one that the field repeats: "Hemorrhage: [size]". A longer label may be a statement: "Tension
 * pneumothorax: [side]".
 */
export const withoutFields = ({ text, isHeading }: ReportBlock): ReportBlock => {
  const isSection = sectionAtStart(text) !== undefined || sectionOfHeading(text) !== undefined;
  const isEmpty = isToFill(text) && !isSection && isOnlyLabel(text);
  const blank = (words: string) => ' '.repeat(words.length);
  const rest = text.replaceAll(placeholders(), (field) => (isReference(field) ? field : blank(field)));
  return { text: isEmpty ? blank(text) : rest, isHeading };
};

const isOnlyLabel = (text: string): boolean => {
  const label = text.slice(0, text.indexOf(':')).trim().toLowerCase();
  const fields = text.match(placeholders()) ?? [];
  return !label.includes(' ') || fields.some((field) => field.toLowerCase().includes(label));
};

/** Whether brackets hold a number: a reference, not a gap. */
export const isReference = (field: string): boolean => /^\[[\d\s.,–-]+\]$/.test(field);
