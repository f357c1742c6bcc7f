import type { StackViewport as Viewport } from '@cornerstonejs/core';
import { Button } from '@mantine/core';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/studies';
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { useImageArrival } from './image-arrival.ts';
import { Overlays } from './overlays.tsx';
import styles from './pane.module.css';
import { ScrollTrack } from './scroll-track.tsx';
import { isShowable } from './series-kinds.ts';
import { type SeriesImage, seriesImages } from './series-loader.ts';
import { useShownImage, type View } from './shown-image.ts';
import { StackViewport } from './stack-viewport.tsx';
import type { ViewBox } from './view-box.ts';
import { retry } from './view-commands.ts';

type Props = {
  viewBox: ViewBox | undefined;
  study: StudyDetails;
  series: SeriesSummary | undefined;
  /** Which pane of the layout this is. */
  at: number;
  /** Called with what the pane shows, undefined when that goes. Keep it the same between renderings. */
  onView: (at: number, view: View | undefined) => void;
};

/** One place of the layout, with a series on it or none. */
export function Pane({ viewBox, study, series, at, onView }: Props) {
  if (!study.series.some(isShowable)) return <EmptyState icon={IconPhotoOff} title="This study holds no images" />;
  if (!series) return <EmptyState icon={IconPhoto} title="Choose a series from the strip" />;
  if (!viewBox) return null;
  return <SeriesPane viewBox={viewBox} study={study} series={series} at={at} onView={onView} />;
}

type SeriesProps = Props & { viewBox: ViewBox; series: SeriesSummary };

function SeriesPane(props: SeriesProps) {
  const { study, series } = props;
  const { data, error, refetch } = useQuery(seriesImages(study.studyInstanceUID, series.seriesInstanceUID));
  if (error) return <ErrorState failed="The series could not be loaded" error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className={styles.waiting}>Loading series…</p>;
  if (data.length === 0) return <EmptyState icon={IconPhotoOff} title="This series holds no images" />;
  return <Pictures {...props} images={data} />;
}

function Pictures({ viewBox, images, study, series, at, onView }: SeriesProps & { images: SeriesImage[] }) {
  const [view, setView] = useState<View>();

  const onViewport = useCallback(
    (viewport: Viewport | undefined) => {
      const next = viewport && { viewport, images };
      setView(next);
      onView(at, next);
    },
    [images, at, onView],
  );

  return (
    <>
      <StackViewport viewBox={viewBox} images={images} onViewport={onViewport} />
      {view && <OnPicture key={view.viewport.id} view={view} series={series} patientId={study.patient.patientId} />}
    </>
  );
}

type OnPictureProps = { view: View; series: SeriesSummary; patientId: string };

/** What lies on a picture: words, the track beside it, and a veil when it is not the picture that was asked for. */
function OnPicture({ view, series, patientId }: OnPictureProps) {
  const { viewport, images } = view;
  const shown = useShownImage(view);
  const arrival = useImageArrival(viewport);
  return (
    <>
      {shown && <Overlays series={series} count={images.length} shown={shown} patientId={patientId} />}
      {arrival.state === 'waiting' && <p className={styles.waiting}>Loading image…</p>}
      {arrival.state === 'failed' && (
        <Veil number={viewport.getCurrentImageIdIndex() + 1} reason={arrival.reason} onRetry={() => retry(viewport)} />
      )}
      {images.length > 1 && <ScrollTrack view={view} index={shown?.index ?? 0} />}
    </>
  );
}

type VeilProps = { number: number; reason: string; onRetry: () => Promise<void> };

/** Covers a picture that is not the one that was asked for. */
function Veil({ number, reason, onRetry }: VeilProps) {
  return (
    <div className={styles.veil} role="alert">
      <IconPhotoOff size={28} stroke={1.4} aria-hidden />
      <p className={styles.failed}>Image {number} could not be shown</p>
      <p>{reason}</p>
      <Button variant="default" onClick={() => void onRetry()}>
        Retry
      </Button>
    </div>
  );
}
