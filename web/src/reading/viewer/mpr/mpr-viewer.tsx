import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconCubeOff, IconPhotoOff } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { hasWebGl } from '#reading/viewer/engine/loading/start-imaging.ts';
import { useViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { hasSlide } from '#reading/viewer/images/series/series-kinds.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { useMeasurementsOn } from '#reading/viewer/measuring/use-measurements.ts';
import { addresses, type ViewerProps } from '#reading/viewer/viewer-modes.ts';
import { takePlanePicture } from '#reading/viewer/pictures/capture-on-demand.ts';
import { PatientBanner } from '#reading/viewer/shell/patient-banner.tsx';
import { SeriesStrip } from '#reading/viewer/shell/series-strip.tsx';
import { ViewerFrame } from '#reading/viewer/shell/viewer-frame.tsx';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { describeShownPlane } from '#reading/viewer/volumes/shown-plane.ts';
import { slabText } from '#reading/viewer/volumes/slab.ts';
import { volumeFitness } from '#reading/viewer/volumes/volume-fitness.ts';
import { MprBar } from './mpr-bar.tsx';
import { MprStage } from './mpr-stage.tsx';
import styles from './mpr-stage.module.css';
import { confineToPlanes } from './drawings-on-plane.ts';
import { planeNames } from '#reading/viewer/volumes/plane-names.ts';
import { planesThrough, reasonNotDrawn, seriesOf, writeOnPlanes } from './plane-surface.ts';
import { PlaneLayerPanels } from '#reading/viewer/plane-layers/plane-layer-panels.tsx';
import { usePlaneLayers } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import { useMprState } from './use-mpr-state.ts';
import { useSeriesToCut } from './use-series-to-cut.ts';
import { useShowMeasurement } from './use-show-measurement.ts';

/** MPR viewer: three planes through a series, linked by crosshairs. Requires WebGL. */
export const MprViewer = (props: ViewerProps) => (hasWebGl() ? <Mpr {...props} /> : <NoGraphics study={props.study} />);

const toStandard = (study: StudyDetails) => (
  <Link to={addresses.standard} params={{ id: study.id }}>
    {t`Open in the standard viewer`}
  </Link>
);

const NoGraphics = ({ study }: { study: StudyDetails }) => (
  <>
    <PatientBanner study={study} />
    <EmptyState
      icon={IconCubeOff}
      title={t`MPR needs WebGL 2, which this browser does not support`}
      detail={t`Allow the browser to use the graphics card, or open the standard viewer.`}
      action={toStandard(study)}
    />
  </>
);

function Mpr({ study, report, seriesMenu }: ViewerProps) {
  const viewBox = useViewBox(study.studyInstanceUID);
  const desk = useMprState(viewBox);
  const layers = usePlaneLayers(study);
  useEffect(() => {
    if (viewBox) confineToPlanes(viewBox.tools);
  }, [viewBox]);
  const volume = desk.all[0]?.volumes[0];
  useEffect(() => {
    if (viewBox && volume) writeOnPlanes(viewBox.tools, volume);
  }, [viewBox, volume]);
  const surface = useMemo(() => volume && planesThrough(volume), [volume]);
  const measured = useMeasurementsOn(surface, study, viewBox);
  const navigate = useNavigate();
  const namedSeries = useParams({ strict: false, select: ({ series }) => series });
  const { series, error, isSearching } = useSeriesToCut(study, namedSeries);
  const choose = (uid: string, measurement?: string) =>
    void navigate({
      to: addresses.mpr,
      params: { id: study.id, series: uid },
      search: { measurement },
      replace: true,
    });
  const show = useShowMeasurement(desk, measured.list.data);

  return (
    <ViewerFrame
      study={study}
      report={report}
      measured={measured}
      reasonAgainst={(one) => volume && reasonNotDrawn(one, volume)}
      onGoToPoint={(one) =>
        volume && one.seriesInstanceUID === seriesOf(volume) ? show(one) : choose(one.seriesInstanceUID, one.id)
      }
      onGoTo={() => void navigate({ to: addresses.standard, params: { id: study.id } })}
      onTakePicture={() => takePlanePicture(desk.plane, () => describePlane(study, series, desk.plane))}
      besideMeasurements={<PlaneLayerPanels layers={layers} />}
      controls={(beside) => (
        <MprBar
          key={desk.plane?.viewport.id}
          {...beside}
          desk={desk}
          layers={layers}
          drawnInOrder={measured.drawnInOrder}
        />
      )}
    >
      <SeriesStrip
        studyUid={study.studyInstanceUID}
        series={study.series}
        shown={series ? [series.seriesInstanceUID] : []}
        current={series?.seriesInstanceUID}
        onChoose={({ seriesInstanceUID }) => choose(seriesInstanceUID)}
        reasonAgainst={reasonAgainst}
        menuFor={seriesMenu && (({ seriesInstanceUID }) => seriesMenu(study, seriesInstanceUID))}
        onStandard={({ seriesInstanceUID }) =>
          void navigate({
            to: addresses.standard,
            params: { id: study.id },
            search: { series: seriesInstanceUID },
          })
        }
      />
      {series && <MprStage key={series.seriesInstanceUID} {...{ viewBox, study, series, desk, layers }} />}
      {error && (
        <div className={styles.instead}>
          <ErrorState failed={t`The series could not be loaded`} error={error} />
        </div>
      )}
      {isSearching && <p className={styles.waiting}>{t`Looking for a series for MPR…`}</p>}
      {!series && !error && !isSearching && <NoSeries study={study} isNamed={namedSeries !== undefined} />}
    </ViewerFrame>
  );
}

/** Returns the description of a plane for a saved picture. */
const describePlane = (study: StudyDetails, series: SeriesSummary | undefined, plane: Plane | undefined) => {
  const shownPlane = plane && describeShownPlane(plane);
  const shownWindow = shownPlane?.window ?? '';
  return {
    study,
    series: series ? [series] : [],
    name: plane ? planeNames[plane.orientation] : '',
    edges: shownPlane?.edges,
    facts: shownPlane
      ? [
          shownPlane.location,
          slabText(shownPlane.slab),
          shownPlane.isInverted ? t`${shownWindow}  inverted` : shownWindow,
        ]
      : [],
  };
};

const reasonAgainst = (images: readonly SeriesImage[]): string | undefined => {
  const fitness = volumeFitness(images);
  return fitness.isFit ? undefined : fitness.reason;
};

const noSeriesTitle = ({ series }: StudyDetails, isNamed: boolean): string => {
  if (isNamed) return t`Series not found in this study`;
  return series.some(hasSlide) ? t`This study has no slices` : t`This study has no images`;
};

const noSeriesDetail = ({ series }: StudyDetails, isNamed: boolean): string => {
  if (isNamed) return t`Choose a series of the study.`;
  return series.some(hasSlide)
    ? t`MPR needs a series of slices. A slide opens in the standard viewer.`
    : t`MPR needs a series of slices.`;
};

const NoSeries = ({ study, isNamed }: { study: StudyDetails; isNamed: boolean }) => (
  <div className={styles.instead}>
    <EmptyState
      icon={IconPhotoOff}
      title={noSeriesTitle(study, isNamed)}
      detail={noSeriesDetail(study, isNamed)}
      action={toStandard(study)}
    />
  </div>
);
