import { late } from '#ui/late.tsx';

/** Unsaved text for a deleted study. Rarely needed, so its code loads on demand. */
export const LateLostTexts = late(
  async () => (await import('#features/reports/texts-of-lost-study.tsx')).TextsOfLostStudy,
);
