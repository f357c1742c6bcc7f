import { onFirstUse } from '@radwork/contract/core/on-first-use';
import { monthNames } from './month-names.ts';
import type { Stretch } from './stretch.ts';

const year = String.raw`(?:1[89]|20)\d\d`;
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const month = String.raw`(?:0?[1-9]|1[0-2])`;
const between = String.raw`\s?[-‐‑–—/.·]\s?`;
/** A date begins here unless a letter, a number, or a number with punctuation comes directly before it. */
const begins = String.raw`(?<![\p{L}\p{N}]|\p{N}[.,/-])`;
/**
 * A date does not end here if a letter, a further number or a unit follows. Three numbers with a unit are a size. A
 * time may follow directly, as in ISO 8601.
 */
const ends = String.raw`(?!(?!T\d)[\p{L}\p{N}]|[.,/]\d|\s*(?:mm|cm|ml)\b)`;
const ordinal = String.raw`(?:st|nd|rd|th|\.|º|er)?`;
/** Separators in a date that names its month. */
const beside = String.raw`[\s\-‐‑–—/.,]{0,3}(?:(?:of|de|del|do|den) )?`;
const shortYear = String.raw`(?:${year}|['’]?\d\d)`;

const forms = onFirstUse((): readonly RegExp[] => {
  const monthName = String.raw`(?:${monthNames().join('|')})\.?`;
  return [
    // 2026-11-22, 2026/11/22, 2026.11.22, 26-11-22, and 20261122 as in DICOM.
    `${begins}${year}${between}${month}${between}${day}${ends}`,
    `${begins}${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])${ends}`,
    `${begins}\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])${ends}`,
    // 22.11.2026, 22/11/26, 11-22-2026.
    `${begins}${day}${between}${day}${between}(?:${year}|\\d\\d)${ends}`,
    // 11/2026, 11.2026.
    `${begins}${month}[/.]${year}${ends}`,
    // 22 November 2026, 22-NOV-26, 22. Nov., November 22nd, 2026, 22 de noviembre de 2026, 2026 Nov 22, November 2026.
    `${begins}${day}${ordinal}${beside}${monthName}${beside}${shortYear}${ends}`,
    `${begins}${day}${ordinal}${beside}${monthName}${ends}`,
    `${begins}(?:${year}${beside})?${monthName}${beside}${day}${ordinal}(?:${beside}${year})?${ends}`,
    `${begins}${monthName}${beside}${year}${ends}`,
    // 2026年11月22日
    `${year}\\s{0,3}年\\s{0,3}${month}\\s{0,3}月(?:\\s{0,3}${day}\\s{0,3}[日号號])?`,
  ].map((form) => new RegExp(form, 'giu'));
});

/** Finds dates in a text, in many notations. A year alone is ignored, because it does not identify a person. */
export const datesIn = (text: string): Stretch[] =>
  forms().flatMap((form) =>
    Array.from(text.matchAll(form), ({ index, 0: date }) => ({ from: index, to: index + date.length })),
  );
