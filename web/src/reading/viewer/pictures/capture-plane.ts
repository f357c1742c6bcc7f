import { plural, t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { Edges } from '#reading/viewer/images/geometry/orientation.ts';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import { oneOfEachPatient } from '#reading/viewer/images/series/one-per-patient.ts';
import { captureScreen } from './capture-screen.ts';
import type { CaptureResult } from './picture.ts';

/** Returns the number of missing slices, which are hatched on the planes. */
const missingIn = (volumes: readonly Volume[]): number =>
  volumes.reduce((sum, { images, loaded }) => sum + images.length - loaded.size, 0);

type PlaneFacts = {
  study: StudyDetails;
  series: readonly SeriesSummary[];
  /** Name of the plane: "Axial", "Fused". */
  name: string;
  edges: Edges | undefined;
  facts: readonly string[];
};

/** Returns a key for the position of a plane. Each movement changes the key. */
const keyOf = ({ viewport }: Plane): string =>
  JSON.stringify([viewport.canvasToWorld([0, 0]), viewport.canvasToWorld([100, 0]), viewport.canvasToWorld([0, 100])]);

/** Captures a plane through one or more volumes. `describe` returns the content of the plane at that moment. */
export const capturePlane = async (plane: Plane | undefined, describe: () => PlaneFacts): Promise<CaptureResult> => {
  if (!plane) return t`There is no image to save.`;
  const missing = missingIn(plane.volumes);
  if (missing > 0) {
    return t`${plural(missing, { one: '# slice is missing and hatched.', other: '# slices are missing and hatched.' })} Wait until all slices are loaded, then save again.`;
  }
  const captured = await captureScreen(plane.viewport, () => ({ key: keyOf(plane), shown: describe() }));
  if (!captured) return t`The image is not ready. Wait until it is drawn, then save again.`;
  const { study, series, name, edges, facts } = captured.seen.shown;
  const headers = plane.volumes.flatMap(({ images }) => oneOfEachPatient(images).map(({ header }) => header));
  return {
    study,
    series,
    headers,
    sopInstanceUID: null,
    layers: captured.layers,
    edges,
    facts: [name, ...[...facts, ...captured.text.facts].map((fact) => fact.trim()).filter(Boolean)],
    titles: captured.text.titles,
    place: name.toLowerCase(),
  };
};
