import type { Page } from '@playwright/test';

type Stop = { what: string; fault: string | undefined; isFirst: boolean; isOut: boolean };

/**
 * Goes through a page by Tab alone until it begins again, and names what somebody without a mouse would not see: focus
 * that nothing shows (WCAG 2.4.7) or that something covers whole (2.4.11), and where it is lost.
 */
export const tabFaults = async (page: Page, most = 90): Promise<string[]> => {
  const faults = new Set<string>();
  await page.evaluate(() => {
    // No mark in the page: each change of an attribute would have the page laid out again.
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
  // What is marked may be the field around, as for a switch or a search.
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
