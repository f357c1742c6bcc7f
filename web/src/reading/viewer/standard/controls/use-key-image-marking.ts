import { t } from '@lingui/core/macro';
import type { KeyImage } from '@radwork/contract/reading/key-images';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { imageToMark } from '#reading/viewer/key-images/image-to-mark.ts';
import { type KeyImages, useKeyImages } from '#reading/viewer/key-images/use-key-images.ts';
import { unsavedStateParts, unsavedPartsText } from '#reading/viewer/presentation-states/unsaved-state-parts.ts';
import type { ListedState } from '#reading/viewer/presentation-states/read-states.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tableChosen } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import type { Panes } from '#reading/viewer/standard/panes/use-panes.ts';
import type { Presentations } from '#reading/viewer/presentation-states/use-presentations.ts';

/** Opens the key image named in the address, once. */
const useNamedKeyImage = ({ list }: KeyImages, onGoTo: (one: KeyImage) => void) => {
  const keyImageId = useSearch({ strict: false, select: ({ image }) => image });
  const opened = useRef<string>(undefined);
  const { data, error, isFetching } = list;
  useEffect(() => {
    if (!keyImageId || opened.current === keyImageId) return;
    const one = data?.find(({ id }) => id === keyImageId);
    // The cached list may not contain the key image yet.
    if (!one && isFetching) return;
    if (!one && !data && !error) return;
    opened.current = keyImageId;
    if (one) onGoTo(one);
    else if (data) toast.info(t`The key image of this link no longer exists`);
    else toast.failure(errorMessageOf(error, t`The key image of this link could not be loaded`));
  }, [keyImageId, data, error, isFetching, onGoTo]);
};

/** Returns the reason why the view cannot be saved as a key image; undefined if it can. */
const unmarkableReason = ({ viewport, images }: View, state: ListedState | undefined): string | undefined => {
  const table = tableChosen(viewport);
  if (table !== undefined)
    return t`A key image saves windows, not VOI LUT ${table}. Choose a window, then mark the image.`;
  const drawnId = viewport.getCurrentImageId();
  const image = images.find(({ imageId }) => imageId === drawnId);
  const beyond = image ? unsavedStateParts(state, image) : [];
  if (!state || beyond.length === 0) return undefined;
  const more = unsavedPartsText(state, beyond);
  return t`A key image saves window, rotation and zoom. ${more} Turn the presentation state off, then mark the image.`;
};

/** Returns the key images of the current study, and the action that marks the current image. */
export const useKeyImageMarking = (
  study: StudyDetails,
  panes: Panes,
  onGoTo: (one: KeyImage) => void,
  presentations: Presentations,
) => {
  const marked = useKeyImages(study);
  useNamedKeyImage(marked, onGoTo);
  const { view, contents, current } = panes;
  const content = contents[current];
  const isOfStudy = content?.study.id === study.id;
  return {
    ...marked,
    /** Key images of the study. Empty if the current pane shows another study. */
    ofCurrent: (isOfStudy && marked.list.data) || [],
    markShown: () => {
      if (!marked.canMark) toast.info(t`You can only view this study. No image was marked.`);
      else if (content && !isOfStudy) toast.info(t`Open the prior as its own study to mark its images.`);
      else {
        const target = view && content && imageToMark(view, content.series.seriesInstanceUID);
        if (target) marked.toggle(target, unmarkableReason(view, presentations.of(view)));
        else toast.info(t`There is no image to mark.`);
      }
    },
  };
};

export type KeyImageMarking = ReturnType<typeof useKeyImageMarking>;
