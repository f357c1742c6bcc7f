import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { PatientBanner } from '#reading/viewer/shell/patient-banner.tsx';
import stripStyles from '#reading/viewer/shell/series-strip.module.css';
import toolbarStyles from '#reading/viewer/shell/toolbar.module.css';
import frameStyles from '#reading/viewer/shell/viewer-frame.module.css';
import { hasFullWidth } from '#reading/viewer/standard/opening/has-full-width.ts';
import { PlanesAhead } from './planes-ahead.tsx';
import { firstPlaneOf } from './first-plane-view.ts';
import { useSeriesToCut } from './use-series-to-cut.ts';

type Props = { study: StudyDetails; waiting: ReactNode };

/**
 * Stands in for MPR until its code has loaded. Shows the patient banner and the first plane in their final positions.
 * Renders `waiting` if only the imaging library can draw this plane, or if a report or a small screen would move it.
 */
export function PlanesPreview({ study, waiting }: Props) {
  const namedSeries = useParams({ strict: false, select: ({ series }) => series });
  const { series } = useSeriesToCut(study, namedSeries);
  const { data } = useQuery({
    ...seriesImages(study.studyInstanceUID, series?.seriesInstanceUID ?? ''),
    enabled: series !== undefined,
  });
  const [isAlone] = useState(hasFullWidth);
  if (!isAlone || !series || !data || !firstPlaneOf(study, data)) return waiting;
  return (
    <div className={frameStyles.viewer}>
      <PatientBanner study={study} />
      <div className={toolbarStyles.toolbar} />
      <div className={frameStyles.room}>
        <div className={stripStyles.strip} />
        <PlanesAhead study={study} series={series} images={data} isAsking />
      </div>
    </div>
  );
}
