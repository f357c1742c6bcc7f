import { z } from 'zod';

/**
 * Data of a series dragged from the strip to a pane. Contains only identifiers, so that a pane shows only series that
 * its page has loaded.
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
