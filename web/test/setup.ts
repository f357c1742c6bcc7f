import '#core/language.ts';
import { cleanup, configure } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { afterAll, afterEach, vi } from 'vitest';

// Test files share a browser (vitest.config.ts). Resets what one file would leave for the next: module state,
// notifications and the address.
vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
  document.body.replaceChildren();
});

// The first display of a screen loads code and several replies, which takes long on a busy machine. A long limit keeps
// tests from failing because of that.
configure({ asyncUtilTimeout: 20_000 });

// Mantine needs these when it mounts; jsdom has neither layout nor media queries.
window.matchMedia = (media) =>
  ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// Without layout, everything counts as visible.
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
// Position of the selection, which the selection toolbar reads.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
window.scrollTo = () => {};

afterEach(() => {
  cleanup();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
