import { t } from '@lingui/core/macro';
import { Enums, getShouldUseCPURendering } from '@cornerstonejs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ShownImage, View } from '#reading/viewer/engine/stack/shown-image.ts';
import { numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { Annotation } from './annotations.ts';
import {
  applyState,
  graysAndTurn,
  rememberGrays,
  rememberTurn,
  type StateOfImage,
  type ToScreen,
  toScreenOf,
} from './apply-state.ts';
import { GraphicMark } from './graphic-mark.tsx';
import styles from './presentation-layer.module.css';
import { inPixels, orientationOf } from './state-geometry.ts';
import { type ListedState, wholeState } from './read-states.ts';
import { StateCovers } from './state-covers.tsx';
import { TextAnchorLine, TextMark } from './text-mark.tsx';
import { isFor, isOfImage } from './image-references.ts';
import type { DisplayedArea, PresentationState } from './presentation-state.ts';

const { STACK_NEW_IMAGE } = Enums.Events;

const uidOf = ({ header }: SeriesImage): string => textOf(header, tag.SOPInstanceUID);

/** Returns the parts of a state for an image; undefined if the state does not apply to it. */
const partsFor = (state: PresentationState, image: SeriesImage): StateOfImage | undefined => {
  const [uid, { frame }] = [uidOf(image), image];
  if (!isOfImage(state, uid, frame)) return undefined;
  return {
    state,
    voi: state.grays.voi.find(({ images }) => isFor(images, uid, frame))?.part,
    area: state.areas.find(({ images }) => isFor(images, uid, frame))?.part,
  };
};

/** Messages about parts not applied, and a key of window and rotation after the state was applied. */
type Outcome = { faults: readonly string[]; look: string | undefined };

const notYet: Outcome = { faults: [], look: undefined };

/**
 * Applies a state to each of its images when the image appears. Removes the state from other images and at unmount.
 * Resets the rotation before a new image appears, because the new image takes its orientation from the previous image.
 */
const useApplied = ({ viewport, images }: View, state: PresentationState): Outcome => {
  const [applied, setApplied] = useState<Outcome>(notYet);
  useEffect(() => {
    let isHere = true;
    let turnBack: (() => void) | undefined;
    let restoreGreys: (() => void) | undefined;
    const layBack = () => {
      turnBack?.();
      turnBack = undefined;
    };
    const takeAway = () => {
      layBack();
      restoreGreys?.();
      restoreGreys = undefined;
      viewport.render();
    };
    const apply = () => {
      const drawnImage = viewport.getCornerstoneImage();
      const image = images.find(({ imageId }) => imageId === drawnImage?.imageId);
      const parts = image && partsFor(state, image);
      if (image && parts) {
        turnBack ??= rememberTurn(viewport);
        restoreGreys ??= rememberGrays(viewport);
        const faults = applyState(viewport, image, parts);
        setApplied({ faults, look: graysAndTurn(viewport) });
        viewport.render();
      } else if (image && restoreGreys) takeAway();
    };
    const onNewImage = () => {
      if (!getShouldUseCPURendering()) apply();
      // When rendering on the processor, the image arrives after its event, and earlier settings are lost
      // (Cornerstone3D 5.14.0).
      else queueMicrotask(() => isHere && !viewport.isDisabled && apply());
    };
    apply();
    const { element } = viewport;
    element.addEventListener(STACK_NEW_IMAGE, layBack, { capture: true });
    element.addEventListener(STACK_NEW_IMAGE, onNewImage);
    return () => {
      isHere = false;
      element.removeEventListener(STACK_NEW_IMAGE, layBack, { capture: true });
      element.removeEventListener(STACK_NEW_IMAGE, onNewImage);
      if (restoreGreys && !viewport.isDisabled) takeAway();
    };
  }, [viewport, images, state]);
  return applied;
};

type Props = { view: View; shownImage: ShownImage; state: ListedState };

/** Applies a presentation state to an image, once the state is fully loaded. */
export function PresentationLayer(props: Props) {
  const { state } = props;
  const { label } = state;
  const { data, error } = useQuery(wholeState(state));
  const fullState = state.apart ? data : state;
  if (fullState) return <Applied {...props} state={fullState} />;
  if (error) {
    return (
      <p className={styles.note} role="status" data-picture-fact={t`A presentation state is not applied`}>
        {t`Presentation ${label}`}
        <span className={styles.fault}>{t`Not applied: could not be read`}</span>
      </p>
    );
  }
  // Saving a picture waits while this cover is shown, because the area that the shutter will hide is still visible.
  return (
    <p className={styles.note} role="status" data-picture-layer="cover" data-state="coming">
      {t`Presentation ${label}: loading`}
    </p>
  );
}

/** Shows the name of the state, its drawings and the parts not applied. */
function Applied({ view, shownImage, state }: Props) {
  const { faults, look } = useApplied(view, state);
  const { label } = state;
  const title = [label, state.description].filter(Boolean).join(' – ');
  const { image } = shownImage;
  const parts = partsFor(state, image);
  const toScreen = toScreenOf(view.viewport);
  if (!parts) return <p className={styles.note}>{t`Presentation ${label}: not for this image`}</p>;
  const notApplied = [...state.notApplied, ...faults].join('; ');
  const isChanged = look !== undefined && look !== graysAndTurn(view.viewport);
  const notes = [
    ...(isChanged ? [t`Modified by the user`] : []),
    ...(notApplied ? [t`Not applied: ${notApplied}`] : []),
  ];
  const annotations = state.annotations.filter(({ images }) => isFor(images, uidOf(image), image.frame));
  return (
    <>
      {toScreen && <StateCovers state={state} image={image} toScreen={toScreen} />}
      {toScreen && (
        <Drawn
          annotations={annotations.map(({ part }) => part)}
          area={parts.area ?? wholeOf(image)}
          state={state}
          toScreen={toScreen}
          width={view.viewport.element.clientWidth}
        />
      )}
      <p className={styles.note} data-testid="presentation" data-picture-fact={t`Shown by a presentation state`}>
        <span data-picture-title>{t`Presentation ${title}`}</span>
        {notes.map((note) => (
          <span key={note} className={styles.fault} data-picture-fact={note}>
            {note}
          </span>
        ))}
      </p>
    </>
  );
}

const wholeOf = ({ header }: SeriesImage): DisplayedArea => ({
  corners: [
    { x: 0, y: 0 },
    { x: numberOf(header, tag.Columns) ?? 1, y: numberOf(header, tag.Rows) ?? 1 },
  ],
  magnification: undefined,
  aspectRatio: undefined,
});

type DrawnProps = {
  annotations: readonly Annotation[];
  area: DisplayedArea;
  state: PresentationState;
  toScreen: ToScreen;
  /** Width of the viewport, in CSS pixels. */
  width: number;
};

function Drawn({ annotations, area, state, toScreen, width }: DrawnProps) {
  const orientation = orientationOf(state);
  const place = (point: Parameters<typeof inPixels>[0]) => inPixels(point, area, orientation);
  const sharedProps = { place, toScreen, width };
  return (
    <svg className={styles.layer} aria-hidden data-testid="presentation-graphics">
      {annotations.map((annotation, at) =>
        annotation.kind === 'graphic' ? (
          <GraphicMark key={at} graphic={annotation} place={place} toScreen={toScreen} />
        ) : (
          <TextAnchorLine key={at} words={annotation} {...sharedProps} />
        ),
      )}
      {annotations.map(
        (annotation, at) => annotation.kind === 'words' && <TextMark key={at} words={annotation} {...sharedProps} />,
      )}
    </svg>
  );
}
