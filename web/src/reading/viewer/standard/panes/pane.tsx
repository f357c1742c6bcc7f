import { t } from '@lingui/core/macro';
import type { StackViewport as Viewport } from '@cornerstonejs/core';
import type { KeyImage } from '@radwork/contract/reading/key-images';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useState } from 'react';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { usePhaseWheel } from '#reading/viewer/engine/stack/move-by-phase.ts';
import { useImageArrival } from '#reading/viewer/engine/stack/image-arrival.ts';
import { FirstPicture } from '#reading/viewer/standard/opening/first-picture.tsx';
import type { ListedState } from '#reading/viewer/presentation-states/read-states.ts';
import { Overlays } from './overlays.tsx';
import styles from './pane.module.css';
import type { PaneContent } from './pane-content.ts';
import { ReferenceLine } from './reference-line.tsx';
import { newImagesText, useNewImageCount } from '#reading/viewer/images/series/use-more-images.ts';
import { placeOf } from '#reading/viewer/key-images/image-to-mark.ts';
import { isOf } from '#reading/viewer/key-images/use-key-images.ts';
import type { PriorState } from '#reading/viewer/standard/hanging/use-prior-to-hang.ts';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import { PhaseTrack } from './phase-track.tsx';
import { ScrollTrack } from './scroll-track.tsx';
import { mayHaveOutlines } from '#reading/viewer/report-outlines/may-have-outlines.ts';
import { hasFileLayers } from '#reading/viewer/images/header/file-layers.ts';
import { hasSlide, isDocuments, isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import { sopInstanceOf, type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { useShownImage, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { DoseDisplay } from '#reading/viewer/dose/dose-display.ts';
import type { SegmentDisplay } from '#reading/viewer/segments/segment-display.ts';
import { hasShutter } from '#reading/viewer/presentation-states/use-presentations.ts';
import { MapColors } from '#reading/viewer/scales/map-colors.tsx';
import { MapBar } from '#reading/viewer/scales/map-bar.tsx';
import { isMap } from '#reading/viewer/scales/map-scale.ts';
import { StackViewport } from '#reading/viewer/engine/stack/stack-viewport.tsx';
import { MissingImage } from '#reading/viewer/shell/missing-image.tsx';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { retry } from '#reading/viewer/engine/stack/view-commands.ts';

const PresentationLayer = loadOnDemand(
  async () => (await import('#reading/viewer/presentation-states/presentation-layer.tsx')).PresentationLayer,
);

const FileLayers = loadOnDemand(async () => (await import('#reading/viewer/file-layers/file-layers.tsx')).FileLayers);

const DocumentPane = loadOnDemand(
  async () => (await import('#reading/viewer/documents/document-pane.tsx')).DocumentPane,
);
const SlidePane = loadOnDemand(async () => (await import('#reading/viewer/slides/slide-pane.tsx')).SlidePane);

const OutlineLayer = loadOnDemand(
  async () => (await import('#reading/viewer/report-outlines/outline-layer.tsx')).OutlineLayer,
);

const SegmentLayer = loadOnDemand(
  async () => (await import('#reading/viewer/segments/segment-layer.tsx')).SegmentLayer,
);

const DoseLayer = loadOnDemand(async () => (await import('#reading/viewer/dose/dose-layer.tsx')).DoseLayer);

type Props = {
  viewBox: ViewBox | undefined;
  /** The current study. */
  study: StudyDetails;
  content: PaneContent | undefined;
  /** Whether the study of the content has moved to another patient since it was opened here. */
  isStray: boolean;
  /** State of a pane for the prior while it has no content. */
  priorState: PriorState | undefined;
  /** Index of the pane in the layout. */
  at: number;
  /** Text about the pane, such as its link. */
  note: string;
  /** View whose plane is drawn as a reference line. */
  lineOf: View | undefined;
  /** Key images that may include the image of this pane. */
  keyImages: readonly KeyImage[] | undefined;
  /** Presentation state chosen for the pane. */
  presentation: ListedState | undefined;
  /** Moves from a document to an image of the same study. */
  onGoTo: (place: ImagePlace) => void;
  /** Segments shown over the images; undefined while none are shown. */
  segments: SegmentDisplay | undefined;
  /** Dose shown over the images; undefined while none is shown. */
  dose: DoseDisplay | undefined;
  /** Whether the user has hidden the overlay planes, shutters and scales of the files. */
  areLayersHidden: boolean;
  /** Called with the view of the pane, or with undefined when the view is gone. Must not change between renders. */
  onView: (at: number, view: View | undefined) => void;
};

const imageName = (number: number): string => t`Image ${number}`;

const priorTexts = {
  failed: t`The prior study could not be loaded`,
  none: t`The prior has no image of this kind`,
};

/** Shows a series, or an empty pane of the layout. */
export function Pane({ content, ...props }: Props) {
  if (props.isStray) {
    return (
      <Notice tone="danger">
        {t`The study in this viewport was filed under another patient and is no longer shown.`}
      </Notice>
    );
  }
  if (!content && !props.study.series.some((one) => isShowable(one) || isDocuments(one))) {
    return <EmptyState icon={IconPhotoOff} title={t`This study has no images`} />;
  }
  if (!content && props.priorState === 'loading') return <p className={styles.waiting}>{t`Loading prior…`}</p>;
  if (!content && (props.priorState === 'failed' || props.priorState === 'none')) {
    return <EmptyState icon={IconPhoto} title={priorTexts[props.priorState]} detail={t`Drag a series here.`} />;
  }
  if (!content) return <EmptyState icon={IconPhoto} title={t`Select a series in the list, or drag one here`} />;
  if (content.part !== 'documents' && isDocuments(content.series) && hasSlide(content.series)) {
    const waiting = <p className={styles.waiting}>{t`Loading slide…`}</p>;
    return <SlidePane study={content.study} series={content.series} waiting={waiting} />;
  }
  if (content.part === 'documents' || isDocuments(content.series)) return <Documents {...props} content={content} />;
  return <SeriesPane {...props} content={content} />;
}

function Documents({ content: { study, series, image }, onGoTo }: Pick<SeriesProps, 'content' | 'onGoTo'>) {
  const waiting = <p className={styles.waiting}>{t`Loading document…`}</p>;
  const first = image && sopInstanceOf(image);
  return (
    <DocumentPane
      study={study}
      series={series}
      first={first}
      onGoTo={(place) => onGoTo({ ...place, study })}
      waiting={waiting}
    />
  );
}

type SeriesProps = Props & { content: PaneContent };

function SeriesPane(props: SeriesProps) {
  const { study, series } = props.content;
  const { data, error, refetch } = useQuery(seriesImages(study.studyInstanceUID, series.seriesInstanceUID));
  const [isDrawn, setDrawn] = useState(false);
  const onDrawn = useCallback(() => setDrawn(true), []);
  if (error)
    return <ErrorState failed={t`The series could not be loaded`} error={error} onRetry={() => void refetch()} />;
  const { viewBox } = props;
  // Fetches the series while the view box is being created.
  if (!data) return <p className={styles.waiting}>{t`Loading series…`}</p>;
  // A series without images may be a document of any modality. For example, a PDF has the modality of the device that
  // made it.
  if (data.length === 0) return <Documents {...props} />;
  return (
    <>
      {viewBox ? (
        <Pictures {...props} viewBox={viewBox} images={data} onDrawn={onDrawn} />
      ) : (
        <p className={styles.waiting}>{t`Loading series…`}</p>
      )}
      {!isDrawn && <FirstPicture study={study} content={props.content} images={data} />}
    </>
  );
}

type PicturesProps = SeriesProps & {
  viewBox: ViewBox;
  images: SeriesImage[];
  /** Called once the imaging library shows an image or reports an error. Must not change between renders. */
  onDrawn: () => void;
};

function Pictures(props: PicturesProps) {
  const { viewBox, images, content, at, onView } = props;
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
      <StackViewport viewBox={viewBox} images={images} first={content} onViewport={onViewport} />
      {view && <OnPicture key={view.viewport.id} {...props} view={view} />}
    </>
  );
}

/** Content over an image: text, scroll track, and a cover while another image loads. */
function OnPicture(props: PicturesProps & { view: View }) {
  const { view, content, note, lineOf, keyImages, segments, dose, areLayersHidden, presentation, onDrawn } = props;
  const { viewport, images } = view;
  const { series, study } = content;
  const shownImage = useShownImage(view);
  const arrival = useImageArrival(viewport);
  const { seriesInstanceUID } = series;
  const more = useNewImageCount(
    study.studyInstanceUID,
    // The series in its current state. The chosen series may have an old image count.
    study.series.find((one) => one.seriesInstanceUID === seriesInstanceUID),
  );
  usePhaseWheel(view);
  const isSettled = shownImage !== undefined || arrival.state === 'failed';
  useLayoutEffect(() => {
    if (isSettled) onDrawn();
  }, [isSettled, onDrawn]);
  return (
    <>
      {shownImage && hasFileLayers(shownImage.image.header) && (
        <FileLayers
          viewport={viewport}
          shownImage={shownImage}
          areHidden={areLayersHidden}
          isShuttered={presentation !== undefined && hasShutter(presentation)}
        />
      )}
      {shownImage && <MapColors viewport={viewport} isMap={!presentation && isMap(shownImage.image.header)} />}
      {shownImage && !areLayersHidden && !presentation && isMap(shownImage.image.header) && (
        <MapBar viewport={viewport} shown={shownImage} />
      )}
      {shownImage && dose && (
        <DoseLayer
          viewport={viewport}
          shown={shownImage}
          display={dose}
          isScaleHidden={areLayersHidden}
          waiting={<p className={styles.waiting}>{t`Loading dose…`}</p>}
        />
      )}
      {segments && (
        <SegmentLayer
          key={viewport.id}
          view={view}
          study={study}
          display={segments}
          waiting={<p className={styles.waiting}>{t`Loading segments…`}</p>}
        />
      )}
      {shownImage && presentation && (
        <PresentationLayer key={presentation.sopInstanceUID} view={view} shownImage={shownImage} state={presentation} />
      )}
      {shownImage && mayHaveOutlines(study) && (
        <OutlineLayer view={view} shownImage={shownImage} study={study} waiting={null} />
      )}
      {shownImage && lineOf && (
        <ReferenceLine key={lineOf.viewport.id} view={view} shownImage={shownImage} of={lineOf} />
      )}
      {shownImage && (
        <Overlays
          series={series}
          count={images.length}
          shownImage={shownImage}
          patientId={study.patient.patientId}
          note={[note, newImagesText(more)].filter((words) => words !== '').join(' · ')}
          isKeyImage={keyImages?.some(isOf(placeOf(shownImage.image))) === true}
        />
      )}
      {arrival.state === 'waiting' && <p className={styles.waiting}>{t`Loading image…`}</p>}
      {arrival.state === 'failed' && (
        <MissingImage
          name={imageName(viewport.getCurrentImageIdIndex() + 1)}
          reason={arrival.reason}
          onRetry={arrival.isForGood ? undefined : () => retry(viewport)}
        />
      )}
      {images.length > 1 && <ScrollTrack view={view} index={shownImage?.index ?? 0} />}
      {shownImage?.image.phase && <PhaseTrack view={view} index={shownImage.index} phase={shownImage.image.phase} />}
    </>
  );
}
