import { t } from '@lingui/core/macro';
import type { KeyImage } from '@radwork/contract/reading/key-images';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type CSSProperties, type DragEvent, type ReactNode, type RefCallback, useRef, useState } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { DoseDisplay } from '#reading/viewer/dose/dose-display.ts';
import type { SegmentDisplay } from '#reading/viewer/segments/segment-display.ts';
import { type Layout, sizeOf } from '#reading/viewer/hanging/layouts.ts';
import { carriesSeries, type DraggedSeries, droppedSeries } from '#reading/viewer/shell/dragged-series.ts';
import styles from './pane-grid.module.css';
import { Pane } from './pane.tsx';
import type { PaneContent } from './pane-content.ts';
import { linkText, priorLabel } from './pane-labels.ts';
import type { PriorState } from '#reading/viewer/standard/hanging/use-prior-to-hang.ts';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import type { Presentations } from '#reading/viewer/presentation-states/use-presentations.ts';
import type { Panes } from './use-panes.ts';

type Props = {
  viewBox: ViewBox | undefined;
  study: StudyDetails;
  panes: Panes;
  layout: Layout;
  /** Receives the element whose shape decides the layout. Must not change between renders. */
  spaceRef: RefCallback<HTMLElement>;
  /** State of an empty pane that waits for the prior. */
  priorStateOf: (pane: number) => PriorState | undefined;
  /** Whether the hanging is not known yet. */
  isArranging: boolean;
  isLinked: boolean;
  hasLines: boolean;
  /** Called when a series is dropped on a pane. */
  onDrop: (pane: number, series: DraggedSeries) => void;
  /** Moves from a document to an image of the same study. */
  onGoTo: (place: ImagePlace) => void;
  presentations: Presentations;
  /** Key images of the study, once known. */
  keyImages: readonly KeyImage[] | undefined;
  segments: SegmentDisplay;
  dose: DoseDisplay;
  areLayersHidden: boolean;
};

/** Panes with images. Tools and shortcuts act on the last touched pane. */
export function PaneGrid({ viewBox, study, panes, layout, isArranging, ...props }: Props) {
  const {
    spaceRef,
    priorStateOf,
    isLinked,
    hasLines,
    onDrop,
    keyImages,
    segments,
    dose,
    areLayersHidden,
    onGoTo,
    presentations,
  } = props;
  const { contents, strays, current, enlarged, enter, enlarge, views, onView } = panes;
  const { rows, columns } = sizeOf(layout);
  if (isArranging) return <p className={styles.waiting}>{t`Arranging images…`}</p>;
  const places = { '--rows': rows, '--columns': columns } as CSSProperties;
  return (
    <div ref={spaceRef} className={styles.panes} style={places}>
      {contents.map((content, at) => (
        <Frame
          key={`${at} ${content?.study.id} ${content?.series.seriesInstanceUID} ${content?.start} ${content?.image} ${content?.part}`}
          at={at}
          study={study}
          content={content}
          isOne={contents.length === 1}
          isCurrent={at === current}
          isEnlarged={at === enlarged}
          isCovered={enlarged !== undefined && at !== enlarged}
          onEnter={() => enter(at)}
          onEnlarge={() => enlarge(at)}
          onDrop={(series) => onDrop(at, series)}
        >
          <Pane
            viewBox={viewBox}
            study={study}
            content={content}
            isStray={strays[at] === true}
            priorState={priorStateOf(at)}
            at={at}
            note={isLinked ? linkText(views, at) : ''}
            lineOf={hasLines && at !== current ? views[current] : undefined}
            onView={onView}
            onGoTo={onGoTo}
            presentation={presentations.of(views[at])}
            keyImages={content?.study.id === study.id ? keyImages : undefined}
            dose={content?.study.id === study.id && dose.isOn ? dose : undefined}
            segments={content?.study.id === study.id && segments.isOn ? segments : undefined}
            areLayersHidden={areLayersHidden}
          />
        </Frame>
      ))}
    </div>
  );
}

type FrameProps = {
  at: number;
  study: StudyDetails;
  content: PaneContent | undefined;
  isOne: boolean;
  isCurrent: boolean;
  isEnlarged: boolean;
  isCovered: boolean;
  onEnter: () => void;
  onEnlarge: () => void;
  onDrop: (series: DraggedSeries) => void;
  children: ReactNode;
};

/**
 * Whether an event hit the image itself. A double click on a button, track or document text must not enlarge the pane.
 */
const isOnPicture = ({ target }: { target: EventTarget }) =>
  target instanceof Element && target.closest('button, [role="slider"], [data-document]') === null;

function Frame({ at, study, content, children, ...frame }: FrameProps) {
  const { isOne, isCurrent, isEnlarged, isCovered, onEnter, onEnlarge } = frame;
  const number = at + 1;
  const isOther = content !== undefined && content.study.id !== study.id;
  const words = isOther ? priorLabel(study, content.study) : '';
  const drop = useDrop(frame.onDrop);
  return (
    <section
      // The pane can take the focus although it is no control. The focus marks the pane on which shortcuts act.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isOne || isCovered ? undefined : 0}
      aria-label={t`Viewport ${number}`}
      aria-current={!isOne && isCurrent}
      aria-hidden={isCovered || undefined}
      className={styles.pane}
      data-enlarged={isEnlarged || undefined}
      data-other={isOther || undefined}
      data-over={drop.isOver || undefined}
      onFocus={onEnter}
      onPointerDown={onEnter}
      onWheel={onEnter}
      onDoubleClick={(event) => {
        if (!isOne && isOnPicture(event)) onEnlarge();
      }}
      {...drop.handlers}
    >
      {isOther && (
        <p className={styles.prior}>
          <strong>{words}</strong>
          <span>{content.study.description || content.study.studyDescription}</span>
        </p>
      )}
      <div className={styles.picture}>{children}</div>
    </section>
  );
}

/** Accepts a series dropped on an element. */
const useDrop = (onDrop: (series: DraggedSeries) => void) => {
  const [isOver, setOver] = useState(false);
  // Counts nested elements, because a child is entered before its parent is left.
  const depth = useRef(0);
  const leave = () => {
    depth.current = 0;
    setOver(false);
  };
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!carriesSeries(event)) return;
      depth.current += 1;
      setOver(true);
    },
    onDragOver: (event: DragEvent) => {
      if (carriesSeries(event)) event.preventDefault();
    },
    onDragLeave: () => {
      depth.current -= 1;
      if (depth.current <= 0) leave();
    },
    onDrop: (event: DragEvent) => {
      const series = droppedSeries(event);
      leave();
      if (!series) return;
      event.preventDefault();
      onDrop(series);
    },
  };
  return { isOver, handlers };
};
