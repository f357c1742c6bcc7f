import type { Locator, Page } from '@playwright/test';

/** Effort to read one study: clicks and keys apart from the writing, those for the confirmation (C43), and seconds. */
export type StudyEffort = { clicks: number; keys: number; confirmation: number; seconds: number };

/** Counts the actions of a reader. Typing the report is not counted. */
export const countActions = (page: Page) => {
  const began = performance.now();
  const counts = { clicks: 0, keys: 0, confirmation: 0 };
  const count = (kind: 'clicks' | 'keys', isConfirmation: boolean) => {
    counts[kind] += 1;
    if (isConfirmation) counts.confirmation += 1;
  };
  return {
    click: async (target: Locator, { isConfirmation = false } = {}) => {
      await target.click();
      count('clicks', isConfirmation);
    },
    /** Counts a chord or a sequence, such as "q n", as one action. */
    press: async (keys: string, { isConfirmation = false } = {}) => {
      for (const key of keys.split(' ')) await page.keyboard.press(key === 'Space' ? ' ' : key);
      count('keys', isConfirmation);
    },
    /** Goes back in the history of the browser, as by Alt+Left. */
    goBack: async () => {
      await page.goBack();
      count('keys', false);
    },
    effort: (): StudyEffort => ({ ...counts, seconds: (performance.now() - began) / 1000 }),
  };
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Prints the effort of each study, and the medians. */
export const printEfforts = (efforts: readonly StudyEffort[]): void => {
  for (const [at, { clicks, keys, confirmation, seconds }] of efforts.entries()) {
    const actions = clicks + keys;
    console.log(
      `study ${at + 1}: ${actions} actions (${clicks} clicks, ${keys} keys), ${confirmation} of them the confirmation, ${seconds.toFixed(1)} s`,
    );
  }
  const actions = median(efforts.map(({ clicks, keys }) => clicks + keys));
  const confirmation = median(efforts.map((effort) => effort.confirmation));
  const seconds = median(efforts.map((effort) => effort.seconds));
  console.log(
    `median: ${actions} actions, ${actions - confirmation} beside the confirmation, ${seconds.toFixed(1)} s with the writing`,
  );
};
