/** Formats the remaining time, rounded as coarsely as the estimate: "2 min 10 s left", "1 h 5 min left". */
export const formatRemaining = (seconds: number): string => {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 60) return `${Math.round(seconds / 5) * 5} s left`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor((seconds % 60) / 10) * 10} s left`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
};
