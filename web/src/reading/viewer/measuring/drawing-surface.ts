import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { type Annotation, annotationOf, type Drawing, drawnBy } from './drawn-annotation.ts';

/** Surface on which users draw measurements: the images of a study, or the planes through one series. */
export type Surface = {
  /** Unique among all surfaces of the study. */
  id: string;
  /** Whether an annotation lies on this surface. */
  holds: (one: Annotation) => boolean;
  /**
   * Converts an annotation to the format of the archive. Undefined if it cannot be saved or still lacks an end point.
   */
  drawnBy: (one: Annotation) => Drawing | undefined;
  /** Converts a saved drawing to an annotation. Undefined if the drawing does not lie on this surface. */
  annotationOf: (id: string, drawing: Drawing, isLocked: boolean) => Annotation | undefined;
  /** Whether the values of an annotation must be computed again after this image has loaded. */
  isReadFrom: (one: Annotation, imageId: string) => boolean;
  /** Moves the points of an annotation back onto its plane. */
  straighten: (one: Annotation) => void;
};

/** Surface of all images of a study, whether on screen or not. */
export const imagesOf = (studyUid: string): Surface => ({
  id: studyUid,
  holds: ({ metadata }) => (metadata?.referencedImageId ?? '').includes(`/studies/${studyUid}/`),
  drawnBy,
  annotationOf: (id, drawing, isLocked) => {
    const { seriesInstanceUID, sopInstanceUID, frame } = drawing;
    if (sopInstanceUID === null || frame === null) return undefined;
    return annotationOf(id, drawing, imageIdOf(studyUid, seriesInstanceUID, sopInstanceUID, frame), isLocked);
  },
  isReadFrom: ({ metadata }, imageId) => metadata?.referencedImageId === imageId,
  // Does nothing, because an image has only one plane, which no point can leave.
  straighten: () => {},
});
