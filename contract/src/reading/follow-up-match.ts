import { modalitiesMatching } from '../core/modalities.ts';
import { type FollowUpPart, partAgreement, partsNamedIn } from './follow-up-parts.ts';
import type { FollowUpModality, FollowUpUnit } from './follow-up-states.ts';
import type { FollowUpInterval } from './follow-up-text.ts';

const twoDigits = (number: number) => String(number).padStart(2, '0');

const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** Returns the day ("yyyy-MM-dd") some days, weeks, months or years later. The 31st becomes the last day of a short month. */
export const dayLater = (day: string, count: number, unit: FollowUpUnit): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  if (unit === 'DAY' || unit === 'WEEK') {
    const days = unit === 'WEEK' ? count * 7 : count;
    return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
  }
  const months = year * 12 + month - 1 + (unit === 'YEAR' ? count * 12 : count);
  const [laterYear, laterMonth] = [Math.floor(months / 12), months % 12];
  return `${laterYear}-${twoDigits(laterMonth + 1)}-${twoDigits(Math.min(date, lastDayOf(laterYear, laterMonth)))}`;
};

/** Days within which an examination is due if its recommendation names no time. */
export const daysWithoutTime = 30;

/** Returns the first and last day on which a recommended examination is due, counted from the day of the study. */
export const dueWindow = (day: string, interval: FollowUpInterval | null): { dueFrom: string; dueTo: string } =>
  interval === null
    ? { dueFrom: day, dueTo: dayLater(day, daysWithoutTime, 'DAY') }
    : { dueFrom: dayLater(day, interval.from, interval.unit), dueTo: dayLater(day, interval.to, interval.unit) };

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** A recommended examination: what, when, and the day of the study that led to it. */
export type AwaitedExamination = {
  modality: FollowUpModality | '';
  bodyPart: FollowUpPart | '';
  /** Day of the study of the report. */
  since: string;
  dueFrom: string;
  dueTo: string;
};

/** A study that may be the recommended examination. */
export type ArrivedStudy = {
  /** Day of the study; null without a date. */
  day: string | null;
  modality: string;
  modalities: readonly string[];
  description: string;
  /** BodyPartExamined of the series. */
  bodyParts: readonly string[];
};

/** FULL: the recommended examination. PARTIAL: only some facts agree, so a person decides. NONE: another examination. */
export type FollowUpMatch = 'FULL' | 'PARTIAL' | 'NONE';

/**
 * Compares a study with a recommended examination by modality, body part and day. A study before or on the day of the
 * first study never matches. FULL: all three agree. PARTIAL: two agree, and the body part is not another one.
 */
export const followUpMatch = (awaited: AwaitedExamination, study: ArrivedStudy): FollowUpMatch => {
  if (study.day === null || study.day <= awaited.since) return 'NONE';
  const examined = [study.description, ...study.bodyParts].flatMap((text) => partsNamedIn(text));
  const part = partAgreement(
    awaited.bodyPart,
    examined.map(({ part: named }) => named),
  );
  if (part === 'OTHER') return 'NONE';
  const agreeing = [hasModality(awaited.modality, study), part === 'SAME', isInTolerance(awaited, study.day)];
  const count = agreeing.filter(Boolean).length;
  if (count === 3) return 'FULL';
  return count === 2 ? 'PARTIAL' : 'NONE';
};

/** A PET/CT counts as PET only, because its CT usually does not replace a diagnostic one. */
const hasModality = (awaited: FollowUpModality | '', { modality, modalities }: ArrivedStudy): boolean => {
  if (awaited === '') return false;
  const shown = [modality, ...modalities];
  if (shown.includes('PT')) return awaited === 'PT';
  return modalitiesMatching(awaited).some((one) => shown.includes(one));
};

/**
 * Tolerance. Early: a third of the time until the examination is due, at least 14 days. Late: half of that time, at least
 * 30 days.
 */
const isInTolerance = ({ since, dueFrom, dueTo }: AwaitedExamination, day: string): boolean => {
  const early = Math.max(14, Math.round(daysBetween(since, dueFrom) / 3));
  const late = Math.max(30, Math.round(daysBetween(since, dueTo) / 2));
  return day >= dayLater(dueFrom, -early, 'DAY') && day <= dayLater(dueTo, late, 'DAY');
};
