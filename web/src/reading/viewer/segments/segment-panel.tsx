import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Button, Slider, Tooltip } from '@mantine/core';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconEye, IconEyeOff, IconFocusCentered } from '@tabler/icons-react';
import { type CSSProperties, useMemo } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import { cssColor } from './color.ts';
import { middleRegionImage } from './middle-region-image.ts';
import { place, type Placed, regionPlacementOf } from './placement.ts';
import { type SegmentDisplay, segmentKeys } from './segment-display.ts';
import styles from './segment-panel.module.css';
import type { Region, SegmentSet } from './segment-set.ts';
import { useSegmentSets } from './use-segment-sets.ts';

/** Content of the current pane. */
export type Current = { view: View; study: StudyDetails; series: SeriesSummary };

type Props = {
  study: StudyDetails;
  display: SegmentDisplay;
  current: Current | undefined;
  /** Moves to an image. Undefined if the viewer shows no single images. */
  onGoTo?: ((place: ImagePlace) => void) | undefined;
  /** Shortcut to show or hide all segments. */
  keys?: string;
};

/** List of the segments of a study: name, color, visibility, and a link to the middle image of each segment. */
export function SegmentPanel({ study, display, current, onGoTo, keys = segmentKeys }: Props) {
  const { isPending, error, sets, retry } = useSegmentSets(study, display.series);
  const regions = sets.flatMap((set) => set.regions);
  const count = regions.length;
  return (
    // Prevents clicks from moving the keyboard focus away from the image.
    <section aria-label={t`Segments`} className={styles.section} onMouseDown={(event) => event.preventDefault()}>
      <div className={styles.head}>
        <h2>
          {t`Segments`} <span>{isPending ? '' : regions.length}</span>
        </h2>
        <span className={styles.space} />
        {/* Uses buttons, because checkboxes and switches would capture the viewer's keys. */}
        <Button
          size="compact-xs"
          variant={display.isOn ? 'light' : 'default'}
          aria-label={t`Show segments on the images`}
          aria-pressed={display.isOn}
          onClick={display.toggle}
        >
          {t`Show`}
        </Button>
        <KeyCaps keys={keys} />
      </div>
      {isPending && <Skeleton lines={3} label={t`Loading segments`} />}
      {error && <ErrorState failed={t`Segments could not be loaded`} error={error} onRetry={retry} />}
      {!isPending && !display.isOn && regions.length > 0 && (
        <p className={styles.hint}>
          {t`${plural(count, { one: '# segment', other: '# segments' })} available, not shown.`}
        </p>
      )}
      {!isPending && !error && regions.length === 0 && <p className="muted">{t`No segments.`}</p>}
      {display.isOn && regions.length > 0 && <Look display={display} keys={regions.map(({ key }) => key)} />}
      {sets.map((set) => (
        <SetEntries key={set.sopInstanceUID} {...{ study, set, display, current, onGoTo }} />
      ))}
    </section>
  );
}

const styleChoices = [
  { value: 'both', label: t`Both` },
  { value: 'outline', label: t`Outline` },
  { value: 'fill', label: t`Fill` },
] as const;

/** Controls for the style of segments, and to show or hide all of them. */
function Look({ display, keys }: { display: SegmentDisplay; keys: readonly string[] }) {
  const { look, setStyle, setOpacity, setVisible } = display;
  return (
    <div className={styles.look}>
      <Button.Group aria-label={t`Segment style`}>
        {styleChoices.map(({ value, label }) => (
          <Button
            key={value}
            size="compact-xs"
            fullWidth
            variant={value === look.style ? 'light' : 'default'}
            aria-pressed={value === look.style}
            onClick={() => setStyle(value)}
          >
            {label}
          </Button>
        ))}
      </Button.Group>
      {look.style !== 'outline' && (
        <Slider
          size="sm"
          min={5}
          max={100}
          step={5}
          label={(value) => `${value}%`}
          thumbLabel={t`Segment opacity`}
          value={Math.round(look.opacity * 100)}
          onChange={(value) => setOpacity(value / 100)}
        />
      )}
      <div className={styles.all}>
        <Button size="compact-xs" variant="default" onClick={() => setVisible(keys, true)}>
          {t`All`}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => setVisible(keys, false)}>
          {t`None`}
        </Button>
      </div>
    </div>
  );
}

type SetProps = Props & { set: SegmentSet };

const usePlacementOn = (set: SegmentSet, current: Current | undefined): Placed | undefined =>
  useMemo(
    () => current && place(set, { studyInstanceUID: current.study.studyInstanceUID, images: current.view.images }),
    [set, current],
  );

function SetEntries({ study, set, display, current, onGoTo }: SetProps) {
  const placedSet = usePlacementOn(set, current);
  const madeOn = study.series
    .filter(({ seriesInstanceUID }) => set.madeOn.includes(seriesInstanceUID))
    .map(({ seriesNumber }) => seriesNumber ?? '–')
    .join(', ');
  const refusal = placedSet?.refusal;
  return (
    <div className={styles.set}>
      <h3>
        {set.title} <span>{set.kind}</span>
      </h3>
      {madeOn && <p className={styles.hint}>{t`Created on series ${madeOn}`}</p>}
      {refusal && <p className={styles.reason}>{t`Not shown here. ${refusal}`}</p>}
      <ul className={styles.list}>
        {set.regions.map((region) => (
          <Entry key={region.key} {...{ region, set, display, current, placedSet, onGoTo }} />
        ))}
      </ul>
    </div>
  );
}

type EntryProps = Pick<Props, 'display' | 'current' | 'onGoTo'> & {
  region: Region;
  set: SegmentSet;
  placedSet: Placed | undefined;
};

function Entry({ region, set, display, current, placedSet, onGoTo }: EntryProps) {
  const regionPlacement = placedSet && regionPlacementOf(set, region, placedSet);
  const missing = regionPlacement?.missing;
  const isVisible = !display.hidden.has(region.key);
  const { name } = region;
  const go = async () => {
    if (!current || !placedSet || !onGoTo) return;
    const image = current.view.images[await middleRegionImage(set, region, placedSet.placement)];
    if (!image) {
      toast.info(t`${name} has no pixels on these images`);
      return;
    }
    display.setVisible([region.key], true);
    display.show();
    onGoTo({
      seriesInstanceUID: current.series.seriesInstanceUID,
      sopInstanceUID: textOf(image.header, tag.SOPInstanceUID),
      frame: image.frame,
    });
  };
  return (
    <li className={styles.entry}>
      <button
        type="button"
        role="checkbox"
        aria-checked={isVisible}
        aria-label={t`Show ${name}`}
        className={styles.colour}
        style={{ '--colour': cssColor(region.color) } as CSSProperties}
        onClick={() => display.setVisible([region.key], !isVisible)}
      >
        {isVisible ? <IconEye size={14} stroke={1.8} aria-hidden /> : <IconEyeOff size={14} stroke={1.8} aria-hidden />}
      </button>
      <span className={styles.name}>
        {name}
        {region.words && <span>{region.words}</span>}
      </span>
      {onGoTo && (
        <Tooltip label={t`Go to the middle`}>
          <ActionIcon
            aria-label={t`Go to ${name}`}
            disabled={!regionPlacement?.images.length}
            onClick={() => void go()}
          >
            <IconFocusCentered size={15} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      {missing && (
        <p className={regionPlacement?.isWrong ? styles.reason : styles.hint}>
          {regionPlacement?.images.length === 0 ? t`Not shown here. ${missing}` : missing}
        </p>
      )}
    </li>
  );
}
