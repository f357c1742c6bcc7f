import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { sizeOf } from '#reading/viewer/hanging/layouts.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { PatientBanner } from '#reading/viewer/shell/patient-banner.tsx';
import stripStyles from '#reading/viewer/shell/series-strip.module.css';
import toolbarStyles from '#reading/viewer/shell/toolbar.module.css';
import frameStyles from '#reading/viewer/shell/viewer-frame.module.css';
import { FirstPicture } from './first-picture.tsx';
import gridStyles from '#reading/viewer/standard/panes/pane-grid.module.css';
import type { PaneContent } from '#reading/viewer/standard/panes/pane-content.ts';
import { hasFullWidth } from './has-full-width.ts';
import { useHanging } from '#reading/viewer/standard/hanging/use-hanging.ts';
import { useSpace } from '#reading/viewer/standard/hanging/use-space.ts';

type Props = { study: StudyDetails; waiting: ReactNode };

/**
 * Stands in for the standard viewer until its code has loaded. Shows the patient banner and the first images in their
 * final positions. Renders nothing if a report, a list or a small screen would move them.
 */
export function StudyPreview({ study, waiting }: Props) {
  const [spaceRef, aspect] = useSpace();
  const hanging = useHanging(study, aspect);
  const [isAlone] = useState(hasFullWidth);
  if (!isAlone || hanging.isWaiting) return waiting;
  const { rows, columns } = sizeOf(hanging.layout);
  const panes = hanging.arranged.slice(0, rows * columns);
  return (
    <div className={frameStyles.viewer}>
      <PatientBanner study={study} />
      <div className={toolbarStyles.toolbar} />
      <div className={frameStyles.room} aria-busy>
        <div className={stripStyles.strip} />
        <div
          ref={spaceRef}
          className={gridStyles.panes}
          style={{ '--rows': rows, '--columns': columns } as CSSProperties}
        >
          {panes.map((content, at) => (
            // The index is a valid key, because panes never move here.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={at} className={gridStyles.pane}>
              <div className={gridStyles.picture}>
                {content?.study.id === study.id && <PaneAhead content={content} />}
              </div>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function PaneAhead({ content }: { content: PaneContent }) {
  const { study, series } = content;
  const { data } = useQuery(seriesImages(study.studyInstanceUID, series.seriesInstanceUID));
  return data ? <FirstPicture study={study} content={content} images={data} isAsking /> : null;
}
