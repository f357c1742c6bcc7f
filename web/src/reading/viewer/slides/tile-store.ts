/** A decoded tile. `close` frees its memory. */
export type Bitmap = { width: number; height: number; close: () => void };

export type TileState<B> = { state: 'ready'; bitmap: B } | { state: 'failed'; error: unknown };

type Wanted = { key: string };

type Options<T, B> = {
  load: (tile: T, signal: AbortSignal) => Promise<B>;
  /** Called after a tile was loaded or has failed. */
  onChange: () => void;
  /** Bytes of decoded tiles. The tiles of the current view stay even if they take more. */
  budget: number;
  /** Requests at the same time. */
  parallel?: number;
};

const bytesOf = ({ width, height }: Bitmap): number => width * height * 4;

/**
 * Loads the tiles of a view in order and keeps those of earlier views up to a budget, the least recently used go first.
 * A request is aborted when its tile is no longer wanted. A failed tile is not requested again before `retry`.
 */
export const createTileStore = <T extends Wanted, B extends Bitmap>({
  load,
  onChange,
  budget,
  parallel = 6,
}: Options<T, B>) => {
  const ready = new Map<string, B>();
  const failed = new Map<string, unknown>();
  const loading = new Map<string, AbortController>();
  let wanted: readonly T[] = [];
  let wantedKeys = new Set<string>();
  let bytes = 0;

  const evict = () => {
    for (const [key, bitmap] of ready) {
      if (bytes <= budget) return;
      if (wantedKeys.has(key)) continue;
      ready.delete(key);
      bytes -= bytesOf(bitmap);
      bitmap.close();
    }
  };

  const fetchOne = async (tile: T) => {
    const { key } = tile;
    const abort = new AbortController();
    loading.set(key, abort);
    try {
      const bitmap = await load(tile, abort.signal);
      if (abort.signal.aborted) {
        bitmap.close();
        return;
      }
      ready.set(key, bitmap);
      bytes += bytesOf(bitmap);
      evict();
    } catch (error) {
      if (abort.signal.aborted) return;
      failed.set(key, error);
    } finally {
      if (loading.get(key) === abort) loading.delete(key);
      next();
      if (!abort.signal.aborted) onChange();
    }
  };

  const isMissing = ({ key }: T) => !ready.has(key) && !failed.has(key) && !loading.has(key);

  const next = () => {
    for (const tile of wanted) {
      if (loading.size >= parallel) return;
      if (isMissing(tile)) void fetchOne(tile);
    }
  };

  return {
    /** Replaces the wanted tiles, the most urgent first. */
    want: (tiles: readonly T[]) => {
      wanted = tiles;
      wantedKeys = new Set(tiles.map(({ key }) => key));
      for (const [key, abort] of loading) {
        if (wantedKeys.has(key)) continue;
        loading.delete(key);
        abort.abort();
      }
      next();
      evict();
    },

    /** Returns a tile and marks it as used. Undefined while it is not loaded. */
    find: (key: string): TileState<B> | undefined => {
      const bitmap = ready.get(key);
      if (bitmap) {
        ready.delete(key);
        ready.set(key, bitmap);
        return { state: 'ready', bitmap };
      }
      return failed.has(key) ? { state: 'failed', error: failed.get(key) } : undefined;
    },

    /** Number of tiles that are not there yet. */
    pendingOf: (tiles: readonly T[]): number => tiles.filter(({ key }) => !ready.has(key) && !failed.has(key)).length,

    /** Errors of the tiles that have failed. */
    failuresOf: (tiles: readonly T[]): unknown[] =>
      tiles.flatMap(({ key }) => (failed.has(key) ? [failed.get(key)] : [])),

    /** Requests failed tiles again. */
    retry: () => {
      failed.clear();
      next();
      onChange();
    },

    bytesHeld: (): number => bytes,

    /** Aborts all requests and frees all tiles. */
    release: () => {
      wanted = [];
      wantedKeys.clear();
      for (const abort of loading.values()) abort.abort();
      for (const bitmap of ready.values()) bitmap.close();
      for (const held of [ready, loading, failed]) held.clear();
      bytes = 0;
    },
  };
};
