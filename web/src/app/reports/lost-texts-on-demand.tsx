import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

/** Unsaved text for a deleted study. Rarely needed, so its code loads on demand. */
export const LostTextsOnDemand = loadOnDemand(
  async () => (await import('#reading/reports/autosaves/deleted-study-texts.tsx')).DeletedStudyTexts,
);
