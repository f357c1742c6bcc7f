import type { Shortcut } from '#ui/shortcuts.ts';
import type { FilmPlayer } from '#viewer/images/film-player.ts';

/** Speeds relative to the recorded rate. */
export const speeds = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4] as const;

/** Next speed up or down, also from an intermediate one. */
export const speedBeside = (speed: number, by: 1 | -1): number =>
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
    { keys: ' ', does: 'Play or pause all clips that are shown', run: onPlay },
    { keys: '.', does: 'Next frame', run: () => film?.step(1) },
    { keys: ',', does: 'Previous frame', run: () => film?.step(-1) },
    { keys: '+', does: 'Faster', run: () => onSpeed(1) },
    { keys: '-', does: 'Slower', run: () => onSpeed(-1) },
    { keys: '[', does: 'Play from this frame on', run: cut('first') },
    { keys: ']', does: 'Play up to this frame', run: cut('last') },
    { keys: '\\', does: 'Play the whole clip', run: () => film?.setRange(0, Infinity) },
    { keys: '/', does: 'Back and forth, or round', run: onSwing },
  ];
};
