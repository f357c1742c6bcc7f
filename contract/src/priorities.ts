/** How soon a study must be read, most urgent first. */
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

/** Reads any of the names in use for a priority (C24); undefined when it is none. */
export const readPriority = (text: string): Priority | undefined => synonyms[text.trim().toUpperCase()];
