import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { Measurements } from '#reading/viewer/measuring/use-measurements.ts';
import { kinds } from '#reading/viewer/measuring/drawn-annotation.ts';
import { sopInstanceOf } from '#reading/viewer/images/series/series-loader.ts';
import type { ToolName } from '#reading/viewer/engine/tools/tools.ts';
import type { ImagePlace } from '#reading/viewer/standard/hanging/use-go-to-image.ts';
import type { PaneContent } from '#reading/viewer/standard/panes/pane-content.ts';
import { useRepeatMeasurement } from './use-repeat-measurement.ts';

type Options = {
  study: StudyDetails;
  content: PaneContent | undefined;
  measured: Measurements;
  tool: ToolName;
  onGoTo: (place: ImagePlace) => void;
  onTool: (tool: ToolName) => void;
};

/** Repeats measurements of priors in the standard viewer, in the series of the current pane. */
export const useRepeatedLesions = ({ study, content, measured, tool: toolInHand, onGoTo, onTool }: Options) => {
  const isHere = content?.study.id === study.id;
  return useRepeatMeasurement({
    studyId: study.id,
    measured: measured.list.data,
    current: isHere ? { studyUid: study.studyInstanceUID, seriesUid: content.series.seriesInstanceUID } : undefined,
    onShow: ({ imageId, frame }, seriesInstanceUID) =>
      onGoTo({ seriesInstanceUID, sopInstanceUID: sopInstanceOf(imageId), frame }),
    tool: kinds.find(([, name]) => name === toolInHand)?.[0],
    onTool: ({ tool }) => {
      const [, name] = kinds.find(([kind]) => kind === tool) ?? [];
      if (name !== undefined) onTool(name);
      return name !== undefined;
    },
  });
};
