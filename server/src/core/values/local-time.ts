/** Formats a time without a time zone as the contract defines it. Times in files may contain fractions of a second. */
export const localTime = (time: string | null): string | null =>
  time === null || time.startsWith('0001-01-01') ? null : time.slice(0, 19);

/** Columns of `studies` that state when the study took place. Null when a left join found no study. */
type StudyTime = { study_date: string | null; is_study_time_known: boolean | null };

/**
 * Formats the time of a study as in the contract: "2026-11-20T09:30:00", or the day alone, "2026-11-20", when the time is
 * unknown. Null without a date.
 */
export const localStudyTime = ({ study_date, is_study_time_known }: StudyTime): string | null => {
  const local = localTime(study_date);
  return is_study_time_known ? local : (local?.slice(0, 10) ?? null);
};
