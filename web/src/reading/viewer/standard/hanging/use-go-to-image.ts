import type { ImageLook } from '@radwork/contract/reading/key-images';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { contentOf } from '#reading/viewer/standard/panes/pane-content.ts';
import type { Panes } from '#reading/viewer/standard/panes/use-panes.ts';
import type { HangingInUse } from './use-hanging.ts';
import { isDocuments } from '#reading/viewer/images/series/series-kinds.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { showAs } from '#reading/viewer/engine/stack/image-look.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';

/** A frame of a study, counted from 1, and its saved view if any. */
export type ImagePlace = {
  seriesInstanceUID: string;
  sopInstanceUID: string;
  frame: number;
  look?: ImageLook;
  /** Study of the image, if it is not the current study. */
  study?: StudyDetails;
};

/** Moves a view to one of its images. Returns false if the view lacks the image or has not drawn yet. */
const goWithin = (view: View | undefined, targetId: string, look: ImageLook | undefined): boolean => {
  const at = view?.images.findIndex(({ imageId }) => imageId === targetId) ?? -1;
  if (!view?.viewport.getCornerstoneImage() || at < 0) return false;
  goToImage(view.viewport, at);
  if (look) showAs(view.viewport, targetId, look);
  return true;
};

type PaneContext = { panes: Panes; hanging: Pick<HangingInUse, 'isSmall' | 'useOnce'> };

/** Returns the pane for an image: the current pane, or another pane if the current pane shows a document. */
const paneFor = ({ panes: { contents, current }, hanging }: PaneContext, isDocument: boolean): number => {
  const reads = contents[current];
  if (!reads || isDocument || !isDocuments(reads.series) || hanging.isSmall) return current;
  if (contents.length === 1) hanging.useOnce('1x2');
  return contents.length === 1 ? 1 : (current + 1) % contents.length;
};

/** Moves to an image or document, in the pane that shows its series, or else in the current pane. */
export const useGoToImage =
  (read: StudyDetails, context: PaneContext) =>
  ({ study = read, seriesInstanceUID, sopInstanceUID, frame, look }: ImagePlace) => {
    const { views, current, enter, put } = context.panes;
    const image = imageIdOf(study.studyInstanceUID, seriesInstanceUID, sopInstanceUID, frame);
    const targetPane = [current, ...views.keys()].find((pane) => goWithin(views[pane], image, look));
    if (targetPane !== undefined) {
      enter(targetPane);
      return;
    }
    const series = study.series.find((one) => one.seriesInstanceUID === seriesInstanceUID);
    if (!series) return;
    const pane = paneFor(context, isDocuments(series));
    put(pane, { ...contentOf(study, series), image, look });
    enter(pane);
  };
