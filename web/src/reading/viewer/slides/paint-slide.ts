import { type Choice, layerOf, mostTiles, type Tile, tileCount, tilesIn } from './slide-tiles.ts';
import { type Size, type SlideView, toScreen, visibleBox } from './slide-view.ts';
import type { TileState } from './tile-store.ts';
import type { Pyramid } from './slide.ts';

type Find = (key: string) => TileState<ImageBitmap> | undefined;

type Painting = {
  pyramid: Pyramid;
  view: SlideView;
  size: Size;
  /** Pixels of the screen for a CSS pixel. */
  ratio: number;
  choice: Choice;
  /** Index of the level for this view. Undefined if every level would need too many tiles. */
  target: number | undefined;
  find: Find;
};

const ground = '#15181c';
const hatchColors = ['#2a2f36', '#353b44'] as const;
const failed = { veil: 'rgba(60, 12, 12, 0.72)', line: '#ff8078' } as const;

/** Stripes where there is no tile. They look like no tissue and no glass. */
const hatchOf = (context: CanvasRenderingContext2D, ratio: number): CanvasPattern | string => {
  const side = Math.round(16 * ratio);
  const stripes = new OffscreenCanvas(side, side);
  const pen = stripes.getContext('2d');
  if (!pen) return hatchColors[0];
  pen.fillStyle = hatchColors[0];
  pen.fillRect(0, 0, side, side);
  pen.strokeStyle = hatchColors[1];
  pen.lineWidth = side / 4;
  for (const shift of [-side, 0, side]) {
    pen.beginPath();
    pen.moveTo(shift - side / 2, side * 1.5);
    pen.lineTo(shift + side * 1.5, -side / 2);
    pen.stroke();
  }
  return context.createPattern(stripes, 'repeat') ?? hatchColors[0];
};

const isAligned = (angle: number): boolean => Math.abs(Math.sin(2 * angle)) < 1e-6;

/** Places the pen so that one unit is one pixel of a tile, from its top left corner. */
const placePen = (
  context: CanvasRenderingContext2D,
  { pyramid, view, size, ratio }: Painting,
  { level, left, top, columns, rows }: Tile,
): void => {
  const { wide = 1, tall = 1 } = pyramid.levels[level] ?? {};
  // Whole pixels of the screen, so that no seam shows between neighbors.
  const round = isAligned(view.turn.angle) ? Math.round : (value: number) => value;
  const corner = (column: number, row: number) => {
    const { x, y } = toScreen(view, size, { x: column * wide, y: row * tall });
    return { x: round(x * ratio), y: round(y * ratio) };
  };
  const [start, right, below] = [corner(left, top), corner(left + columns, top), corner(left, top + rows)];
  context.setTransform(
    ...([(right.x - start.x) / columns, (right.y - start.y) / columns] as const),
    ...([(below.x - start.x) / rows, (below.y - start.y) / rows] as const),
    ...([start.x, start.y] as const),
  );
};

const markFailed = (context: CanvasRenderingContext2D, painting: Painting, tile: Tile): void => {
  placePen(context, painting, tile);
  const { columns, rows } = tile;
  context.fillStyle = failed.veil;
  context.fillRect(0, 0, columns, rows);
  context.beginPath();
  context.rect(0, 0, columns, rows);
  context.moveTo(0, 0);
  context.lineTo(columns, rows);
  context.moveTo(columns, 0);
  context.lineTo(0, rows);
  // Strokes are drawn in pixels of the screen.
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.lineWidth = 2 * painting.ratio;
  context.strokeStyle = failed.line;
  context.stroke();
};

/** Paints a view: stripes for the area of the slide, then its tiles from the smallest level to the target level. */
export const paintSlide = (context: CanvasRenderingContext2D, painting: Painting): void => {
  const { pyramid, view, size, ratio, choice, target, find } = painting;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = ground;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.fillStyle = hatchOf(context, ratio);
  context.beginPath();
  for (const [x, y] of [
    [0, 0],
    [pyramid.width, 0],
    [pyramid.width, pyramid.height],
    [0, pyramid.height],
  ] as const) {
    const place = toScreen(view, size, { x, y });
    context.lineTo(place.x * ratio, place.y * ratio);
  }
  context.fill();
  const box = visibleBox(view, size);
  const last = target ?? pyramid.levels.length;
  for (let index = pyramid.levels.length - 1; index >= last; index -= 1) {
    const level = pyramid.levels[index];
    const layer = level && layerOf(level, choice);
    if (!layer || tileCount(level, layer, box) > mostTiles) continue;
    // Smooth while pixels are small. Enlarged pixels stay sharp, so that nothing is invented.
    context.imageSmoothingEnabled = view.scale * ratio * level.wide < 4;
    context.imageSmoothingQuality = 'high';
    const tiles = tilesIn(pyramid, index, choice, box);
    for (const tile of tiles) {
      const found = find(tile.key);
      if (found?.state === 'ready') {
        placePen(context, painting, tile);
        const { columns, rows } = tile;
        context.drawImage(found.bitmap, 0, 0, columns, rows, 0, 0, columns, rows);
      } else if (found?.state === 'failed' && index === target) markFailed(context, painting, tile);
    }
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
};
