import { type Fetching, presentOf } from './fetch-missing.ts';
import type { Progress } from './progress.ts';

/** Number of checks per idle period. */
const looks = 10;

/**
 * Returns a signal that aborts when no requested instance was stored for `longest` milliseconds. Each wait for an
 * archive has its own limit, but an archive could send useless answers for days. Counts the instances in our archive,
 * because those of C-MOVE arrive through the gateway and not through the import.
 */
export const abortWhenIdle = (
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

  // Errors of the check are ignored. Without the database, the import fails in any case.
  const looking = Number.isFinite(longest)
    ? setInterval(() => void look().catch(() => {}), longest / looks)
    : undefined;
  return { signal: controller.signal, stop: () => clearInterval(looking) };
};
