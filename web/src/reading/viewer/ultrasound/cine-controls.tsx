import { t } from '@lingui/core/macro';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import type { CinePlayer } from '#reading/viewer/images/cine/cine-player.ts';
import { CineBar } from './cine-bar.tsx';
import { cineShortcuts, nextSpeed } from './cine-keys.ts';
import type { ActiveClip } from './use-clip-panes.ts';

type Props = {
  activeClip: ActiveClip;
  /** Players of all panes. */
  players: readonly CinePlayer[];
  note: string;
  /** Called when the user starts or stops playback. Clips that are opened later start in the same state. */
  onPlaysAtOnce: (playsAtOnce: boolean) => void;
};

/**
 * Controls and shortcuts for playback. Playing, speed and direction apply to all panes; the trim range applies to one
 * pane.
 */
export function CineControls({ activeClip, players, note, onPlaysAtOnce }: Props) {
  const { player } = activeClip;
  const play = () => {
    const isPlaying = players.some((one) => one.state().isPlaying);
    for (const one of players)
      if (isPlaying) one.pause();
      else one.play();
    onPlaysAtOnce(!isPlaying);
  };
  const setSpeed = (speed: number) => {
    for (const one of players) one.setSpeed(speed);
  };
  const swing = () => {
    const course = player.state().course === 'swing' ? 'loop' : 'swing';
    for (const one of players) one.setCourse(course);
  };

  useShortcuts(
    t`Cine`,
    cineShortcuts({
      player,
      onPlay: play,
      onSpeed: (by) => setSpeed(nextSpeed(player.state().speed, by)),
      onSwing: swing,
    }),
  );

  return <CineBar activeClip={activeClip} onPlay={play} onSpeed={setSpeed} onSwing={swing} note={note} />;
}
