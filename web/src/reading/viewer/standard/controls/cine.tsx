import { t } from '@lingui/core/macro';
import { ActionIcon, NumberInput, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useFilm, useFilmState, useStillUnderHand } from '#reading/viewer/engine/stack/use-film.ts';
import { type FilmTiming, timingOf } from '#reading/viewer/images/film/film-timing.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import styles from '#reading/viewer/shell/toolbar.module.css';

const fastest = 60;

/**
 * Returns the timing of a stack. If the stack has several cine loops or images, the trim range of one loop does not
 * apply.
 */
const timingOfStack = (images: readonly SeriesImage[]): FilmTiming => {
  const [first] = images;
  const timing = timingOf(first?.header ?? {}, images.length);
  return first?.numberOfFrames === images.length ? timing : { ...timing, first: 0, last: images.length - 1 };
};

/**
 * Plays a stack in a loop, by default at its recorded rate. `isDrawing`: the active tool works on a single frame. Give
 * each viewport its own React key.
 */
export function Cine({ view, isDrawing }: { view: View; isDrawing: boolean }) {
  const timing = useMemo(() => timingOfStack(view.images), [view]);
  const film = useFilm(view, timing);
  useStillUnderHand(film, view, isDrawing);
  const { isPlaying, asked } = useFilmState(film);
  const toggle = () => (isPlaying ? film.pause() : film.play());
  const words = isPlaying ? t`Pause` : t`Play`;
  useShortcuts(t`Cine`, [{ keys: ' ', does: words, run: toggle }]);

  return (
    <div className={styles.group}>
      <Tooltip position="bottom" label={isPlaying ? t`Pause (Space)` : t`Play (Space)`}>
        <ActionIcon aria-label={words} onClick={toggle}>
          {isPlaying ? <IconPlayerPause size={17} /> : <IconPlayerPlay size={17} />}
        </ActionIcon>
      </Tooltip>
      <NumberInput
        aria-label={t`Frames per second`}
        className={styles.rate}
        value={Math.round(asked)}
        min={1}
        max={fastest}
        suffix={` ${t`fps`}`}
        allowDecimal={false}
        hideControls
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1 && value <= fastest) film.setSpeed(value / timing.rate);
        }}
      />
    </div>
  );
}
