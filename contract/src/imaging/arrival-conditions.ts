import { t } from '../core/translate.ts';
import { z } from 'zod';
import { modalities, modalitiesMatching } from '../core/modalities.ts';
import { priorities, type Priority } from '../core/priorities.ts';

/*
 * Conditions on a study that arrives, for rules that act on it. They are judged by the data of the study and by the
 * clock of the organization. The study list has its own conditions (study-conditions.ts).
 */

/** Days of the week from Monday (1) to Sunday (7), as in ISO 8601. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
export type Weekday = (typeof weekdays)[number];

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: () => t`Enter a time such as 07:30` });

/**
 * Hours on some days of the week, on the clock of the organization. `from` is included and `to` is not. A shift that ends
 * at or before its start ends on the next day, and counts for the day on which it begins.
 */
export const shift = z.object({
  days: z
    .array(z.literal(weekdays))
    .min(1, { error: () => t`Choose at least one day` })
    .max(7),
  from: timeOfDay,
  to: timeOfDay,
});
export type Shift = z.infer<typeof shift>;

const longestName = 64;

const names = (most: number) =>
  z
    .array(
      z
        .string()
        .trim()
        .min(1)
        // LO values of DICOM have at most 64 characters (PS3.5 §6.2).
        .max(longestName, { error: () => t`A name is longer than ${longestName} characters` }),
    )
    .max(most, { error: () => t`Use at most ${most} names` })
    .default([]);

/** All conditions must hold. A list holds if the study has one of its values; an empty list always holds. */
export const arrivalConditions = z.object({
  modalities: z
    .array(z.enum(modalities, { error: () => t`Choose a modality from the list` }))
    .max(modalities.length)
    .default([]),
  /** BodyPartExamined (0018,0015), in any case. */
  bodyParts: names(50),
  /** Institution and station names, in any case. */
  sites: names(50),
  priorities: z
    .array(z.enum(priorities, { error: () => t`Choose a priority` }))
    .max(priorities.length)
    .default([]),
  /** Null for any time. */
  shift: shift.nullable().default(null),
});
export type ArrivalConditions = z.output<typeof arrivalConditions>;

/** Data of a study that the conditions judge. */
export type ArrivalFacts = {
  modalities: readonly string[];
  /** Values of BodyPartExamined, and body parts that the description names. */
  bodyParts: readonly string[];
  /** InstitutionName (0008,0080) and StationName (0008,1010); may be empty. */
  sites: readonly string[];
  priority: Priority;
};

/** A moment on the clock of the organization: day of the week, and minutes since midnight. */
export type LocalMoment = { weekday: Weekday; minute: number };

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

const dayBefore = (day: Weekday): Weekday => weekdays[(day + 5) % 7] ?? 7;

/** Whether a moment is within a shift. */
export const isInShift = ({ days, from, to }: Shift, { weekday, minute }: LocalMoment): boolean => {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start < end) return days.includes(weekday) && start <= minute && minute < end;
  return (days.includes(weekday) && minute >= start) || (days.includes(dayBefore(weekday)) && minute < end);
};

const folded = (text: string): string => text.trim().toLowerCase();

const hasOneOf = (wanted: readonly string[], values: readonly string[]): boolean => {
  if (wanted.length === 0) return true;
  const known = new Set(values.map(folded).filter(Boolean));
  return wanted.some((value) => known.has(folded(value)));
};

/** Whether all conditions hold for a study at a moment. */
export const conditionsHold = (conditions: ArrivalConditions, facts: ArrivalFacts, moment: LocalMoment): boolean =>
  hasOneOf(conditions.modalities.flatMap(modalitiesMatching), facts.modalities) &&
  hasOneOf(conditions.bodyParts, facts.bodyParts) &&
  hasOneOf(conditions.sites, facts.sites) &&
  hasOneOf(conditions.priorities, [facts.priority]) &&
  (conditions.shift === null || isInShift(conditions.shift, moment));

const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/**
 * Returns a function that reads a moment from the clock of a time zone (IANA). An hour that a change to winter time
 * repeats counts both times.
 */
export const clockIn = (timeZone: string): ((at: Date) => LocalMoment) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = weekdays[weekdayNames.indexOf(parts.get('weekday') ?? '')] ?? 1;
    return { weekday, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
  };
};
