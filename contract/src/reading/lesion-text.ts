import { isContradictory, lesionStateLabels } from './lesion-states.ts';
import type { Lesion, LesionReading, LesionsOfStudy } from './lesions.ts';
import { type RecistLesion, recistTable, type RecistTable } from './recist.ts';

const oneDecimal = (value: number): string => String(Math.round(value * 10) / 10);

/** Formats a change with its sign: "+3.2", "−6", "0". */
const signed = (value: number): string => {
  const written = oneDecimal(Math.abs(value));
  if (written === '0') return '0';
  return value < 0 ? `−${written}` : `+${written}`;
};

/** Formats a diameter: "14 mm × 9 mm", or "14 mm". Empty without a length in mm. */
export const diameterText = ({ longMm, shortMm }: Pick<LesionReading, 'longMm' | 'shortMm'>): string =>
  [longMm, shortMm].flatMap((length) => (length === null ? [] : `${oneDecimal(length)} mm`)).join(' × ');

/** Formats the change of a length: "−6 mm (−30 %)". Empty without both lengths; from 0 mm without percent. */
export const changeText = (before: number | null, after: number | null): string => {
  if (before === null || after === null) return '';
  const percent = before === 0 ? '' : ` (${signed((100 * (after - before)) / before)} %)`;
  return `${signed(after - before)} mm${percent}`;
};

/** Describes a reading in the table: the diameters, the state, or both if they contradict each other. "–" without any. */
export const readingText = (reading: LesionReading | undefined): string => {
  if (!reading) return '–';
  const [diameters, { state }] = [diameterText(reading), reading];
  if (state === null) return diameters || '–';
  return isContradictory(reading) ? `${lesionStateLabels[state]}, ${diameters}` : lesionStateLabels[state];
};

/** Returns the diameter by which a lesion is followed: the short axis of a node, else the longest diameter. */
export const followedMm = (isNode: boolean, reading: LesionReading | undefined): number | null => {
  if (reading && isContradictory(reading)) return null;
  if (reading?.state === 'ABSENT') return 0;
  return (isNode ? reading?.shortMm : reading?.longMm) ?? null;
};

/** Returns the reading of a lesion in a study, and its last reading in an earlier study. */
export const readingsAround = (
  { readings }: Lesion,
  timepoints: LesionsOfStudy['timepoints'],
  studyId: string,
): { before: LesionReading | undefined; now: LesionReading | undefined } => {
  const order = timepoints.map((timepoint) => timepoint.studyId);
  const at = order.indexOf(studyId);
  const earlier = readings.filter((reading) => order.indexOf(reading.studyId) < at);
  return { before: earlier.at(-1), now: readings.find((reading) => reading.studyId === studyId) };
};

/** Evaluates the lesions of a patient by RECIST 1.1. `days` names the studies in its messages. */
export const recistOf = ({
  timepoints,
  lesions,
  areReadingsLeftOut,
}: LesionsOfStudy): RecistTable & { days: string[] } => {
  const days = timepoints.map(({ studyDate, description }) => studyDate?.slice(0, 10) ?? description);
  const rows = lesions.map(({ id, label, organ, isNode, kind, readings }): RecistLesion => ({
    id,
    label,
    organ,
    isNode,
    kind,
    readings: timepoints.map(({ studyId }) => readings.find((reading) => reading.studyId === studyId) ?? null),
  }));
  return { ...recistTable(rows, days, areReadingsLeftOut), days };
};

/** Formats a sum or a change for the table: "60 mm", "−46.7 %"; "–" if unknown. */
export const sumText = (mm: number | null): string => (mm === null ? '–' : `${oneDecimal(mm)} mm`);
export const percentText = (percent: number | null): string => (percent === null ? '–' : `${signed(percent)} %`);
