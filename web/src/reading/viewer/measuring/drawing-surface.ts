import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { type Annotation, annotationOf, type Drawing, drawnBy } from './drawn-annotation.ts';

/** Surface for drawings: the images of a study, or the planes of one series. */
export type Surface = {
  /** Unique among the surfaces of the study. */
  id: string;
  /** Whether an annotation is on this surface. */
  holds: (one: Annotation) => boolean;
  /** Converts an annotation for the archive; undefined if it is not saved or still lacks an end point. */
  drawnBy: (one: Annotation) => Drawing | undefined;
  /** Converts a saved drawing to an annotation; undefined if it is not on this surface. */
  annotationOf: (id: string, drawn: Drawing, isLocked: boolean) => Annotation | undefined;
  /** Whether the values must be computed again after an image has loaded. */
  isReadFrom: (one: Annotation, imageId: string) => boolean;
  /** Moves the points of an annotation onto the visible plane. */
  straighten: (one: Annotation) => void;
};

/** All images of a study, on the screen or not. */
export const imagesOf = (studyUid: string): Surface => ({
  id: studyUid,
  holds: ({ metadata }) => (metadata?.referencedImageId ?? '').includes(`/studies/${studyUid}/`),
  drawnBy,
  annotationOf: (id, drawn, isLocked) => {
    const { seriesInstanceUID, sopInstanceUID, frame } = drawn;
    if (sopInstanceUID === null || frame === null) return undefined;
    return annotationOf(id, drawn, imageIdOf(studyUid, seriesInstanceUID, sopInstanceUID, frame), isLocked);
  },
  isReadFrom: ({ metadata }, imageId) => metadata?.referencedImageId === imageId,
  // An image has one plane, so drawings cannot leave it.
  straighten: () => {},
});
