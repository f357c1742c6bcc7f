import { t } from '@lingui/core/macro';
import type { Measurement } from '@radwork/contract/reading/measurements';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconPhotoOff, IconStack2 } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { hasWebGl } from '#reading/viewer/engine/loading/start-imaging.ts';
import { hideDrawn, activateOnly } from '#reading/viewer/engine/tools/tools.ts';
import { useViewBox, type ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { middleOf, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import { PlaneLayerPanels } from '#reading/viewer/plane-layers/plane-layer-panels.tsx';
import { type PlaneLayersShown, usePlaneLayers } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import { useMeasurements } from '#reading/viewer/measuring/use-measurements.ts';
import type { ViewerProps } from '#reading/viewer/viewer-modes.ts';
import { ViewerFrame } from '#reading/viewer/shell/viewer-frame.tsx';
import { useVolume, type VolumeLoad } from '#reading/viewer/volumes/use-volume.ts';
import { highestIn } from '#reading/viewer/volumes/volume.ts';
import { takeFusionPicture } from './panes/fusion-picture.ts';
import { FusionControls } from './fusion-controls.tsx';
import { type FusionPair, isSamePair } from './pet/fusion-pairs.ts';
import { FusionPanes } from './panes/fusion-panes.tsx';
import { isOfTheLibrary } from './fusion-tools.ts';
import styles from './fusion-viewer.module.css';
import { LoadingNotice } from './loading-notice.tsx';
import { type PetScale, petScaleOf, refusalOfSuv } from './pet/pet-scale.ts';
import { spheresOn } from './spheres/sphere-measuring.ts';
import { type Fusion, useFusion } from './use-fusion.ts';
import { type LinkedPlanes, useLinkedPlanes } from './panes/use-linked-planes.ts';
import { usePairing } from './pet/use-pairing.ts';

/** Fusion of PET and CT: each series alone, both fused, and a rotating projection of the PET. */
export function FusionViewer({ study, report, seriesMenu }: ViewerProps) {
  const viewBox = useViewBox(study.studyInstanceUID);
  const measured = useMeasurements(study, viewBox);
  const namedPair = useSearch({ strict: false, select: ({ fusion }) => fusion }) ?? '';
  const load = usePairing(study, namedPair);
  const [chosen, choose] = useState<FusionPair>();
  const pairs = load.state === 'read' && 'pairs' in load.pairing ? load.pairing.pairs : [];
  const pair = pairs.find((one) => chosen && isSamePair(one, chosen)) ?? pairs[0];
  const [loaded, onWhole] = useState<LoadedPair>();
  const scale = useMemo(() => {
    const highest = loaded?.pair === pair ? loaded?.highest : undefined;
    return pair && petScaleOf(pair.uptake.images, highest);
  }, [pair, loaded]);
  const fusion = useFusion();
  const layers = usePlaneLayers(study);
  const linked = useLinkedPlanes(useMemo(() => pair && middleOfSeries(pair), [pair]));
  useToolInHand(viewBox, fusion.tool);
  const onPair = (next: FusionPair) => {
    choose(next);
    fusion.forgetWindows();
  };

  const spheres = pair ? spheresOn(pair.uptake.series.seriesInstanceUID, measured.inVolumes) : [];
  const removeSphere = () => {
    const mine = spheres.filter(({ isMine }) => isMine);
    const going = mine.find(({ id }) => id === fusion.selected) ?? mine.at(-1);
    if (going) measured.remove(going.id);
  };
  const goToPoint = ({ id, points: [centre] }: Measurement) => {
    if (!centre) return;
    fusion.select(id);
    linked.goTo(centre);
  };

  return (
    <ViewerFrame
      study={study}
      report={report}
      measured={measured}
      needsWebGl
      besideMeasurements={<PlaneLayerPanels layers={layers} />}
      onTakePicture={() => takeFusionPicture({ study, pair, scale, fusion, linked })}
      onGoTo={({ sopInstanceUID }) => {
        const image = [...(pair?.anatomy.images ?? []), ...(pair?.uptake.images ?? [])].find(({ imageId }) =>
          imageId.includes(`/instances/${sopInstanceUID}/`),
        );
        const slice = image && sliceOf(image);
        if (slice) linked.goTo(middleOf(slice));
      }}
      onGoToPoint={goToPoint}
      controls={(beside) =>
        pair &&
        scale && (
          <FusionControls
            {...beside}
            fusion={fusion}
            linked={linked}
            layers={layers}
            pair={pair}
            scale={scale}
            pairs={pairs}
            onPair={onPair}
            onRemoveSphere={removeSphere}
            menuFor={seriesMenu && (({ seriesInstanceUID }) => seriesMenu(study, seriesInstanceUID))}
          />
        )
      }
    >
      <Stage
        study={study}
        load={load}
        viewBox={viewBox}
        pair={pair}
        scale={scale}
        fusion={fusion}
        linked={linked}
        layers={layers}
        measured={measured}
        onWhole={onWhole}
      />
    </ViewerFrame>
  );
}

const useToolInHand = (viewBox: ViewBox | undefined, tool: string) => {
  useEffect(() => {
    if (!viewBox) return;
    // Hides annotations, because they belong to single images and planes cannot show them.
    if (isOfTheLibrary(tool)) activateOnly(viewBox.tools, tool);
    else hideDrawn(viewBox.tools);
  }, [viewBox, tool]);
};

/** Returns the first shared point of a pair: the center of the PET. */
const middleOfSeries = ({ uptake: { images } }: FusionPair) => {
  const slice = images[Math.floor(images.length / 2)];
  const plane = slice && sliceOf(slice);
  return plane && middleOf(plane);
};

/** Highest uptake value of a pair, which is known once the whole PET is loaded. */
type LoadedPair = { pair: FusionPair; highest: number | undefined };

type StageProps = {
  study: StudyDetails;
  load: ReturnType<typeof usePairing>;
  viewBox: ViewBox | undefined;
  pair: FusionPair | undefined;
  scale: PetScale | undefined;
  fusion: Fusion;
  linked: LinkedPlanes;
  layers: PlaneLayersShown;
  measured: ReturnType<typeof useMeasurements>;
  /** Called when the whole PET is loaded. Must not change between renders. */
  onWhole: (whole: LoadedPair) => void;
};

/** Shows the panes, or the reason why this is not possible. */
function Stage({ study, load, viewBox, pair, scale, ...hands }: StageProps) {
  const inStandard = (
    <Link to="/viewer/{-$id}" params={{ id: study.id }}>
      {t`Open in the standard viewer`}
    </Link>
  );
  if (!hasWebGl()) {
    return (
      <Refusal
        title={t`This browser does not support WebGL 2`}
        detail={t`Fusion needs the graphics card. The standard viewer does not.`}
        action={inStandard}
      />
    );
  }
  if (load.state === 'failed') {
    return (
      <div className={styles.refusal}>
        <ErrorState failed={t`The series could not be loaded`} error={load.error} onRetry={load.retry} />
      </div>
    );
  }
  if (load.state === 'reading') return <p className={styles.waiting}>{t`Loading series…`}</p>;
  if ('reason' in load.pairing) {
    return <Refusal title={t`No series to fuse`} detail={load.pairing.reason} action={inStandard} />;
  }
  if (!viewBox || !pair || !scale) return <p className={styles.waiting}>{t`Opening…`}</p>;
  const key = `${viewBox.engine.id} ${pair.anatomy.series.id} ${pair.uptake.series.id}`;
  return (
    <Volumes
      key={key}
      viewBox={viewBox}
      pair={pair}
      scale={scale}
      patientId={study.patient.patientId}
      inStandard={inStandard}
      {...hands}
    />
  );
}

const Refusal = ({ title, detail, action }: { title: string; detail: string; action: ReactNode }) => (
  <div className={styles.refusal}>
    <EmptyState icon={IconPhotoOff} title={title} detail={detail} action={action} />
  </div>
);

type VolumesProps = Omit<StageProps, 'study' | 'load' | 'viewBox' | 'pair' | 'scale'> & {
  viewBox: ViewBox;
  pair: FusionPair;
  scale: PetScale;
  patientId: string;
  inStandard: ReactNode;
};

const reasonIn = (loads: readonly VolumeLoad[]): string | undefined =>
  loads.flatMap((load) => (load.state === 'refused' ? load.reason : []))[0];

/** Loads both series as volumes. Shows progress, failures, and why there is no SUV. */
function Volumes({ inStandard, onWhole, ...props }: VolumesProps) {
  const { viewBox, pair, scale } = props;
  const [anatomy, retryAnatomy] = useVolume(viewBox, pair.anatomy.images);
  const [uptake, retryUptake] = useVolume(viewBox, pair.uptake.images);
  const loadedVolume = uptake.state === 'here' && uptake.isComplete ? uptake.volume : undefined;
  useEffect(() => {
    if (loadedVolume) onWhole({ pair, highest: highestIn(loadedVolume) });
  }, [pair, loadedVolume, onWhole]);
  const reason = reasonIn([anatomy, uptake]);
  if (reason) return <Refusal title={t`The series cannot be fused`} detail={reason} action={inStandard} />;
  const refusedSuv = refusalOfSuv(scale);
  if (anatomy.state !== 'here' || uptake.state !== 'here') {
    return (
      <div className={styles.refusal}>
        <EmptyState icon={IconStack2} title={t`Building CT and PET volumes…`} />
      </div>
    );
  }
  return (
    <div className={styles.stage}>
      {refusedSuv && (
        <Notice tone="warning">
          <span data-testid="suv-refused">{refusedSuv}</span>
        </Notice>
      )}
      <LoadingNotice
        layers={[
          { name: pair.anatomy.series.modality, arrival: anatomy.arrival, retry: retryAnatomy },
          { name: 'PET', arrival: uptake.arrival, retry: retryUptake },
        ]}
      />
      <FusionPanes
        {...props}
        anatomy={{ ...anatomy, retry: retryAnatomy }}
        uptake={{ ...uptake, retry: retryUptake }}
      />
    </div>
  );
}
