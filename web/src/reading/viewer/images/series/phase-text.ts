import { t } from '@lingui/core/macro';
import type { ImagePhase } from './image-phases.ts';
import type { PhaseKeyName, PhaseValue } from './phase-keys.ts';

const number = (value: PhaseValue): string => (typeof value === 'number' ? String(Number(value.toFixed(2))) : value);

/** Formats seconds since 1970 in local time as the time of day "HH:MM:SS". */
const clock = (moment: PhaseValue): string =>
  typeof moment === 'number' ? new Date(Math.floor(moment) * 1000).toISOString().slice(11, 19) : '';

/** Part of ImageType that tells magnitude from phase or water from fat: values 3 and later (PS3.3 §C.7.6.1.1.2). */
const kindOf = (value: PhaseValue): string => String(value).split('\\').slice(2).join(' ');

/** Texts of the attributes that name a phase, with their units (PS3.6), the most telling attribute first. */
const texts: readonly (readonly [PhaseKeyName, (value: PhaseValue) => string])[] = [
  ['DiffusionBValue', (value) => `b ${number(value)} s/mm²`],
  ['EchoTime', (value) => `TE ${number(value)} ms`],
  ['InversionTime', (value) => `TI ${number(value)} ms`],
  ['ContrastBolusAgentPhase', (value) => number(value).replaceAll('_', ' ').toLowerCase()],
  [
    'NominalPercentageOfCardiacPhase',
    (value) => {
      const percent = number(value);
      return t`${percent}% of the heart cycle`;
    },
  ],
  ['TriggerTime', (value) => `${number(value)} ms`],
  ['TemporalPositionTimeOffset', (value) => `${number(value)} s`],
  ['FrameReferenceTime', (value) => (typeof value === 'number' ? `${number(value / 1000)} s` : '')],
  ['ImageType', kindOf],
];

/** Texts of facts that are used only if no other fact tells the phase. */
const plainTexts: typeof texts = [
  [
    'EchoNumbers',
    (value) => {
      const echo = number(value);
      return t`Echo ${echo}`;
    },
  ],
  ['AcquisitionTime', clock],
  ['ContentTime', clock],
];

const textsOf = ({ facts }: ImagePhase, offered: typeof texts): string[] =>
  offered.flatMap(([name, textOf]) => {
    const value = facts[name];
    return value === undefined ? [] : [textOf(value)].filter((words) => words !== '');
  });

const mostFacts = 2;

/** Returns texts of the facts about a phase, such as its time, b-value or echo. Empty if the header gives none. */
const factsOf = (phase: ImagePhase): string[] => {
  const distinctive = textsOf(phase, texts).slice(0, mostFacts);
  return distinctive.length > 0 ? distinctive : textsOf(phase, plainTexts).slice(0, 1);
};

/** Names a phase on the picture: "Phase 2 of 3 · 10:17:00". */
export const phaseText = (phase: ImagePhase): string => {
  const position = phase.at + 1;
  const { count } = phase;
  const name = phase.isUnnamed ? t`${position} of ${count} at this position` : t`Phase ${position} of ${count}`;
  return [name, ...factsOf(phase)].join(' · ');
};

/** Names the place of a slice within its phase; '' if the phase has only one place. */
export const placeText = ({ place, places }: ImagePhase): string => {
  const position = place + 1;
  return places > 1 ? t`Slice ${position} of ${places}` : '';
};
