import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useEffect, useRef } from 'react';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import type { ClipPanes, ActiveClip } from './use-clip-panes.ts';

/** Moves to a frame of the clip in the current pane and pauses. Returns whether the clip contains the frame. */
const goWithin = (activeClip: ActiveClip | undefined, targetId: string | undefined): boolean => {
  const at = activeClip?.clip.images.findIndex(({ imageId }) => imageId === targetId) ?? -1;
  if (!activeClip || at < 0) return false;
  activeClip.player.goTo(at);
  return true;
};

/** Shows the clip of a frame in the current pane, moves to the frame and pauses. */
export const useGoToFrame = (study: StudyDetails, clips: readonly Clip[], { now, choose }: ClipPanes) => {
  const targetImage = useRef<string>(undefined);

  useEffect(() => {
    if (goWithin(now, targetImage.current)) targetImage.current = undefined;
  }, [now]);

  return ({ seriesInstanceUID, sopInstanceUID, frame }: ImagePlace) => {
    const imageId = imageIdOf(study.studyInstanceUID, seriesInstanceUID, sopInstanceUID, frame);
    if (goWithin(now, imageId)) return;
    const clip = clips.find(({ key }) => key === sopInstanceUID);
    if (!clip) return;
    targetImage.current = imageId;
    choose(clip);
  };
};
