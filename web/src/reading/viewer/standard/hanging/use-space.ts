import { useCallback, useState } from 'react';

/** Rounds, so that a small change of the size does not render the viewer again. */
const rounded = (aspect: number): number => Math.round(aspect * 20) / 20;

/**
 * Measures the space for the panes. Returns a ref for its element, and its width divided by its height. Before the
 * element exists, returns the aspect of the window.
 */
export const useSpace = () => {
  const [aspect, setAspect] = useState(() => rounded(window.innerWidth / Math.max(1, window.innerHeight)));
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const measure = () => {
      const { clientWidth, clientHeight } = element;
      if (clientWidth > 0 && clientHeight > 0) setAspect(rounded(clientWidth / clientHeight));
    };
    const resized = new ResizeObserver(measure);
    measure();
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  return [ref, aspect] as const;
};
