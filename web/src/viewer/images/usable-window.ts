/** What the imaging library knows of the window of a frame. */
type VoiLutModule = {
  windowCenter?: readonly number[] | undefined;
  windowWidth?: readonly number[] | undefined;
  voiLUTFunction?: unknown;
};

export const curves = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID'] as const;

/**
 * By which formula a window is one (PS3.3 §C.11.2.1.2 and 3): the one that is named, LINEAR where none is. That has no
 * windows narrower than 1: where numbers are fractions, such a one is meant exactly.
 */
export const curveOf = (named: unknown, width: number): (typeof curves)[number] => {
  const curve = curves.find((known) => known === named) ?? 'LINEAR';
  return curve === 'LINEAR' && width < 1 ? 'LINEAR_EXACT' : curve;
};

const allOfOneBit = { windowCenter: [0.5], windowWidth: [1], voiLUTFunction: ['LINEAR_EXACT'] };

/**
 * The window of a frame as the imaging library can use it: with the name of its formula in a list, of which it takes the
 * first; of a name alone it takes the first letter, and throws at that. A window without width is none.
 */
export const usableWindow = <Module extends VoiLutModule>(
  module: Module,
  { bitsAllocated }: { bitsAllocated?: number } = {},
) => {
  const [width = 0] = module.windowWidth ?? [];
  // Also where all are the same: none is black, one is white.
  if (bitsAllocated === 1 && !(width > 0)) return { ...module, ...allOfOneBit };
  if (!(width > 0)) return { ...module, windowCenter: undefined, windowWidth: undefined, voiLUTFunction: undefined };
  return { ...module, voiLUTFunction: [curveOf([module.voiLUTFunction].flat()[0], width)] };
};
