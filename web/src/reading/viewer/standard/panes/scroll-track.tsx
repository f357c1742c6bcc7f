import { t } from '@lingui/core/macro';
import { memo, type PointerEvent } from 'react';
import { useLoadedImages } from '#reading/viewer/images/series/use-loaded-images.ts';
import styles from './scroll-track.module.css';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { loadedRangesOf } from '#reading/viewer/images/series/loaded-ranges.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';

type Props = { view: View; index: number };

const percent = (share: number) => `${share * 100}%`;

/** Shows the position in the stack and the loaded part of the stack. Dragging scrolls. */
export function ScrollTrack({ view: { viewport, images }, index }: Props) {
  const count = images.length;

  const follow = ({ currentTarget, clientY, buttons }: PointerEvent<HTMLDivElement>) => {
    if (buttons !== 1) return;
    const { top, height } = currentTarget.getBoundingClientRect();
    goToImage(viewport, Math.floor(((clientY - top) / height) * count));
  };

  return (
    <div
      role="slider"
      aria-label={t`Image in the series`}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={index + 1}
      tabIndex={0}
      className={styles.track}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={follow}
    >
      <Loaded images={images} />
      <div className={styles.thumb} style={{ top: percent((index + 0.5) / count) }} />
    </div>
  );
}

/**
 * The loaded part of the stack. It is a separate component, so that it renders when images arrive but not while
 * scrolling.
 */
const Loaded = memo(function Loaded({ images }: { images: View['images'] }) {
  const count = images.length;
  return loadedRangesOf(useLoadedImages(images)).map(({ from, to }) => (
    <div
      key={from}
      className={styles.loaded}
      style={{ top: percent(from / count), height: percent((to - from) / count) }}
    />
  ));
});
