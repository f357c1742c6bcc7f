import { useMatches } from '@tanstack/react-router';

/** Returns the title of the current screen, as its route declares it. */
export const useTitle = (): string | undefined =>
  useMatches({
    select: (matches) => {
      const match = matches.at(-1);
      const title = match?.staticData.title;
      return typeof title === 'function' ? title(match?.search ?? {}) : title;
    },
  });
