import { useEffect, useMemo, useState } from 'react';
import { isHandheld } from '#reading/viewer/engine/handheld.ts';
import { loadTile, type SlidePlace } from './load-tile.ts';
import { type Choice, levelFor, mostPixels, smallestTiles, type Tile, tilesIn } from './slide-tiles.ts';
import { type Size, type SlideView, visibleBox } from './slide-view.ts';
import { createTileStore } from './tile-store.ts';
import type { Pyramid } from './slide.ts';

/** Bytes of decoded tiles in memory: of a desktop, and of a handheld device. */
const budgets = { desktop: 256 << 20, handheld: 96 << 20 } as const;

/** Returns the most pixels that the tiles of one view may have on this device. */
export const pixelLimit = (): number => mostPixels[isHandheld() ? 'handheld' : 'desktop'];

/** Waiting for this many milliseconds joins tiles that arrive together into one painting. */
const joined = 30;

type Shown = {
  pyramid: Pyramid;
  view: SlideView | undefined;
  size: Size;
  ratio: number;
  choice: Choice;
};

/** Joins calls within a short time into one. */
const joinCalls = (call: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    run: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        call();
      }, joined);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};

/**
 * Loads the tiles of a view. `painting` grows with each change of the tiles. `place` must not change while the
 * component is mounted.
 */
export const useSlideTiles = (place: SlidePlace, { pyramid, view, size, ratio, choice }: Shown) => {
  const [painting, setPainting] = useState(0);
  const [{ store, changes }] = useState(() => {
    const joinedChanges = joinCalls(() => setPainting((count) => count + 1));
    const created = createTileStore<Tile, ImageBitmap>({
      load: (tile, signal) => loadTile(place, tile, signal),
      onChange: joinedChanges.run,
      budget: isHandheld() ? budgets.handheld : budgets.desktop,
    });
    return { store: created, changes: joinedChanges };
  });

  const target = useMemo(
    () => (view && size.width > 0 ? levelFor(pyramid, view, size, { ratio, choice, pixels: pixelLimit() }) : undefined),
    [pyramid, view, size, ratio, choice],
  );
  const wanted = useMemo(() => {
    if (!view) return [];
    const smallest = smallestTiles(pyramid, choice);
    const ofView = target === undefined ? [] : tilesIn(pyramid, target, choice, visibleBox(view, size));
    const known = new Set(smallest.map(({ key }) => key));
    return [...smallest, ...ofView.filter(({ key }) => !known.has(key))];
  }, [pyramid, view, size, target, choice]);
  useEffect(() => store.want(wanted), [store, wanted]);
  useEffect(
    () => () => {
      changes.stop();
      store.release();
    },
    [store, changes],
  );

  return { store, target, painting, pending: store.pendingOf(wanted), failures: store.failuresOf(wanted) };
};
