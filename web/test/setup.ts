import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Mantine asks for these when it mounts; jsdom has neither layout nor media queries.
window.matchMedia = (media) =>
  ({ matches: false, media, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Element.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};

afterEach(() => {
  cleanup();
  localStorage.clear();
});
