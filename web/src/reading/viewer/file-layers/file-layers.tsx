import { t } from '@lingui/core/macro';
import { Enums, type StackViewport } from '@cornerstonejs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import { toScreenOf } from '#reading/viewer/presentation-states/apply-state.ts';
import { Shutters } from '#reading/viewer/presentation-states/shutter-mask.tsx';
import styles from './file-layers.module.css';
import { LayerPicture } from './layer-picture.tsx';
import { layersOf } from './read-layers.ts';

type Props = {
  viewport: StackViewport;
  shownImage: ShownImage;
  /** Whether the user has hidden overlay planes and shutters. */
  areHidden?: boolean;
  /** Whether a presentation state has shutters, which replace those of the image. */
  isShuttered?: boolean;
};

/** Draws what a file lays over its image: the colors of a supplemental palette, shutters and overlay planes. */
export function FileLayers({ viewport, shownImage, areHidden = false, isShuttered = false }: Props) {
  const { data, error } = useQuery(layersOf(shownImage.image));
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
  const { colors, planes, shutters, shutterColor, shutterPixels, notDrawn } = data;
  const isShutterThere = shutters.length > 0 || shutterPixels !== undefined;
  const hidden = areHidden && (planes !== undefined || isShutterThere);
  const notes = [...notDrawn, ...(hidden ? [t`Hidden: overlay planes and shutter of the file`] : [])];
  return (
    <>
      {toScreen && colors && <LayerPicture bitmap={colors} toScreen={toScreen} name="file-colors" layer="cover" />}
      {toScreen && !areHidden && !isShuttered && (
        <>
          <Shutters {...{ shutters, toScreen, color: shutterColor }} />
          {shutterPixels && (
            <LayerPicture bitmap={shutterPixels} toScreen={toScreen} name="bitmap-shutter" layer="cover" />
          )}
        </>
      )}
      {toScreen && !areHidden && planes && (
        <LayerPicture bitmap={planes} toScreen={toScreen} name="overlay-planes" layer="planes" />
      )}
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
