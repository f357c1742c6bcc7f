import type { StudyDetails } from '@radwork/contract/studies';
import type { DragEvent } from 'react';
import type { ViewBox } from '#viewer/engine/view-box.ts';
import type { Clip } from '#viewer/images/clips.ts';
import styles from './clip-grid.module.css';
import { ClipPane } from './clip-pane.tsx';
import { draggedClip } from './clip-strip.tsx';
import { type Layout, layouts } from './layouts.ts';
import type { ClipPanes } from './use-clip-panes.ts';

type Props = {
  viewBox: ViewBox | undefined;
  study: StudyDetails;
  clips: readonly Clip[];
  panes: ClipPanes;
  layout: Layout;
  /** Whether a clip that comes into a pane begins to play. */
  playsAtOnce: boolean;
  /** Whether the tool in hand draws: drawing stops a film. */
  isDrawing: boolean;
};

/** The clips, side by side. The pane that was touched last is the one that tools and keys act on. */
export function ClipGrid({ viewBox, study, clips, panes, layout, playsAtOnce, isDrawing }: Props) {
  const { clipIn, current, enter, put, onStanding } = panes;
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
          aria-label={`Pane ${at + 1}`}
          className={styles.pane}
          data-current={clipIn.length > 1 && at === current}
          onPointerDown={() => enter(at)}
          onWheel={() => enter(at)}
          onDragOver={(event) => event.dataTransfer.types.includes(draggedClip) && event.preventDefault()}
          onDrop={(event) => drop(event, at)}
        >
          {!clip && <p className={styles.empty}>Drag a clip here, or choose one on the left</p>}
          {viewBox && clip && (
            <ClipPane
              viewBox={viewBox}
              clip={clip}
              patientId={study.patient.patientId}
              at={at}
              playsAtOnce={playsAtOnce}
              isDrawing={isDrawing}
              onStanding={onStanding}
            />
          )}
        </section>
      ))}
    </div>
  );
}
