import { useMemo } from 'react';
import type { ToScreen } from '#reading/viewer/presentation-states/apply-state.ts';
import styles from './file-layers.module.css';
import type { Bitmap } from './layer-bitmaps.ts';

/** Returns a bitmap as PNG in a data address. Saved pictures can draw no other address. */
const addressOf = ({ columns, rows, rgba }: Bitmap): string => {
  const canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext('2d');
  const image = context?.createImageData(columns, rows);
  image?.data.set(rgba);
  if (image) context?.putImageData(image, 0, 0);
  return canvas.toDataURL();
};

type Props = {
  /** Pixels of the image. */
  bitmap: Bitmap;
  toScreen: ToScreen;
  name: 'file-colors' | 'bitmap-shutter' | 'overlay-planes' | 'state-planes' | 'dose-colors';
  /** How a saved picture treats the layer. A cover is part of the image, so a saved picture always has it. */
  layer: 'cover' | 'planes' | 'dose';
  opacity?: number;
};

/** Magnification from which the edges of single pixels are visible. A smaller image is smoothed, so thin lines stay. */
const sharpFrom = 2;

/** Draws a bitmap over an image, pixel on pixel. */
export function LayerPicture({ bitmap, toScreen, name, layer, opacity = 1 }: Props) {
  const address = useMemo(() => addressOf(bitmap), [bitmap]);
  const [origin, right, below] = [toScreen({ x: 0, y: 0 }), toScreen({ x: 1, y: 0 }), toScreen({ x: 0, y: 1 })];
  const along = { x: right.x - origin.x, y: right.y - origin.y };
  const down = { x: below.x - origin.x, y: below.y - origin.y };
  // A dose is interpolated, and has no pixels of its own on the image. A shutter hides pixels completely.
  const isSharp = name === 'bitmap-shutter' || (layer !== 'dose' && Math.hypot(along.x, along.y) >= sharpFrom);
  return (
    <svg className={styles.layer} aria-hidden data-testid={name} data-picture-layer={layer}>
      <image
        href={address}
        width={bitmap.columns}
        height={bitmap.rows}
        opacity={opacity}
        preserveAspectRatio="none"
        imageRendering={isSharp ? 'pixelated' : 'auto'}
        transform={`matrix(${along.x} ${along.y} ${down.x} ${down.y} ${origin.x} ${origin.y})`}
      />
    </svg>
  );
}
