import '#core/language.ts';
import { cleanup, configure } from '@testing-library/react';
import { notifications } from '@mantine/notifications';
import { afterAll, afterEach, vi } from 'vitest';

// Resets what a test file would otherwise leave for the next test file, because test files share a browser
// (vitest.config.ts): module state, notifications and the address.
vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
  document.body.replaceChildren();
});

// Sets a long limit. The first display of a screen loads code and several responses, which takes long on a busy
// machine.
configure({ asyncUtilTimeout: 20_000 });

// Mantine needs these functions when it mounts. jsdom has neither layout nor media queries.
window.matchMedia = (media) =>
  ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// Reports every element as visible, because jsdom has no layout.
window.IntersectionObserver = class {
  callback: (entries: IntersectionObserverEntry[]) => void;
  constructor(callback: (entries: IntersectionObserverEntry[]) => void) {
    this.callback = callback;
  }
  observe(target: Element) {
    const box = new DOMRect();
    this.callback([{ target, isIntersecting: true, boundingClientRect: box, intersectionRect: box }] as never);
  }
  unobserve() {}
  disconnect() {}
} as never;
Element.prototype.scrollIntoView = () => {};
// Position of the selection, which the selection menu reads.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
window.scrollTo = () => {};
// jsdom does not implement modal dialogs of the browser.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};

afterEach(() => {
  cleanup();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
