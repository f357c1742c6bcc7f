import { t } from '@lingui/core/macro';
import { Button, RangeSlider } from '@mantine/core';
import { type Crop, endsOf, type Grid, isWhole, type Part, wholeVolume } from '#reading/viewer/volumes/cropping.ts';
import styles from './crop-control.module.css';

type Props = { grid: Grid; crop: Crop; onCrop: (crop: Crop) => void };

const axes = [0, 1, 2] as const;

/** Movement of a crop plane per key press, in percent of the volume. */
const step = 2;

const withPart = (crop: Crop, axis: 0 | 1 | 2, part: Part): Crop => [
  axis === 0 ? part : crop[0],
  axis === 1 ? part : crop[1],
  axis === 2 ? part : crop[2],
];

/** Controls for the six planes that crop a rendered volume, two per axis. */
export function CropControl({ grid, crop, onCrop }: Props) {
  return (
    <fieldset className={styles.crop} onDoubleClick={(event) => event.stopPropagation()}>
      <legend>{t`Crop`}</legend>
      {axes.map((axis) => {
        const [start, end] = endsOf(grid, axis);
        return (
          <div key={axis} className={styles.axis}>
            <span>{start}</span>
            <RangeSlider
              size="sm"
              min={0}
              max={100}
              step={step}
              minRange={step}
              label={null}
              thumbFromLabel={t`Crop from: ${start}`}
              thumbToLabel={t`Crop from: ${end}`}
              value={[crop[axis][0], crop[axis][1]]}
              onChange={(part) => onCrop(withPart(crop, axis, part))}
            />
            <span>{end}</span>
          </div>
        );
      })}
      <Button size="compact-xs" variant="default" disabled={isWhole(crop)} onClick={() => onCrop(wholeVolume)}>
        {t`Whole volume`}
      </Button>
    </fieldset>
  );
}
