import { useEffect, useMemo, useRef, useState } from 'react';
import { isHandheld } from '#reading/viewer/engine/handheld.ts';
import { loadTile, type SlidePlace } from './load-tile.ts';
import { levelFor, mostPixels, type Size, smallestTiles, type SlideView, type Tile, tilesIn, visibleBox } from './slide-view.ts';
import { createTileStore, type TileStore } from './tile-store.ts';
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
  choice: { path: string; z: number };
};

/** Loads the tiles of a view. `painting` grows with each change of the tiles. */
export const useSlideTiles = ({ studyUid, seriesUid }: SlidePlace, { pyramid, view, size, ratio, choice }: Shown) => {
  const [store, setStore] = useState<TileStore<Tile, ImageBitmap>>();
  const [painting, setPainting] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const onChange = () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        setPainting((count) => count + 1);
      }, joined);
    };
    const created = createTileStore<Tile, ImageBitmap>({
      load: (tile, signal) => loadTile({ studyUid, seriesUid }, tile, signal),
      onChange,
      budget: isHandheld() ? budgets.handheld : budgets.desktop,
    });
    setStore(created);
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      created.close();
    };
  }, [studyUid, seriesUid]);

  const target = useMemo(
    () => view && size.width > 0 ? levelFor(pyramid, view, size, { ratio, choice, pixels: pixelLimit() }) : undefined,
    [pyramid, view, size, ratio, choice],
  );
  useEffect(() => {
    if (!store || !view) return;
    const smallest = smallestTiles(pyramid, choice);
    const ofView = target === undefined ? [] : tilesIn(pyramid, target, choice, visibleBox(view, size));
    const known = new Set(smallest.map(({ key }) => key));
    store.want([...smallest, ...ofView.filter(({ key }) => !known.has(key))]);
    setPainting((count) => count + 1);
  }, [store, pyramid, view, size, target, choice]);

  return { store, target, painting };
};
