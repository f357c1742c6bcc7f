import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconCubeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { hasSlide, isDocuments } from '#reading/viewer/images/series/series-kinds.ts';
import { type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { addresses } from '#reading/viewer/viewer-modes.ts';
import { OtherPatients } from '#reading/viewer/shell/other-patient-warning.tsx';
import { orientations, type Volumes } from '#reading/viewer/volumes/plane-viewport.tsx';
import { useVolume } from '#reading/viewer/volumes/use-volume.ts';
import { type Arrival, loadAround, type Volume } from '#reading/viewer/volumes/volume.ts';
import { canLoadAgain, namesOf, volumeFitness } from '#reading/viewer/volumes/volume-fitness.ts';
import { useCrossing } from './crosshairs.ts';
import { firstPlaneOf } from './first-plane-view.ts';
import styles from './mpr-stage.module.css';
import { PlanePane } from './plane-pane.tsx';
import { PlanesAhead } from './planes-ahead.tsx';
import { RenderingPane } from './rendering-pane.tsx';
import type { PlaneLayersShown } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import type { MprState } from './use-mpr-state.ts';

type Props = {
  viewBox: ViewBox | undefined;
  study: StudyDetails;
  series: SeriesSummary;
  desk: MprState;
  layers: PlaneLayersShown;
};

/** Planes through one series, or the reason why there are none. Give each series its own React key. */
export function MprStage(props: Props) {
  if (hasSlide(props.series) && isDocuments(props.series)) return <Refusal study={props.study} reason={slideReason} />;
  return <Stage {...props} />;
}

const slideReason = t`A slide is one flat picture in tiles, without slices.`;

function Stage({ viewBox, study, series, desk, layers }: Props) {
  const { data, error, refetch } = useQuery(seriesImages(study.studyInstanceUID, series.seriesInstanceUID));
  const fitness = useMemo(() => data && volumeFitness(data), [data]);
  if (error) {
    return (
      <div className={styles.instead}>
        <ErrorState failed={t`The series could not be loaded`} error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data || !fitness) return <p className={styles.waiting}>{t`Loading series…`}</p>;
  if (!fitness.isFit) return <Refusal study={study} reason={fitness.reason} />;
  if (!viewBox) return <PlanesAhead study={study} series={series} images={data} />;
  return <Loading {...{ viewBox, study, series, desk, layers }} images={data} />;
}

/** Message shown instead of the planes: why the series is unsuitable, and where to view its images. */
const Refusal = ({ study, reason }: { study: StudyDetails; reason: string }) => (
  <div className={styles.instead}>
    <EmptyState
      icon={IconCubeOff}
      title={t`MPR is not possible for this series`}
      detail={reason}
      action={
        <Link to={addresses.standard} params={{ id: study.id }}>
          {t`Open in the standard viewer`}
        </Link>
      }
    />
  </div>
);

type LoadingProps = Props & { viewBox: ViewBox; images: readonly SeriesImage[] };

function Loading({ viewBox, study, series, desk, layers, images }: LoadingProps) {
  const [load, retry] = useVolume(viewBox, images);
  const { patientId } = study.patient;
  if (load.state === 'refused') return <Refusal study={study} reason={load.reason} />;
  if (load.state === 'making') return <PlanesAhead study={study} series={series} images={images} />;
  const { volume, arrival, isComplete } = load;
  return (
    <div className={styles.stage}>
      <OtherPatients images={images} patientId={patientId} />
      {isComplete && arrival.failed.length > 0 && <Missing arrival={arrival} onRetry={retry} />}
      <Planes {...{ viewBox, study, series, desk, layers, volume, arrival }} />
    </div>
  );
}

function Missing({ arrival: { failed, total }, onRetry }: { arrival: Arrival; onRetry: () => void }) {
  const count = failed.length;
  const names = namesOf(failed.map(({ image }) => image));
  const reason = failed[0]?.reason ?? '';
  return (
    <Notice
      tone="danger"
      action={
        canLoadAgain(failed) && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t`Retry`}
          </Button>
        )
      }
    >
      {t`${count} of ${total} slices could not be loaded and are hatched: ${names}. ${reason}`}{' '}
      {!canLoadAgain(failed) && t`Loading it again cannot help.`}
    </Notice>
  );
}

type PlanesProps = Omit<LoadingProps, 'images'> & { volume: Volume; arrival: Arrival };

function Planes({ viewBox, study, series, desk, layers, volume, arrival }: PlanesProps) {
  const first = useMemo(() => firstPlaneOf(study, volume.images), [study, volume]);
  const volumes: Volumes = useMemo(() => [volume], [volume]);
  const crossing = useCrossing(desk.all);
  const isLoading = arrival.loaded + arrival.failed.length < arrival.total;
  useEffect(() => {
    if (crossing) loadAround(volume, crossing);
  }, [volume, crossing]);
  return (
    <div className={styles.panes}>
      {orientations.map((orientation) => (
        <PlanePane
          key={orientation}
          viewBox={viewBox}
          volumes={volumes}
          orientation={orientation}
          series={series}
          desk={desk}
          layers={layers}
          crossing={crossing}
          isLoading={isLoading}
          first={first?.orientation === orientation ? first : undefined}
        />
      ))}
      <RenderingPane viewBox={viewBox} volume={volume} series={series} desk={desk} isComplete={!isLoading} />
      {isLoading && <Arriving arrival={arrival} isLarge={desk.large !== undefined} />}
    </div>
  );
}

/** Progress of the slices. It lies between the panes, or at the edge of an enlarged pane, so that it hides no image. */
const Arriving = ({ arrival: { loaded, total }, isLarge }: { arrival: Arrival; isLarge: boolean }) => (
  <div className={styles.arrival} data-large={isLarge} role="status">
    <span>{t`Loading: ${loaded} of ${total} slices`}</span>
    <span className={styles.bar}>
      <span style={{ width: `${(100 * loaded) / total}%` }} />
    </span>
  </div>
);
