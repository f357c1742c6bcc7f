import { imageIdOf } from '#viewer/images/series-loader.ts';
import { type Annotation, annotationOf, type Drawn, drawnBy } from './drawn-annotation.ts';

/** What somebody draws on: the images of a study, or the planes through one of its series. */
export type Surface = {
  /** By what it is told from other surfaces of the study. */
  id: string;
  /** Whether what the library draws lies on it. */
  holds: (one: Annotation) => boolean;
  /** What is drawn, as the archive keeps it; undefined for what is not kept, and for a line that has no end yet. */
  drawnBy: (one: Annotation) => Drawn | undefined;
  /** What is kept, as the library draws it here; undefined for what is not here. */
  annotationOf: (id: string, drawn: Drawn, isLocked: boolean) => Annotation | undefined;
  /** Whether what is drawn must be read off again when an image has come. */
  isReadFrom: (one: Annotation, imageId: string) => boolean;
  /** Moves its points to where it is seen. */
  straighten: (one: Annotation) => void;
};

/** The images of a study, also those that are not on the screen. */
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
  // A picture has one plane: nothing can be drawn beside it.
  straighten: () => {},
});
