import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** The user's unsaved texts of a deleted study. The code is loaded on demand, because such texts are rare. */
export const LostTextsOnDemand = loadOnDemand(
  async () => (await import('#reading/reports/autosaves/deleted-study-texts.tsx')).DeletedStudyTexts,
);
