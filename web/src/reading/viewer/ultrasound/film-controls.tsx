import { t } from '@lingui/core/macro';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import type { FilmPlayer } from '#reading/viewer/images/film/film-player.ts';
import { FilmBar } from './film-bar.tsx';
import { filmShortcuts, nextSpeed } from './film-keys.ts';
import type { ActiveClip } from './use-clip-panes.ts';

type Props = {
  standing: ActiveClip;
  /** Players of all panes. */
  films: readonly FilmPlayer[];
  note: string;
  /** Called when the user starts or stops playback. Clips that are opened later start in the same state. */
  onPlaysAtOnce: (playsAtOnce: boolean) => void;
};

/**
 * Controls and shortcuts for playback. Playing, speed and direction apply to all panes; the trim range applies to one
 * pane.
 */
export function FilmControls({ standing, films, note, onPlaysAtOnce }: Props) {
  const { film } = standing;
  const play = () => {
    const isPlaying = films.some((one) => one.state().isPlaying);
    for (const one of films)
      if (isPlaying) one.pause();
      else one.play();
    onPlaysAtOnce(!isPlaying);
  };
  const setSpeed = (speed: number) => {
    for (const one of films) one.setSpeed(speed);
  };
  const swing = () => {
    const course = film.state().course === 'swing' ? 'loop' : 'swing';
    for (const one of films) one.setCourse(course);
  };

  useShortcuts(
    t`Cine`,
    filmShortcuts({
      film,
      onPlay: play,
      onSpeed: (by) => setSpeed(nextSpeed(film.state().speed, by)),
      onSwing: swing,
    }),
  );

  return <FilmBar standing={standing} onPlay={play} onSpeed={setSpeed} onSwing={swing} note={note} />;
}
