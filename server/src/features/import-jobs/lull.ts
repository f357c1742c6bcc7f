import { type Fetching, presentOf } from './fetch-missing.ts';
import type { Progress } from './progress.ts';

/** How often it is looked, in the time of a lull. */
const looks = 10;

/**
 * Aborts its signal when for so many milliseconds nothing that an import wants has been stored. Each wait for an archive
 * is short and each answer bounded, but many answers that bring nothing would keep an import, and its place, for days.
 * What is here is asked of our archive: by C-MOVE, instances come through the gateway and not through the import.
 */
export const watchLull = (
  fetching: Pick<Fetching, 'archive' | 'session' | 'studyInstanceUID'>,
  progress: Progress,
  longest: number,
): { signal: AbortSignal; stop: () => void } => {
  const controller = new AbortController();
  let most = 0;
  let since = performance.now();

  const look = async () => {
    const { size } = progress.expected ? await presentOf(fetching, progress.expected) : new Set();
    if (size > most) [most, since] = [size, performance.now()];
    else if (performance.now() - since >= longest) controller.abort();
  };

  // Without the database nothing is known, and the import hears of that itself.
  const looking = Number.isFinite(longest)
    ? setInterval(() => void look().catch(() => {}), longest / looks)
    : undefined;
  return { signal: controller.signal, stop: () => clearInterval(looking) };
};
