import { ActionIcon, NumberInput, Tooltip } from '@mantine/core';
import { utilities } from '@cornerstonejs/tools';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useShortcuts } from '#ui/shortcuts.ts';
import { frameRateOf } from './series-loader.ts';
import type { View } from './shown-image.ts';
import styles from './toolbar.module.css';

/** For stacks that were not recorded as a film. */
const leisurely = 10;
const fastest = 60;

/** Plays a stack round and round, at the rate it was recorded with unless asked otherwise. Give it a key: one for each viewport. */
export function Cine({ view: { viewport, images } }: { view: View }) {
  const [isPlaying, setIsPlaying] = useState(false);
  const [rate, setRate] = useState(() => Math.round((images[0] && frameRateOf(images[0].header)) ?? leisurely));

  useEffect(() => {
    if (!isPlaying) return undefined;
    const { element, id: viewportId } = viewport;
    utilities.cine.playClip(element, { framesPerSecond: rate, loop: true });
    return () => utilities.cine.stopClip(element, { stopDynamicCine: false, viewportId });
  }, [viewport, isPlaying, rate]);

  const toggle = () => setIsPlaying((before) => !before);
  const words = isPlaying ? 'Pause' : 'Play';
  useShortcuts('Film', [{ keys: ' ', does: words, run: toggle }]);

  return (
    <div className={styles.group}>
      <Tooltip position="bottom" label={`${words} (Space)`}>
        <ActionIcon aria-label={words} onClick={toggle}>
          {isPlaying ? <IconPlayerPause size={17} /> : <IconPlayerPlay size={17} />}
        </ActionIcon>
      </Tooltip>
      <NumberInput
        aria-label="Frames per second"
        className={styles.rate}
        value={rate}
        min={1}
        max={fastest}
        suffix=" fps"
        allowDecimal={false}
        hideControls
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1 && value <= fastest) setRate(value);
        }}
      />
    </div>
  );
}
