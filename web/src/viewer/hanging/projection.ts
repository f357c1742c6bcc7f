import { type DicomJson, itemsOf, tag, textOf, textsOf } from '#viewer/images/dicom-json.ts';

/** What a plain film or mammogram says of itself; '' where it does not say. */
export type Projection = {
  side: 'R' | 'L' | '';
  /** ViewPosition (PS3.3 §C.8.4.1, C.8.11.2) in upper case: PA, AP, LL, CC, MLO... */
  view: string;
};

/** The two views of a mammogram as codes of SNOMED CT and SRT (PS3.16 CID 4014). */
const viewOfCode: Record<string, string> = {
  '399162004': 'CC',
  'R-10242': 'CC',
  '399368009': 'MLO',
  'R-10226': 'MLO',
};

export const projectionOf = (header: DicomJson): Projection => {
  const laterality = textOf(header, tag.ImageLaterality) || textOf(header, tag.Laterality);
  const [code = {}] = itemsOf(header, tag.ViewCodeSequence);
  const coded = viewOfCode[textOf(code, tag.CodeValue)];
  return {
    side: laterality === 'R' || laterality === 'L' ? laterality : '',
    view: coded ?? textOf(header, tag.ViewPosition).toUpperCase(),
  };
};

/** "R CC", "PA", '' where nothing is known. */
export const projectionName = ({ side, view }: Projection): string => [side, view].filter(Boolean).join(' ');

/** Views from the front come first, then those from the side, then all others. */
export const rankOfView = (view: string): number => {
  if (['PA', 'AP'].includes(view)) return 0;
  if (['LL', 'RL', 'LAT', 'LATERAL', 'LLD', 'RLD'].includes(view)) return 1;
  return 2;
};

/** How a picture is turned on the screen before it is looked at. */
export type Turn = 'half turn' | 'mirror across' | 'mirror down';

const oppositeEnd: Record<string, string> = { A: 'P', P: 'A', L: 'R', R: 'L', H: 'F', F: 'H' };

/**
 * How a mammogram is to be turned so that both breasts hang back to back: the chest wall of the right one on the right,
 * that of the left one on the left; outer side or armpit on top. Undefined when it hangs so already, and when it does
 * not say where its rows and columns lead (PatientOrientation, PS3.3 §C.7.6.1.1.1): then nothing is turned.
 */
export const turnOf = (header: DicomJson): Turn | undefined => {
  const { side, view } = projectionOf(header);
  const [along = '', down = ''] = textsOf(header, tag.PatientOrientation);
  if (side === '' || (view !== 'CC' && view !== 'MLO')) return undefined;
  const wantedAlong = side === 'R' ? 'P' : 'A';
  const wantedDown = view === 'MLO' ? 'F' : side === 'R' ? 'L' : 'R';
  const isAgainst = (letters: string, wanted: string) => letters.includes(oppositeEnd[wanted] ?? '?');
  // An oblique row leads "FL" and a column "F": what counts is the letter that is wanted or its opposite.
  if (!along.includes(wantedAlong) && !isAgainst(along, wantedAlong)) return undefined;
  const isMirrored = isAgainst(along, wantedAlong);
  const isUpsideDown = !down.includes(wantedDown) && isAgainst(down, wantedDown);
  if (isMirrored && isUpsideDown) return 'half turn';
  if (isMirrored) return 'mirror across';
  return isUpsideDown ? 'mirror down' : undefined;
};
