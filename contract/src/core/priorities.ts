/** Priorities, most urgent first. */
export const priorities = ['STAT', 'URGENT', 'ROUTINE'] as const;
export type Priority = (typeof priorities)[number];

const synonyms: Record<string, Priority> = {
  STAT: 'STAT',
  URGENT: 'URGENT',
  HIGH: 'URGENT',
  ASAP: 'URGENT',
  ROUTINE: 'ROUTINE',
  NORMAL: 'ROUTINE',
  MEDIUM: 'ROUTINE',
  LOW: 'ROUTINE',
};

/** Converts any common name of a priority. Undefined if unknown. */
export const readPriority = (text: string): Priority | undefined => synonyms[text.trim().toUpperCase()];
