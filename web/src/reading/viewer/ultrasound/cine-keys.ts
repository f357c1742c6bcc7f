import { t } from '@lingui/core/macro';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import type { CinePlayer } from '#reading/viewer/images/cine/cine-player.ts';

/** Speeds relative to the recorded rate. */
export const speeds = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4] as const;

/** Returns the next higher or lower speed, also for a speed between two steps. */
export const nextSpeed = (speed: number, by: 1 | -1): number =>
  (by > 0 ? speeds.find((one) => one > speed) : speeds.findLast((one) => one < speed)) ?? speed;

type PlaybackHandlers = {
  player: CinePlayer | undefined;
  onPlay: () => void;
  onSpeed: (by: 1 | -1) => void;
  onSwing: () => void;
};

/** Shortcuts for playback. */
export const cineShortcuts = ({ player, onPlay, onSpeed, onSwing }: PlaybackHandlers): Shortcut[] => {
  const cut = (edge: 'first' | 'last') => () => {
    if (!player) return;
    const { frame, first, last } = player.state();
    player.setRange(
      ...(edge === 'first' ? ([frame, Math.max(frame, last)] as const) : ([Math.min(first, frame), frame] as const)),
    );
  };
  return [
    { keys: ' ', does: t`Play or pause all clips shown`, run: onPlay },
    { keys: '.', does: t`Next frame`, run: () => player?.step(1) },
    { keys: ',', does: t`Previous frame`, run: () => player?.step(-1) },
    { keys: '+', does: t`Faster`, run: () => onSpeed(1) },
    { keys: '-', does: t`Slower`, run: () => onSpeed(-1) },
    { keys: '[', does: t`Play from this frame`, run: cut('first') },
    { keys: ']', does: t`Play up to this frame`, run: cut('last') },
    { keys: '\\', does: t`Play the whole clip`, run: () => player?.setRange(0, Infinity) },
    { keys: '/', does: t`Back and forth, or loop`, run: onSwing },
  ];
};
