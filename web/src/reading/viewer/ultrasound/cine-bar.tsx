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
import { useCineState } from '#reading/viewer/engine/stack/use-cine.ts';
import { rateReached, rateText } from './clip-text.ts';
import styles from './cine-bar.module.css';
import { speeds } from './cine-keys.ts';
import { CineTrack } from './cine-track.tsx';
import type { ActiveClip } from './use-clip-panes.ts';

type Props = {
  activeClip: ActiveClip;
  onPlay: () => void;
  onSpeed: (speed: number) => void;
  onSwing: () => void;
  /** Reason why no clip plays automatically. */
  note: string;
};

/** Playback controls for the clip of the current pane. Shows the speed that is actually reached. */
export function CineBar({ activeClip: { clip, player }, onPlay, onSpeed, onSwing, note }: Props) {
  const { isPlaying, frame, course, speed, requestedRate, reached, dropped } = useCineState(player);
  const { timing, images } = clip;
  const words = isPlaying ? t`Pause` : t`Play`;
  return (
    <div role="group" aria-label={t`Cine`} className={styles.bar} onMouseDown={preventFocusLoss}>
      <div className={styles.buttons}>
        <CineButton label={t`First frame`} keys="Home" icon={IconPlayerSkipBack} onClick={() => player.goTo(0)} />
        <CineButton label={t`Previous frame`} keys="," icon={IconPlayerTrackPrev} onClick={() => player.step(-1)} />
        <CineButton label={words} keys=" " icon={isPlaying ? IconPlayerPause : IconPlayerPlay} onClick={onPlay} />
        <CineButton label={t`Next frame`} keys="." icon={IconPlayerTrackNext} onClick={() => player.step(1)} />
        <CineButton
          label={t`Last frame`}
          keys="End"
          icon={IconPlayerSkipForward}
          onClick={() => player.goTo(images.length - 1)}
        />
      </div>
      <CineTrack clip={clip} player={player} />
      <span className={styles.place}>
        {frame + 1} / {images.length}
      </span>
      <CineButton
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
        key={requestedRate}
        className={styles.rate ?? ''}
        aria-label={t`Frames per second`}
        defaultValue={Number(rateText(requestedRate))}
        suffix={` ${t`fps`}`}
        hideControls
        decimalScale={1}
        onBlur={({ currentTarget }) => onSpeed(rateTyped(currentTarget.value, timing.rate, speed))}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      />
      <span className={styles.reached} role="status">
        {note || reachedText({ isPlaying, reached, requestedRate, dropped, isRecorded: timing.isRecorded })}
      </span>
    </div>
  );
}

/** Prevents a clicked button from taking the keyboard focus. Input fields may take it. */
const preventFocusLoss = (event: { target: EventTarget; preventDefault: () => void }) => {
  if (event.target instanceof Element && !event.target.closest('input, select')) event.preventDefault();
};

/** Converts a typed rate in frames per second to a speed within the limits. An empty text keeps the speed. */
const rateTyped = (input: string, recorded: number, speed: number): number => {
  const rate = parseFloat(input);
  return rate > 0 ? Math.min(4, Math.max(0.25, rate / recorded)) : speed;
};

type PlaybackRate = {
  isPlaying: boolean;
  reached: number | undefined;
  requestedRate: number;
  dropped: number;
  isRecorded: boolean;
};

const reachedText = ({ isPlaying, reached, requestedRate, dropped, isRecorded }: PlaybackRate): string => {
  if (!isPlaying) return isRecorded ? '' : t`The file has no frame rate`;
  if (reached === undefined) return t`Starting…`;
  const rate = rateReached(reached, requestedRate);
  return dropped > 0 ? t`${rate} · ${dropped} skipped` : rate;
};

type ButtonProps = {
  label: string;
  keys: string;
  icon: ComponentType<IconProps>;
  isPressed?: boolean;
  onClick: () => void;
};

function CineButton({ label, keys, icon: Icon, isPressed, onClick }: ButtonProps) {
  return (
    <Tooltip label={`${label} (${keyCaps(keys).join(' ')})`}>
      <ActionIcon aria-label={label} aria-pressed={isPressed} onClick={onClick}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
