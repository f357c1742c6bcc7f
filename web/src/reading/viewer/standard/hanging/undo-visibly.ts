import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { toast } from '#core/browser/toasts.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import type { Measurements } from '#reading/viewer/measuring/use-measurements.ts';
import type { ImagePlace } from './use-go-to-image.ts';

type UndoContext = { study: StudyDetails; views: readonly (View | undefined)[]; onGoTo: (place: ImagePlace) => void };

/**
 * Undoes the last action in a study. If no pane shows the image of that action, moves to it and shows a message.
 * Otherwise a measurement would change unseen.
 */
export const undoVisibly = ({ undo }: Pick<Measurements, 'undo'>, { study, views, onGoTo }: UndoContext) => {
  const drawing = undo();
  if (!drawing || drawing.sopInstanceUID === null || drawing.frame === null) return;
  const { seriesInstanceUID, sopInstanceUID, frame } = drawing;
  const image = imageIdOf(study.studyInstanceUID, seriesInstanceUID, sopInstanceUID, frame);
  if (views.some((view) => view?.viewport.getCurrentImageId() === image)) return;
  onGoTo({ study, seriesInstanceUID, sopInstanceUID, frame });
  const { seriesDescription = '' } = study.series.find((one) => one.seriesInstanceUID === seriesInstanceUID) ?? {};
  toast.info(
    seriesDescription
      ? t`Undone on another image of ${seriesDescription}, which is now shown`
      : t`Undone on another image, which is now shown`,
  );
};
