import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useState } from 'react';
import type { ShownImage, View } from '#reading/viewer/engine/stack/shown-image.ts';
import { toScreenOf, type ToScreen } from '#reading/viewer/presentation-states/apply-state.ts';
import { GraphicMark } from '#reading/viewer/presentation-states/graphic-mark.tsx';
import { outlineOf } from '#reading/viewer/presentation-states/graphic-outlines.ts';
import layers from '#reading/viewer/presentation-states/presentation-layer.module.css';
import { TextMark } from '#reading/viewer/presentation-states/text-mark.tsx';
import styles from './outline-layer.module.css';
import { outlinesOn, type PlacedOutline } from './place-outlines.ts';
import { type OutlinedReport, useOutlinedReports } from './study-outlines.ts';

type Props = { view: View; shownImage: ShownImage; study: StudyDetails };

/**
 * Draws the outlines of the structured reports of a study on the image to which they refer, with the words of the
 * report. The user can hide them.
 */
export function OutlineLayer({ view, shownImage, study }: Props) {
  const reports = useOutlinedReports(study);
  const toScreen = toScreenOf(view.viewport);
  const visible = reports.map((report) => ({ report, outlines: outlinesOn(shownImage.image, report.outlines) }));
  if (!toScreen) return null;
  return <OutlinesOver placed={visible} toScreen={toScreen} width={view.viewport.element.clientWidth} />;
}

/** Outlines of a report on the image or plane on the screen. */
export type PlacedReport = { report: OutlinedReport; outlines: readonly PlacedOutline[] };

type OverProps = {
  placed: readonly PlacedReport[];
  toScreen: ToScreen;
  /** Width of the viewport in CSS pixels. */
  width: number;
};

/** Draws the outlines of reports, and names the reports. */
export function OutlinesOver({ placed, toScreen, width }: OverProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const visible = placed.filter(({ outlines }) => outlines.length > 0);
  if (visible.length === 0) return null;
  const isDrawn = ({ sopInstanceUID, isOwn }: OutlinedReport) => toggled.has(sopInstanceUID) === isOwn;
  const toggle = (uid: string) =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(uid)) after.add(uid);
      return after;
    });
  const drawnOutlines = visible.filter(({ report }) => isDrawn(report)).flatMap(({ outlines }) => outlines);
  return (
    <>
      {drawnOutlines.length > 0 && (
        <svg className={layers.layer} aria-hidden data-testid="report-outlines">
          {drawnOutlines.map(({ graphic }, at) => (
            <GraphicMark key={at} graphic={graphic} place={asItIs} toScreen={toScreen} />
          ))}
          {drawnOutlines.map((outline, at) => (
            <Words key={at} outline={outline} toScreen={toScreen} width={width} />
          ))}
        </svg>
      )}
      <div className={styles.notes}>
        {visible.map(({ report }) => (
          <Note key={report.sopInstanceUID} report={report} isDrawn={isDrawn(report)} onToggle={toggle} />
        ))}
      </div>
    </>
  );
}

const asItIs = (point: { x: number; y: number }) => point;

/** Text at the point of an outline that is farthest to the right on the screen. */
function Words({ outline, toScreen, width }: { outline: PlacedOutline; toScreen: ToScreen; width: number }) {
  const { graphic, words } = outline;
  const { points } = outlineOf(graphic, graphic.points);
  const [first] = points;
  if (words.length === 0 || !first) return null;
  const right = points.reduce((one, other) => (toScreen(other).x > toScreen(one).x ? other : one), first);
  return (
    <TextMark
      words={{
        kind: 'words',
        text: words.join('\n'),
        box: undefined,
        justification: 'left',
        anchor: { ...right, units: 'PIXEL' },
        hasLine: false,
      }}
      place={asItIs}
      toScreen={toScreen}
      width={width}
    />
  );
}

type NoteProps = { report: OutlinedReport; isDrawn: boolean; onToggle: (uid: string) => void };

function Note({ report: { sopInstanceUID, title, unread }, isDrawn, onToggle }: NoteProps) {
  const name = title || t`Structured report`;
  return (
    <p className={styles.note}>
      <span data-picture-title={isDrawn || undefined}>{t`Outlines of ${name}`}</span>
      {unread > 0 && <span className={styles.fault}>{t`${unread} not drawn`}</span>}
      <button type="button" className={styles.toggle} aria-pressed={isDrawn} onClick={() => onToggle(sopInstanceUID)}>
        {isDrawn ? t`Hide` : t`Show`}
      </button>
    </p>
  );
}
