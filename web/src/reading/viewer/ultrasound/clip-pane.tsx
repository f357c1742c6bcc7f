import { t } from '@lingui/core/macro';
import type { StackViewport as Viewport } from '@cornerstonejs/core';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchFrames } from '#reading/viewer/engine/stack/fetch-frames.ts';
import { useImageArrival } from '#reading/viewer/engine/stack/image-arrival.ts';
import { useShownImage, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { StackViewport } from '#reading/viewer/engine/stack/stack-viewport.tsx';
import { useCine, useStillUnderHand } from '#reading/viewer/engine/stack/use-cine.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { retry } from '#reading/viewer/engine/stack/view-commands.ts';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import { MissingImage } from '#reading/viewer/shell/missing-image.tsx';
import styles from './clip-pane.module.css';
import { ClipOverlays } from './clip-overlays.tsx';
import { mayHaveOutlines } from '#reading/viewer/report-outlines/may-have-outlines.ts';
import { hasShutter, type Presentations } from '#reading/viewer/presentation-states/use-presentations.ts';
import { hasFileLayers } from '#reading/viewer/images/header/file-layers.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import type { ActiveClip } from './use-clip-panes.ts';

const FileLayers = loadOnDemand(async () => (await import('#reading/viewer/file-layers/file-layers.tsx')).FileLayers);

const PresentationLayer = loadOnDemand(
  async () => (await import('#reading/viewer/presentation-states/presentation-layer.tsx')).PresentationLayer,
);

const OutlineLayer = loadOnDemand(
  async () => (await import('#reading/viewer/report-outlines/outline-layer.tsx')).OutlineLayer,
);

const frameName = (number: number): string => t`Frame ${number}`;

type Props = {
  viewBox: ViewBox;
  clip: Clip;
  study: StudyDetails;
  /** Index of the pane in the layout. */
  at: number;
  playsAtOnce: boolean;
  isDrawing: boolean;
  presentations: Presentations;
  /** Called with the content of the pane, or with undefined when it is gone. Must not change between renders. */
  onActiveClip: (at: number, activeClip: ActiveClip | undefined) => void;
};

/** Pane of the layout with a clip. */
export function ClipPane(props: Props) {
  const { viewBox, clip } = props;
  const [view, setView] = useState<View>();
  const onViewport = useCallback(
    (viewport: Viewport | undefined) => setView(viewport && { viewport, images: clip.images }),
    [clip],
  );

  useEffect(() => {
    const leaving = new AbortController();
    fetchFrames(clip.images, leaving.signal);
    return () => leaving.abort();
  }, [clip]);

  return (
    <>
      <StackViewport viewBox={viewBox} images={clip.images} fetchesAhead={false} onViewport={onViewport} />
      {view && <ClipPlayer key={view.viewport.id} {...props} view={view} />}
    </>
  );
}

/** Player of a clip, and the overlays of its image. */
function ClipPlayer(props: Props & { view: View }) {
  const { clip, study, at, playsAtOnce, isDrawing, presentations, onActiveClip, view } = props;
  const presentation = presentations.of(view);
  const { viewport } = view;
  const player = useCine(view, clip.timing);
  useStillUnderHand(player, view, isDrawing);
  const shownImage = useShownImage(view);
  const arrival = useImageArrival(viewport);
  const begins = useRef(playsAtOnce);
  const isThere = shownImage !== undefined;

  useEffect(() => {
    if (isThere && begins.current) player.play();
  }, [isThere, player]);

  useEffect(() => {
    if (!isThere) return undefined;
    onActiveClip(at, { clip, view, player });
    return () => onActiveClip(at, undefined);
  }, [isThere, at, clip, view, player, onActiveClip]);

  return (
    <>
      {shownImage && hasFileLayers(shownImage.image.header) && (
        <FileLayers
          viewport={viewport}
          shownImage={shownImage}
          isShuttered={presentation !== undefined && hasShutter(presentation)}
        />
      )}
      {shownImage && presentation && (
        <PresentationLayer key={presentation.sopInstanceUID} view={view} shownImage={shownImage} state={presentation} />
      )}
      {shownImage && (
        <ClipOverlays clip={clip} player={player} shownImage={shownImage} patientId={study.patient.patientId} />
      )}
      {shownImage && mayHaveOutlines(study) && <OutlineLayer view={view} shownImage={shownImage} study={study} />}
      {arrival.state === 'waiting' && !shownImage && <p className={styles.waiting}>{t`Loading clip…`}</p>}
      {arrival.state === 'failed' && (
        <MissingImage
          name={frameName(viewport.getCurrentImageIdIndex() + 1)}
          reason={arrival.reason}
          onRetry={arrival.isForGood ? undefined : () => retry(viewport)}
        />
      )}
    </>
  );
}
