const two = (value: number): string => String(value).padStart(2, '0');

/** Formats milliseconds: "42:07" below an hour, then "3h 05m", then "2d 04h". */
const formatSpan = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${two(minutes)}:${two(seconds % 60)}`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
};

export type Clock = { text: string; words: 'left' | 'over'; tone: 'danger' | 'warning' | 'secondary' };

/**
 * Returns the time left to communicate a finding, or the time since the limit passed. Warns in the last third of the
 * time.
 */
export const clockOf = ({ start, due }: { start: string; due: string }, now: Date): Clock => {
  const remaining = Date.parse(due) - now.getTime();
  if (remaining <= 0) return { text: formatSpan(-remaining), words: 'over', tone: 'danger' };
  const isPressing = remaining <= (Date.parse(due) - Date.parse(start)) / 3;
  return { text: formatSpan(remaining), words: 'left', tone: isPressing ? 'warning' : 'secondary' };
};
