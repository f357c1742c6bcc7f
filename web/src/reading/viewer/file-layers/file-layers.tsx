import { t } from '@lingui/core/macro';
import { Enums, type StackViewport } from '@cornerstonejs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import { type ToScreen, toScreenOf } from '#reading/viewer/presentation-states/apply-state.ts';
import { Shutters } from '#reading/viewer/presentation-states/shutter-mask.tsx';
import styles from './file-layers.module.css';
import type { Bitmap } from './layer-bitmaps.ts';
import { layersOf } from './read-layers.ts';

type Props = {
  viewport: StackViewport;
  shown: ShownImage;
  /** Whether the user has hidden overlay planes and shutters. */
  areHidden?: boolean;
  /** Whether a presentation state has shutters, which replace those of the image. */
  isShuttered?: boolean;
};

/** Draws what a file lays over its image: the colors of a supplemental palette, shutters and overlay planes. */
export function FileLayers({ viewport, shown, areHidden = false, isShuttered = false }: Props) {
  const { data, error } = useQuery(layersOf(shown.image));
  const toScreen = toScreenOf(viewport);
  useSharpPixels(viewport, data?.colors !== undefined);
  if (error) {
    const words = t`Not drawn: overlay planes, shutter or colors of the file could not be loaded`;
    return (
      <p className={styles.words} role="status">
        <span data-picture-fact={words}>{words}</span>
      </p>
    );
  }
  // A saved picture waits until the layers are drawn.
  if (!data) return <p className={styles.words} data-picture-layer="cover" data-state="coming" />;
  const { colors, planes, shutters, shutterGray, notDrawn } = data;
  const hidden = areHidden && (planes !== undefined || shutters.length > 0);
  const notes = [...notDrawn, ...(hidden ? [t`Hidden: overlay planes and shutter of the file`] : [])];
  return (
    <>
      {toScreen && colors && <Picture bitmap={colors} toScreen={toScreen} name="file-colors" />}
      {toScreen && !areHidden && !isShuttered && <Shutters {...{ shutters, toScreen, gray: shutterGray }} />}
      {toScreen && !areHidden && planes && <Picture bitmap={planes} toScreen={toScreen} name="overlay-planes" />}
      {notes.length > 0 && (
        <p className={styles.words} role="status">
          {notes.map((note) => (
            <span key={note} data-picture-fact={note}>
              {note}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

const setInterpolation = (viewport: StackViewport, interpolationType: Enums.InterpolationType) => {
  if (viewport.isDisabled || viewport.getProperties().interpolationType === interpolationType) return;
  viewport.setProperties({ interpolationType });
  viewport.render();
};

/**
 * Draws pixels without interpolation while an image has colors. Stored values of colors are high, so that interpolated
 * grays beside a color would be white.
 */
const useSharpPixels = (viewport: StackViewport, isSharp: boolean) => {
  // Runs after each rendering, because "Reset view" turns the interpolation on again.
  useEffect(() => {
    if (isSharp) setInterpolation(viewport, Enums.InterpolationType.NEAREST);
  });
  useEffect(
    () => (isSharp ? () => setInterpolation(viewport, Enums.InterpolationType.LINEAR) : undefined),
    [viewport, isSharp],
  );
};

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

type PictureProps = { bitmap: Bitmap; toScreen: ToScreen; name: 'file-colors' | 'overlay-planes' };

/** Magnification from which the edges of single pixels are visible. A smaller image is smoothed, so thin lines stay. */
const sharpFrom = 2;

function Picture({ bitmap, toScreen, name }: PictureProps) {
  const address = useMemo(() => addressOf(bitmap), [bitmap]);
  const [origin, right, below] = [toScreen({ x: 0, y: 0 }), toScreen({ x: 1, y: 0 }), toScreen({ x: 0, y: 1 })];
  const along = { x: right.x - origin.x, y: right.y - origin.y };
  const down = { x: below.x - origin.x, y: below.y - origin.y };
  const isSharp = Math.hypot(along.x, along.y) >= sharpFrom;
  return (
    // Colors are part of the image, so a saved picture always has them.
    <svg
      className={styles.layer}
      aria-hidden
      data-testid={name}
      data-picture-layer={name === 'file-colors' ? 'cover' : 'planes'}
    >
      <image
        href={address}
        width={bitmap.columns}
        height={bitmap.rows}
        preserveAspectRatio="none"
        imageRendering={isSharp ? 'pixelated' : 'auto'}
        transform={`matrix(${along.x} ${along.y} ${down.x} ${down.y} ${origin.x} ${origin.y})`}
      />
    </svg>
  );
}
