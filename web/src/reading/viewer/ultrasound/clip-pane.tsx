import { t } from '@lingui/core/macro';
import type { StackViewport as Viewport } from '@cornerstonejs/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchFrames } from '#reading/viewer/engine/stack/fetch-frames.ts';
import { useImageArrival } from '#reading/viewer/engine/stack/image-arrival.ts';
import { useShownImage, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { StackViewport } from '#reading/viewer/engine/stack/stack-viewport.tsx';
import { useFilm, useStillUnderHand } from '#reading/viewer/engine/stack/use-film.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { retry } from '#reading/viewer/engine/stack/view-commands.ts';
import type { Clip } from '#reading/viewer/images/film/clips.ts';
import { MissingImage } from '#reading/viewer/shell/missing-image.tsx';
import styles from './clip-pane.module.css';
import { ClipOverlays } from './clip-overlays.tsx';
import { hasFileLayers } from '#reading/viewer/images/header/file-layers.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import type { ActiveClip } from './use-clip-panes.ts';

const FileLayers = loadOnDemand(async () => (await import('#reading/viewer/file-layers/file-layers.tsx')).FileLayers);

const frameName = (number: number): string => t`Frame ${number}`;

type Props = {
  viewBox: ViewBox;
  clip: Clip;
  patientId: string;
  /** Index of the pane in the layout. */
  at: number;
  playsAtOnce: boolean;
  isDrawing: boolean;
  /** Called with the content of the pane, or with undefined when it is gone. Must not change between renders. */
  onStanding: (at: number, standing: ActiveClip | undefined) => void;
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
      {view && <Film key={view.viewport.id} {...props} view={view} />}
    </>
  );
}

/** Player of a clip, and the overlays of its image. */
function Film({ clip, patientId, at, playsAtOnce, isDrawing, onStanding, view }: Props & { view: View }) {
  const { viewport } = view;
  const film = useFilm(view, clip.timing);
  useStillUnderHand(film, view, isDrawing);
  const shown = useShownImage(view);
  const arrival = useImageArrival(viewport);
  const begins = useRef(playsAtOnce);
  const isThere = shown !== undefined;

  useEffect(() => {
    if (isThere && begins.current) film.play();
  }, [isThere, film]);

  useEffect(() => {
    if (!isThere) return undefined;
    onStanding(at, { clip, view, film });
    return () => onStanding(at, undefined);
  }, [isThere, at, clip, view, film, onStanding]);

  return (
    <>
      {shown && hasFileLayers(shown.image.header) && <FileLayers viewport={viewport} shown={shown} />}
      {shown && <ClipOverlays clip={clip} film={film} shown={shown} patientId={patientId} />}
      {arrival.state === 'waiting' && !shown && <p className={styles.waiting}>{t`Loading clip…`}</p>}
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
