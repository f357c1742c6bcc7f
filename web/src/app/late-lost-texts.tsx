import { late } from '#ui/late.tsx';

/** What somebody has written in a study that is gone. Hardly anybody ever needs its code. */
export const LateLostTexts = late(
  async () => (await import('#features/reports/texts-of-lost-study.tsx')).TextsOfLostStudy,
);
