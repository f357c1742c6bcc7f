import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** The user's unsaved texts of a deleted study. Loaded on demand, because they are rarely needed. */
export const LostTextsOnDemand = loadOnDemand(
  async () => (await import('#reading/reports/autosaves/deleted-study-texts.tsx')).DeletedStudyTexts,
);
