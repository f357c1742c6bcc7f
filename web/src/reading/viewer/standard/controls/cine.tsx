import { t } from '@lingui/core/macro';
import { ActionIcon, NumberInput, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useCine, useCineState, useStillUnderHand } from '#reading/viewer/engine/stack/use-cine.ts';
import { type CineTiming, timingOf } from '#reading/viewer/images/cine/cine-timing.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { cineAt } from '#reading/viewer/images/series/phase-axes.ts';
import { useShownPart, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import styles from '#reading/viewer/shell/toolbar.module.css';

const fastest = 60;

/**
 * Returns the timing of a stack. If the stack has several cine loops or images, the trim range of one loop does not
 * apply.
 */
const timingOfStack = (images: readonly SeriesImage[]): CineTiming => {
  const [first] = images;
  const timing = timingOf(first?.header ?? {}, images.length);
  return first?.numberOfFrames === images.length ? timing : { ...timing, first: 0, last: images.length - 1 };
};

/**
 * Returns the timing of heart phases from their trigger times in milliseconds. Each phase lasts until the next phase.
 * The last phase lasts as long as the mean of the others.
 */
const timingOfPhases = (cineImages: readonly SeriesImage[], usual: CineTiming): CineTiming => {
  const times = cineImages.flatMap(({ phase }) => phase?.facts.TriggerTime ?? []).map(Number);
  const steps = times.slice(1).map((time, at) => time - (times[at] ?? time));
  const total = steps.reduce((sum, step) => sum + step, 0);
  if (cineImages.length < 2 || times.length !== cineImages.length || !steps.every((step) => step > 0)) return usual;
  return {
    ...usual,
    durations: [...steps, total / steps.length],
    rate: (1000 * steps.length) / total,
    isRecorded: true,
  };
};

type Props = { view: View; isDrawing: boolean };

/**
 * Plays a stack in a loop, by default at its recorded rate. If the phases of the series are times, plays all times at
 * the shown place. If they are not times, plays all places of the shown phase. `isDrawing` means that the active tool
 * acts on one frame. Needs a React key per viewport.
 */
export function Cine(props: Props) {
  const { view } = props;
  const index = useShownPart(view, (image) => image.index) ?? 0;
  const { phase } = view.images[index] ?? {};
  // The key is a string, so that the cine stays the same while it plays.
  const axis = phase ? `${phase.isTime ? `place ${phase.place}` : `phase ${phase.at}`}` : 'all';
  return <CineControls key={axis} {...props} index={index} />;
}

function CineControls({ view, isDrawing, index }: Props & { index: number }) {
  const [images] = useState(() => cineAt(view.images, index));
  const [timing] = useState(() => timingOfPhases(images, timingOfStack(images)));
  const player = useCine(view, timing, images);
  useStillUnderHand(player, view, isDrawing);
  const { isPlaying, requestedRate } = useCineState(player);
  const toggle = () => (isPlaying ? player.pause() : player.play());
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
        value={Math.round(requestedRate)}
        min={1}
        max={fastest}
        suffix={` ${t`fps`}`}
        allowDecimal={false}
        hideControls
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1 && value <= fastest) player.setSpeed(value / timing.rate);
        }}
      />
    </div>
  );
}
