import type { Page } from '@playwright/test';

type Stop = { what: string; fault: string | undefined; isFirst: boolean; isOut: boolean };

/**
 * Presses Tab through a page until the focus returns to the start. Returns faults for keyboard users: invisible focus
 * (WCAG 2.4.7), fully covered focus (2.4.11), and lost focus.
 */
export const tabFaults = async (page: Page, most = 90): Promise<string[]> => {
  const faults = new Set<string>();
  await page.evaluate(() => {
    // Keeps the visited elements in a WeakSet. A mark in an attribute would cause a new layout each time.
    Object.assign(window, { tabbed: new WeakSet() });
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  for (let press = 0; press < most; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(lookAtFocus);
    if (stop.isOut || !stop.isFirst) break;
    if (stop.fault) faults.add(`${stop.what}: ${stop.fault}`);
  }
  return [...faults];
};

const lookAtFocus = (): Stop => {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) {
    return { what: '', fault: undefined, isFirst: false, isOut: true };
  }
  const { tabbed } = window as unknown as { tabbed: WeakSet<Element> };
  const isFirst = !tabbed.has(element);
  tabbed.add(element);
  const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
  const what = `${element.tagName.toLowerCase()} "${name}"`;
  // The visible focus mark may be on a surrounding field, as for a switch or a search.
  const around = [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling];
  const isMarked = around.some((one) => {
    if (!one) return false;
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(one);
    return (
      (outlineStyle !== 'none' && outlineWidth !== '0px') ||
      boxShadow !== 'none' ||
      (one.matches('input, textarea, select') && borderColor !== 'rgb(110, 121, 136)')
    );
  });
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [from, to] = [Math.max(0, left), Math.min(innerWidth, right)];
  const [over, under] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  const points = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => document.elementFromPoint(from + (to - from) * x, over + (under - over) * y)),
  );
  const isSeen =
    to > from &&
    under > over &&
    points.some(
      (hit) =>
        hit &&
        (element.contains(hit) || around.includes(hit as HTMLElement) || hit.closest('label')?.contains(element)),
    );
  const fault = isMarked ? undefined : 'nothing shows that it has the focus';
  return { what, fault: isSeen ? fault : 'it is covered, or out of sight', isFirst, isOut: false };
};
