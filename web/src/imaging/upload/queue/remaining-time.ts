import { t } from '@lingui/core/macro';
/** Formats the remaining time, rounded because it is an estimate: "2 min 10 s left", "1 h 5 min left". */
export const formatRemaining = (seconds: number): string => {
  if (seconds < 5) return t`a few seconds left`;
  const nearly = Math.round(seconds / 5) * 5;
  if (seconds < 60) return t`${nearly} s left`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.floor((seconds % 60) / 10) * 10;
  if (minutes < 60) return t`${minutes} min ${rest} s left`;
  const [hours, minutesOfHour] = [Math.floor(minutes / 60), minutes % 60];
  return t`${hours} h ${minutesOfHour} min left`;
};
