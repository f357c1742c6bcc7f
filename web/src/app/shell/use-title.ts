import { useMatches } from '@tanstack/react-router';

/** Title of the current screen, from its route. */
export const useTitle = (): string | undefined =>
  useMatches({
    select: (matches) => {
      const shown = matches.at(-1);
      const title = shown?.staticData.title;
      return typeof title === 'function' ? title(shown?.search ?? {}) : title;
    },
  });
