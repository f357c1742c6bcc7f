import { type DicomJson, itemsOf, tag, textOf, textsOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Side and view of a radiograph or mammogram; '' if the header has none. */
export type Projection = {
  side: 'R' | 'L' | '';
  /** ViewPosition (PS3.3 §C.8.4.1, C.8.11.2) in upper case: PA, AP, LL, CC, MLO... */
  view: string;
};

/** Mammography views by SNOMED CT and SRT code (PS3.16 CID 4014). */
const viewOfCode: Record<string, string> = {
  '399162004': 'CC',
  'R-10242': 'CC',
  '399368009': 'MLO',
  'R-10226': 'MLO',
  '399260004': 'ML',
  'R-10224': 'ML',
  '399352003': 'LM',
  'R-10228': 'LM',
  '399099002': 'LMO',
  'R-10230': 'LMO',
};

/** Side as devices write it: R, r, RIGHT. */
const sideOf = (text: string): Projection['side'] => {
  if (/^r(ight)?$/i.test(text)) return 'R';
  return /^l(eft)?$/i.test(text) ? 'L' : '';
};

/** Side and view in one value: RCC, "L MLO", R-ML. Devices for film and phosphor plates write it as the view position. */
const sideAndView = /^([RL])[ _-]?(CC|MLO|ML|LM|LMO|XCC|XCCL|XCCM|FB|SIO)$/;

export const projectionOf = (header: DicomJson): Projection => {
  const laterality =
    textOf(header, tag.ImageLaterality) || textOf(header, tag.Laterality) || lateralityOfFrames(header);
  const [code = {}] = itemsOf(header, tag.ViewCodeSequence);
  const coded = viewOfCode[textOf(code, tag.CodeValue)];
  const position = textOf(header, tag.ViewPosition).toUpperCase();
  const [, namedSide = '', namedView = position] = sideAndView.exec(position) ?? [];
  return { side: sideOf(laterality) || sideOf(namedSide), view: coded ?? namedView };
};

/**
 * Laterality of an enhanced or tomosynthesis image, in its shared functional groups or those of its first frame (PS3.3
 * §C.7.6.16.2.8).
 */
const lateralityOfFrames = (header: DicomJson): string => {
  for (const groups of [tag.SharedFunctionalGroupsSequence, tag.PerFrameFunctionalGroupsSequence]) {
    const [first = {}] = itemsOf(header, groups);
    const [anatomy = {}] = itemsOf(first, tag.FrameAnatomySequence);
    const laterality = textOf(anatomy, tag.FrameLaterality);
    if (laterality) return laterality;
  }
  return '';
};

/** Text such as "R CC" or "PA"; '' if unknown. */
export const projectionName = ({ side, view }: Projection): string => [side, view].filter(Boolean).join(' ');

/** Returns a rank for sorting: front views first, then side views, then all others. */
export const rankOfView = (view: string): number => {
  if (['PA', 'AP'].includes(view)) return 0;
  if (['LL', 'RL', 'LAT', 'LATERAL', 'LLD', 'RLD'].includes(view)) return 1;
  return 2;
};

/**
 * Returns the side of the screen on which the chest wall of a mammogram lies after its turn. Undefined if the header does
 * not give the direction (PatientOrientation, PS3.3 §C.7.6.1.1.1), and for other views than CC and MLO.
 */
export const chestWallOf = (header: DicomJson): 'left' | 'right' | undefined => {
  const { side, view } = projectionOf(header);
  const [along = ''] = textsOf(header, tag.PatientOrientation);
  if (side === '' || (view !== 'CC' && view !== 'MLO') || !/[AP]/.test(along)) return undefined;
  return side === 'R' ? 'right' : 'left';
};

/** Rotation or mirroring that corrects an image before display. */
export type Turn = 'half turn' | 'mirror across' | 'mirror down';

const oppositeEnd: Record<string, string> = { A: 'P', P: 'A', L: 'R', R: 'L', H: 'F', F: 'H' };

/**
 * Returns the turn that shows both breasts of a mammogram back to back. The chest wall is on the right for the right
 * breast and on the left for the left breast. The lateral side or axilla is on top. Undefined if no turn is needed.
 * Also undefined without PatientOrientation (PS3.3 §C.7.6.1.1.1), because the direction is then unknown.
 */
export const turnOf = (header: DicomJson): Turn | undefined => {
  const { side, view } = projectionOf(header);
  const [along = '', down = ''] = textsOf(header, tag.PatientOrientation);
  if (side === '' || (view !== 'CC' && view !== 'MLO')) return undefined;
  const wantedAlong = side === 'R' ? 'P' : 'A';
  const wantedDown = view === 'MLO' ? 'F' : side === 'R' ? 'L' : 'R';
  const isAgainst = (letters: string, letter: string) => letters.includes(oppositeEnd[letter] ?? '?');
  // The orientation of an oblique row may have two letters, such as "FL". Only the wanted letter or its opposite
  // counts.
  if (!along.includes(wantedAlong) && !isAgainst(along, wantedAlong)) return undefined;
  const isMirrored = isAgainst(along, wantedAlong);
  const isUpsideDown = !down.includes(wantedDown) && isAgainst(down, wantedDown);
  if (isMirrored && isUpsideDown) return 'half turn';
  if (isMirrored) return 'mirror across';
  return isUpsideDown ? 'mirror down' : undefined;
};
