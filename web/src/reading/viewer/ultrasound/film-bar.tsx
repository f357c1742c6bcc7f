import { t } from '@lingui/core/macro';
import { ActionIcon, NumberInput, Tooltip } from '@mantine/core';
import {
  IconArrowsLeftRight,
  type IconProps,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconRepeat,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { keyCaps } from '#ui/keyboard/shortcuts.ts';
import { useFilmState } from '#reading/viewer/engine/stack/use-film.ts';
import { rateReached, rateText } from './clip-text.ts';
import styles from './film-bar.module.css';
import { speeds } from './film-keys.ts';
import { FilmTrack } from './film-track.tsx';
import type { ActiveClip } from './use-clip-panes.ts';

type Props = {
  standing: ActiveClip;
  onPlay: () => void;
  onSpeed: (speed: number) => void;
  onSwing: () => void;
  /** Reason why no clip plays automatically. */
  note: string;
};

/** Playback controls for the clip of the current pane. Shows the speed that is actually reached. */
export function FilmBar({ standing: { clip, film }, onPlay, onSpeed, onSwing, note }: Props) {
  const { isPlaying, frame, course, speed, asked, reached, dropped } = useFilmState(film);
  const { timing, images } = clip;
  const words = isPlaying ? t`Pause` : t`Play`;
  return (
    <div role="group" aria-label={t`Cine`} className={styles.bar} onMouseDown={preventFocusLoss}>
      <div className={styles.buttons}>
        <FilmButton label={t`First frame`} keys="Home" icon={IconPlayerSkipBack} onClick={() => film.goTo(0)} />
        <FilmButton label={t`Previous frame`} keys="," icon={IconPlayerTrackPrev} onClick={() => film.step(-1)} />
        <FilmButton label={words} keys=" " icon={isPlaying ? IconPlayerPause : IconPlayerPlay} onClick={onPlay} />
        <FilmButton label={t`Next frame`} keys="." icon={IconPlayerTrackNext} onClick={() => film.step(1)} />
        <FilmButton
          label={t`Last frame`}
          keys="End"
          icon={IconPlayerSkipForward}
          onClick={() => film.goTo(images.length - 1)}
        />
      </div>
      <FilmTrack clip={clip} film={film} />
      <span className={styles.place}>
        {frame + 1} / {images.length}
      </span>
      <FilmButton
        label={t`Back and forth`}
        keys="/"
        icon={course === 'swing' ? IconArrowsLeftRight : IconRepeat}
        isPressed={course === 'swing'}
        onClick={onSwing}
      />
      <select
        className={styles.speed}
        aria-label={t`Speed`}
        value={speeds.find((one) => Math.abs(one - speed) < 0.005) ?? ''}
        onChange={({ currentTarget }) => onSpeed(Number(currentTarget.value))}
      >
        <option value="" hidden>
          {speed.toFixed(2)}×
        </option>
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <NumberInput
        key={asked}
        className={styles.rate ?? ''}
        aria-label={t`Frames per second`}
        defaultValue={Number(rateText(asked))}
        suffix={` ${t`fps`}`}
        hideControls
        decimalScale={1}
        onBlur={({ currentTarget }) => onSpeed(rateTyped(currentTarget.value, timing.rate, speed))}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      />
      <span className={styles.reached} role="status">
        {note || reachedText({ isPlaying, reached, asked, dropped, isRecorded: timing.isRecorded })}
      </span>
    </div>
  );
}

/** Prevents a clicked button from taking the keyboard focus. Input fields may take it. */
const preventFocusLoss = (event: { target: EventTarget; preventDefault: () => void }) => {
  if (event.target instanceof Element && !event.target.closest('input, select')) event.preventDefault();
};

/** Converts a typed rate in frames per second to a speed within the limits. An empty text keeps the speed. */
const rateTyped = (typed: string, recorded: number, speed: number): number => {
  const rate = parseFloat(typed);
  return rate > 0 ? Math.min(4, Math.max(0.25, rate / recorded)) : speed;
};

type Reached = {
  isPlaying: boolean;
  reached: number | undefined;
  asked: number;
  dropped: number;
  isRecorded: boolean;
};

const reachedText = ({ isPlaying, reached, asked, dropped, isRecorded }: Reached): string => {
  if (!isPlaying) return isRecorded ? '' : t`The file has no frame rate`;
  if (reached === undefined) return t`Starting…`;
  const rate = rateReached(reached, asked);
  return dropped > 0 ? t`${rate} · ${dropped} skipped` : rate;
};

type ButtonProps = {
  label: string;
  keys: string;
  icon: ComponentType<IconProps>;
  isPressed?: boolean;
  onClick: () => void;
};

function FilmButton({ label, keys, icon: Icon, isPressed, onClick }: ButtonProps) {
  return (
    <Tooltip label={`${label} (${keyCaps(keys).join(' ')})`}>
      <ActionIcon aria-label={label} aria-pressed={isPressed} onClick={onClick}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
