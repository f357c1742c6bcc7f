import { useMatches } from '@tanstack/react-router';

/** What the screen that is shown is called, as its route says it. */
export const useTitle = (): string | undefined =>
  useMatches({
    select: (matches) => {
      const shown = matches.at(-1);
      const title = shown?.staticData.title;
      return typeof title === 'function' ? title(shown?.search ?? {}) : title;
    },
  });
