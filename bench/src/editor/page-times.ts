import type { Page } from '@playwright/test';
import { sentence } from './drafts.ts';

const writable = '[role=textbox][aria-label="Report text"][contenteditable=true]';

/** Milliseconds from the click on a study in the list until its report is visible and editable. */
export const timeOpening = async (page: Page, id: string): Promise<number> => {
  await page.goto('/studies');
  const link = page.locator(`a[href^="/studies/${id}"]`).first();
  await link.waitFor();
  // Waits until the page is idle.
  await page.waitForTimeout(1500);
  return link.evaluate(
    (element: HTMLElement, selector) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        const look = () => {
          const isThere = document.querySelector(selector) !== null;
          requestAnimationFrame(isThere ? () => setTimeout(() => resolve(performance.now() - began)) : look);
        };
        element.click();
        look();
      }),
    writable,
  );
};

/** Types until after an autosave. Returns the durations of all tasks longer than 50 ms. */
export const timeTyping = async (page: Page, id: string): Promise<number[]> => {
  await page.goto(`/studies/${id}`);
  await page.locator(`${writable} p`).nth(12).click();
  await page.waitForTimeout(2000);
  const longTasks = await page.evaluateHandle(() => {
    const durations: number[] = [];
    new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ['longtask'],
    });
    return durations;
  });
  const text = sentence.repeat(4).toUpperCase();
  await page.keyboard.type(text, { delay: 40 });
  await page.waitForTimeout(1000);
  if (!(await page.locator(writable).innerText()).includes(text.trim())) throw new Error('Not everything was typed');
  return longTasks.jsonValue();
};
