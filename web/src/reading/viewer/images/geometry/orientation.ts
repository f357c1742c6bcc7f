import { cross, dot, type ImagePlane, type Vector } from './image-plane.ts';

/** Orientation letters at the edges of an image: R, L, A, P, H, F. An oblique direction has two letters. */
export type Edges = { left: string; right: string; top: string; bottom: string };

const opposites: Record<string, string> = { L: 'R', R: 'L', A: 'P', P: 'A', H: 'F', F: 'H' };

/** Converts letters to their opposites, such as "LF" to "RH". Other letters stay unchanged. */
export const oppositeOf = (letters: string): string =>
  Array.from(letters, (letter) => opposites[letter] ?? letter).join('');

/** Smallest component of a direction that gets a letter (about 17 degrees). */
const noticeable = 0.3;

/** Returns the letters of a direction in the patient, the strongest first (PS3.3 §C.7.6.1.1.1). */
export const lettersOf = (direction: Vector): string =>
  [
    { share: direction[0], letter: direction[0] > 0 ? 'L' : 'R' },
    { share: direction[1], letter: direction[1] > 0 ? 'P' : 'A' },
    { share: direction[2], letter: direction[2] > 0 ? 'H' : 'F' },
  ]
    .filter(({ share }) => Math.abs(share) > noticeable)
    .toSorted((one, other) => Math.abs(other.share) - Math.abs(one.share))
    .map(({ letter }) => letter)
    .slice(0, 2)
    .join('');

/**
 * Returns the edge letters of an image with a plane. `right` and `down` are the directions of the screen in patient
 * coordinates, of length 1, after rotation and mirroring.
 */
export const edgesOfPlane = (right: Vector, down: Vector): Edges => ({
  left: oppositeOf(lettersOf(right)),
  right: lettersOf(right),
  top: oppositeOf(lettersOf(down)),
  bottom: lettersOf(down),
});

/**
 * Returns the edge letters of an image without a plane, such as a radiograph, from the directions of its rows and
 * columns (PatientOrientation). `right` and `down` are the directions of the screen in the axes of the image. Undefined
 * if the header gives no directions.
 */
export const edgesOfPicture = (
  [alongRows = '', alongColumns = '']: readonly string[],
  right: Vector,
  down: Vector,
): Edges | undefined => {
  if (!alongRows || !alongColumns) return undefined;
  const lettersAlong = (direction: Vector) => {
    const isAlongRows = Math.abs(direction[0]) >= Math.abs(direction[1]);
    const letters = isAlongRows ? alongRows : alongColumns;
    return (isAlongRows ? direction[0] : direction[1]) >= 0 ? letters : oppositeOf(letters);
  };
  const [toRight, toBottom] = [lettersAlong(right), lettersAlong(down)];
  return { left: oppositeOf(toRight), right: toRight, top: oppositeOf(toBottom), bottom: toBottom };
};

/**
 * Returns the position of a slice, such as "H 42.5 mm". The letter tells on which side of the origin of the frame of
 * reference the slice lies.
 */
export const sliceLocation = (plane: ImagePlane): string => {
  const normal = cross(plane.along, plane.down);
  const depth = dot(plane.position, normal);
  const away: Vector = depth < 0 ? [-normal[0], -normal[1], -normal[2]] : normal;
  return `${lettersOf(away).slice(0, 1)} ${Math.abs(depth).toFixed(1)} mm`;
};

/** Returns a position in the patient, such as "L 40.0 P 2.0 H 22.0 mm". */
export const placeText = ([left, posterior, superior]: Vector): string => {
  const part = (length: number, ahead: string, behind: string) =>
    `${length < 0 ? behind : ahead} ${Math.abs(length).toFixed(1)}`;
  return `${part(left, 'L', 'R')}  ${part(posterior, 'P', 'A')}  ${part(superior, 'H', 'F')} mm`;
};
