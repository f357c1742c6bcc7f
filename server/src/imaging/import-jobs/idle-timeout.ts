import { type Fetching, presentOf } from './fetch-missing.ts';
import type { Progress } from './progress.ts';

/** Number of checks per idle period. */
const looks = 10;

/**
 * Aborts its signal when no requested instance was stored for `longest` milliseconds. Each wait for an archive is
 * limited, but useless answers could block an import for days. Checks our archive, because C-MOVE delivers instances
 * through the gateway and not through the import.
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

  // An error of the check is ignored, because without the database the import fails in any case.
  const looking = Number.isFinite(longest)
    ? setInterval(() => void look().catch(() => {}), longest / looks)
    : undefined;
  return { signal: controller.signal, stop: () => clearInterval(looking) };
};
