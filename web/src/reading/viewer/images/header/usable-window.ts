/** Window of a frame in the imaging library. */
type VoiLutModule = {
  windowCenter?: readonly number[] | undefined;
  windowWidth?: readonly number[] | undefined;
  voiLUTFunction?: unknown;
};

export const curves = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID'] as const;

/**
 * Function of a window (PS3.3 §C.11.2.1.2 and 3): the named one, or LINEAR. LINEAR has no windows narrower than 1;
 * these are taken as LINEAR_EXACT, for fractional values.
 */
export const curveOf = (named: unknown, width: number): (typeof curves)[number] => {
  const curve = curves.find((known) => known === named) ?? 'LINEAR';
  return curve === 'LINEAR' && width < 1 ? 'LINEAR_EXACT' : curve;
};

const allOfOneBit = { windowCenter: [0.5], windowWidth: [1], voiLUTFunction: ['LINEAR_EXACT'] };

/**
 * Converts the window of a frame for the imaging library: puts the function name into a list, because the library takes
 * its first element. From a plain string it would take the first letter and throw. A window without width is removed.
 */
export const usableWindow = <Module extends VoiLutModule>(
  module: Module,
  { bitsAllocated }: { bitsAllocated?: number } = {},
) => {
  const [width = 0] = module.windowWidth ?? [];
  // Also if all pixels are equal: 0 is black, 1 is white.
  if (bitsAllocated === 1 && !(width > 0)) return { ...module, ...allOfOneBit };
  if (!(width > 0)) return { ...module, windowCenter: undefined, windowWidth: undefined, voiLUTFunction: undefined };
  return { ...module, voiLUTFunction: [curveOf([module.voiLUTFunction].flat()[0], width)] };
};
