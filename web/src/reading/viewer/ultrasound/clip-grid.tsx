import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { DragEvent } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import styles from './clip-grid.module.css';
import { ClipPane } from './clip-pane.tsx';
import type { Presentations } from '#reading/viewer/presentation-states/use-presentations.ts';
import { draggedClip } from './clip-strip.tsx';
import { type Layout, layouts } from './clip-layouts.ts';
import type { ClipPanes } from './use-clip-panes.ts';

type Props = {
  viewBox: ViewBox | undefined;
  study: StudyDetails;
  clips: readonly Clip[];
  panes: ClipPanes;
  layout: Layout;
  /** Whether a clip starts to play when it enters a pane. */
  playsAtOnce: boolean;
  /** Whether the active tool draws, which stops playback. */
  isDrawing: boolean;
  presentations: Presentations;
};

const viewportName = (number: number): string => t`Viewport ${number}`;

/** Panes with clips. Tools and shortcuts act on the last touched pane. */
export function ClipGrid({ viewBox, study, clips, panes, layout, playsAtOnce, isDrawing, presentations }: Props) {
  const { clipIn, current, enter, put, onStanding: onActiveClip } = panes;
  const drop = (event: DragEvent, pane: number) => {
    const clip = clips.find(({ key }) => key === event.dataTransfer.getData(draggedClip));
    if (!clip) return;
    event.preventDefault();
    put(clip, pane);
    enter(pane);
  };
  return (
    <div className={styles.panes} data-across={layouts[layout].across}>
      {clipIn.map((clip, at) => (
        <section
          key={`${at} ${clip?.key}`}
          aria-label={viewportName(at + 1)}
          className={styles.pane}
          data-current={clipIn.length > 1 && at === current}
          onPointerDown={() => enter(at)}
          onWheel={() => enter(at)}
          onDragOver={(event) => event.dataTransfer.types.includes(draggedClip) && event.preventDefault()}
          onDrop={(event) => drop(event, at)}
        >
          {!clip && <p className={styles.empty}>{t`Drag a clip here, or select one on the left`}</p>}
          {viewBox && clip && (
            <ClipPane
              viewBox={viewBox}
              clip={clip}
              study={study}
              at={at}
              playsAtOnce={playsAtOnce}
              isDrawing={isDrawing}
              presentations={presentations}
              onActiveClip={onActiveClip}
            />
          )}
        </section>
      ))}
    </div>
  );
}
