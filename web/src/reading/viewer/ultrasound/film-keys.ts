import { t } from '@lingui/core/macro';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import type { FilmPlayer } from '#reading/viewer/images/film/film-player.ts';

/** Speeds relative to the recorded rate. */
export const speeds = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4] as const;

/** Returns the next higher or lower speed, also for a speed between two steps. */
export const nextSpeed = (speed: number, by: 1 | -1): number =>
  (by > 0 ? speeds.find((one) => one > speed) : speeds.findLast((one) => one < speed)) ?? speed;

type Hands = {
  film: FilmPlayer | undefined;
  onPlay: () => void;
  onSpeed: (by: 1 | -1) => void;
  onSwing: () => void;
};

/** Shortcuts for playback. */
export const filmShortcuts = ({ film, onPlay, onSpeed, onSwing }: Hands): Shortcut[] => {
  const cut = (edge: 'first' | 'last') => () => {
    if (!film) return;
    const { frame, first, last } = film.state();
    film.setRange(
      ...(edge === 'first' ? ([frame, Math.max(frame, last)] as const) : ([Math.min(first, frame), frame] as const)),
    );
  };
  return [
    { keys: ' ', does: t`Play or pause all clips shown`, run: onPlay },
    { keys: '.', does: t`Next frame`, run: () => film?.step(1) },
    { keys: ',', does: t`Previous frame`, run: () => film?.step(-1) },
    { keys: '+', does: t`Faster`, run: () => onSpeed(1) },
    { keys: '-', does: t`Slower`, run: () => onSpeed(-1) },
    { keys: '[', does: t`Play from this frame`, run: cut('first') },
    { keys: ']', does: t`Play up to this frame`, run: cut('last') },
    { keys: '\\', does: t`Play the whole clip`, run: () => film?.setRange(0, Infinity) },
    { keys: '/', does: t`Back and forth, or loop`, run: onSwing },
  ];
};
