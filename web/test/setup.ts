import { cleanup, configure } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { afterAll, afterEach, vi } from 'vitest';

// Files share a browser (vitest.config.ts). What one leaves is no other's: modules of ours with their memories, notices,
// and the address.
vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
  document.body.replaceChildren();
});

// A screen is loaded when it is first shown and asks for several things: on a busy machine that takes its time. A test
// that waits in vain says so later, and none fails for the second that others took.
configure({ asyncUtilTimeout: 20_000 });

// Mantine asks for these when it mounts; jsdom has neither layout nor media queries.
window.matchMedia = (media) =>
  ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// Without layout all of a page is on the screen.
window.IntersectionObserver = class {
  tell: (entries: IntersectionObserverEntry[]) => void;
  constructor(tell: (entries: IntersectionObserverEntry[]) => void) {
    this.tell = tell;
  }
  observe(target: Element) {
    const whole = new DOMRect();
    this.tell([{ target, isIntersecting: true, boundingClientRect: whole, intersectionRect: whole }] as never);
  }
  unobserve() {}
  disconnect() {}
} as never;
Element.prototype.scrollIntoView = () => {};
// Where selected words stand, which the menu beside them asks.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
window.scrollTo = () => {};

afterEach(() => {
  cleanup();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
