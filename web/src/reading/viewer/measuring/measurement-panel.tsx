import { plural, t } from '@lingui/core/macro';
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { type Measurement, measurementToolLabels, planeWords } from '@radwork/contract/reading/measurements';
import { summaryOf } from '@radwork/contract/reading/measurement-text';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { IconRulerMeasure, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { dialogOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import { DocumentMenu } from '#reading/viewer/documents/document-menu.tsx';
import { documentKinds } from '#reading/viewer/documents/document-kinds.ts';
import styles from './measurement-panel.module.css';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import type { Measurements } from './use-measurements.ts';

const CalibrationDialog = dialogOnDemand(async () => (await import('./calibration-dialog.tsx')).CalibrationDialog);

type NavigationProps = {
  onGoTo: (place: ImagePlace) => void;
  /** Opens a measurement in a volume. */
  onGoToPoint: (one: Measurement) => void;
  /** Returns the name of the viewer that opens the measurement. Absent if this viewer opens all measurements itself. */
  opensIn?: ((one: Measurement) => string) | undefined;
  /** Returns the reason why this viewer cannot draw a measurement. */
  reasonAgainst?: ((one: Measurement) => string | undefined) | undefined;
};

type Props = NavigationProps & {
  studyId: string;
  series: readonly SeriesSummary[];
  measured: Measurements;
  /** Further lists below the measurements. */
  children?: ReactNode;
};

/** Lists the measurements of a study with their authors. A click opens the image of a measurement. */
export function MeasurementPanel({ studyId, series, measured, children, ...leads }: Props) {
  const { list, isKept, waiting } = measured;
  const [calibrating, setCalibrating] = useState<Measurement>();
  usePrefetchWhenIdle(CalibrationDialog);
  const { heading, noteDeleted } = useFocusAfterDeleting(list.data);
  return (
    <aside className={styles.panel} aria-label={t`Measurements`}>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {t`Measurements`} <span>{list.data?.length ?? ''}</span>
        </h2>
        <DocumentMenu
          kind={documentKinds.measurements}
          studyId={studyId}
          count={list.data?.length ?? 0}
          waiting={waiting.count}
        />
      </div>
      {!isKept && <p className={styles.note}>{t`You can only view this study. Your drawings are not saved.`}</p>}
      <p className={styles.note} role="status" data-tone={waiting.isCutOff ? 'warning' : undefined}>
        {waiting.isCutOff && unsavedText(waiting.count)}
      </p>
      {list.isPending && <Skeleton lines={4} label={t`Loading measurements`} />}
      {list.error && !list.data && (
        <ErrorState
          failed={t`Measurements could not be loaded`}
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data?.length === 0 && <p className="muted">{t`No measurements yet.`}</p>}
      <ul className={styles.list}>
        {list.data?.map((item) => (
          <Entry
            key={item.id}
            one={item}
            series={series.find(({ seriesInstanceUID }) => seriesInstanceUID === item.seriesInstanceUID)}
            {...leads}
            onCalibrate={isKept ? () => setCalibrating(item) : undefined}
            onRelabel={(label) => measured.relabel(item.id, label)}
            onRemove={() => {
              noteDeleted(item.id);
              measured.remove(item.id);
            }}
          />
        ))}
      </ul>
      {children}
      {calibrating && (
        <CalibrationDialog one={calibrating} measured={measured} onClose={() => setCalibrating(undefined)} />
      )}
    </aside>
  );
}

const unsavedText = (count: number): string =>
  t`${plural(count, { one: '# measurement is not saved yet.', other: '# measurements are not saved yet.' })} The server does not respond. Retrying…`;

/** Moves the focus to the heading after the user has deleted an entry with its button. */
const useFocusAfterDeleting = (entries: readonly Measurement[] | undefined) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const deleted = useRef<string>(undefined);
  useEffect(() => {
    if (!deleted.current || entries?.some(({ id }) => id === deleted.current)) return;
    deleted.current = undefined;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [entries]);
  const noteDeleted = (id: string) => {
    deleted.current = id;
  };
  return { heading, noteDeleted };
};

type EntryProps = NavigationProps & {
  one: Measurement;
  series: SeriesSummary | undefined;
  /** Opens the calibration of the image. Absent if drawings are not saved. */
  onCalibrate: (() => void) | undefined;
  onRelabel: (label: string) => void;
  onRemove: () => void;
};

function Entry({ one, series, onCalibrate, onRelabel, onRemove, ...leads }: EntryProps) {
  const { tool, values, isMine, seriesInstanceUID, sopInstanceUID, frame } = one;
  const words = measurementToolLabels[tool];
  const summary = summaryOf(values);
  const isOnImage = sopInstanceUID !== null && frame !== null;
  const reason = leads.reasonAgainst?.(one);
  return (
    <li className={styles.entry}>
      <button
        type="button"
        className={styles.place}
        disabled={!isOnImage && (!series || reason !== undefined)}
        onClick={() =>
          isOnImage ? leads.onGoTo({ seriesInstanceUID, sopInstanceUID, frame }) : leads.onGoToPoint(one)
        }
      >
        <span className={styles.tool}>{words}</span>
        <span className={styles.value}>{summary}</span>
        <span className={styles.origin}>{originOf(one, series, leads.opensIn)}</span>
        {reason && <span className={styles.origin}>{reason}</span>}
      </button>
      {isMine ? (
        <>
          <Label label={one.label} words={words} onRelabel={onRelabel} />
          {tool === 'LENGTH' && isOnImage && onCalibrate && (
            <Tooltip label={t`Calibrate the image by this length`}>
              <ActionIcon aria-label={t`Calibrate by ${words} ${summary}`} onClick={onCalibrate}>
                <IconRulerMeasure size={15} stroke={1.6} />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={t`Delete`}>
            <ActionIcon aria-label={t`Delete ${words} ${summary}`} onClick={onRemove}>
              <IconTrash size={15} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </>
      ) : (
        one.label && <span className={styles.label}>{one.label}</span>
      )}
    </li>
  );
}

/** Returns a text such as "Series 2 · coronal plane · Dr Weiss · opens in MPR / 3D". */
const originOf = (one: Measurement, series: SeriesSummary | undefined, opensIn: NavigationProps['opensIn']): string => {
  const number = series?.seriesNumber ?? '–';
  const viewer = one.sopInstanceUID === null && series ? opensIn?.(one) : undefined;
  return [
    series ? t`Series ${number}` : t`Series no longer in the study`,
    ...(one.plane && one.tool !== 'SPHERE' ? [planeWords(one.plane)] : []),
    one.author.name,
    ...(viewer === undefined ? [] : [t`opens in ${viewer}`]),
  ].join(' · ');
};

/** Label of a measurement, which the author can edit. Saved when the field loses the focus. */
function Label({ label, words, onRelabel }: { label: string; words: string; onRelabel: (label: string) => void }) {
  const [typed, setTyped] = useState(label);
  const [known, setKnown] = useState(label);
  // Another window has changed the label.
  if (known !== label) {
    setKnown(label);
    setTyped(label);
  }
  const keep = () => {
    if (typed.trim() !== label) onRelabel(typed.trim());
  };
  return (
    <TextInput
      className={styles.label ?? ''}
      size="xs"
      aria-label={t`Label of ${words}`}
      placeholder={t`Label`}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') setTyped(label);
      }}
    />
  );
}
