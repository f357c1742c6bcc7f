import { loadOnDemand } from '#ui/late.tsx';

/** Unsaved text for a deleted study. Rarely needed, so its code loads on demand. */
export const LostTextsOnDemand = loadOnDemand(
  async () => (await import('#features/reports/texts-of-lost-study.tsx')).DeletedStudyTexts,
);
