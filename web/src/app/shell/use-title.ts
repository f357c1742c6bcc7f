import { useMatches } from '@tanstack/react-router';

/** Returns the title of the current screen, as its route declares it. */
export const useTitle = (): string | undefined =>
  useMatches({
    select: (matches) => {
      const shown = matches.at(-1);
      const title = shown?.staticData.title;
      return typeof title === 'function' ? title(shown?.search ?? {}) : title;
    },
  });
