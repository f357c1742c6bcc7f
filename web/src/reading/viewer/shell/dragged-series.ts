import { z } from 'zod';

/**
 * Data dragged from the strip to a pane. It holds only identifiers, so a pane can show only data that its page knows.
 */
export type DraggedSeries = { studyId: string; seriesInstanceUID: string };

const type = 'application/x-radwork-series';
const dragged = z.object({ studyId: z.string(), seriesInstanceUID: z.string() });

export const drag = ({ dataTransfer }: { dataTransfer: DataTransfer }, series: DraggedSeries) => {
  dataTransfer.setData(type, JSON.stringify(series));
  dataTransfer.effectAllowed = 'copy';
};

export const carriesSeries = ({ dataTransfer }: { dataTransfer: DataTransfer }): boolean =>
  dataTransfer.types.includes(type);

export const droppedSeries = ({ dataTransfer }: { dataTransfer: DataTransfer }): DraggedSeries | undefined => {
  try {
    return dragged.safeParse(JSON.parse(dataTransfer.getData(type))).data;
  } catch {
    return undefined;
  }
};
