import { t } from '@lingui/core/macro';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useCineState } from '#reading/viewer/engine/stack/use-cine.ts';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import type { CinePlayer } from '#reading/viewer/images/cine/cine-player.ts';
import { useLoadedImages } from '#reading/viewer/images/series/use-loaded-images.ts';
import { loadedRangesOf } from '#reading/viewer/images/series/loaded-ranges.ts';
import styles from './cine-track.module.css';

type Grip = 'frame' | 'first' | 'last';

const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

const percent = (share: number) => `${share * 100}%`;

/** Track of a clip: current frame, loaded part and trim range. The user can drag frame and range. */
export function CineTrack({ clip: { images }, player }: { clip: Clip; player: CinePlayer }) {
  const { frame, first, last } = useCineState(player);
  const loaded = useLoadedImages(images);
  const count = images.length;

  const move = (grip: Grip, to: number) => {
    if (grip === 'frame') player.goTo(to);
    else if (grip === 'first') player.setRange(Math.min(to, last), last);
    else player.setRange(first, Math.max(to, first));
  };
  const pull = (grip: Grip) => (event: PointerEvent<HTMLElement>) => {
    const { currentTarget, clientX, buttons, type } = event;
    event.stopPropagation();
    if (type === 'pointerdown') currentTarget.setPointerCapture(event.pointerId);
    if (buttons !== 1) return;
    const { left, width } = (currentTarget.closest(`.${styles.track}`) ?? currentTarget).getBoundingClientRect();
    move(grip, Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count))));
  };
  const press = (grip: Grip, value: number) => (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // Stops the event here, because arrow keys otherwise act on the clips.
    event.stopPropagation();
    move(grip, value + step);
  };
  const slider = (grip: Grip, label: string, value: number) => ({
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 1,
    'aria-valuemax': count,
    'aria-valuenow': value + 1,
    onPointerDown: pull(grip),
    onPointerMove: pull(grip),
    onKeyDown: press(grip, value),
  });

  return (
    <div className={styles.track} onPointerDown={pull('frame')} onPointerMove={pull('frame')}>
      {loadedRangesOf(loaded).map(({ from, to }) => (
        <div
          key={from}
          className={styles.loaded}
          style={{ left: percent(from / count), width: percent((to - from) / count) }}
        />
      ))}
      <div
        className={styles.range}
        style={{ left: percent(first / count), width: percent((last + 1 - first) / count) }}
      />
      <div
        {...slider('first', t`First frame played`, first)}
        className={styles.edge}
        style={{ left: percent(first / count) }}
      />
      <div
        {...slider('last', t`Last frame played`, last)}
        className={styles.edge}
        data-last
        style={{ left: percent((last + 1) / count) }}
      />
      <div
        {...slider('frame', t`Frame`, frame)}
        className={styles.thumb}
        style={{ left: percent((frame + 0.5) / count) }}
      />
    </div>
  );
}
