/** Window of a frame as the imaging library stores it. */
type VoiLutModule = {
  windowCenter?: readonly number[] | undefined;
  windowWidth?: readonly number[] | undefined;
  voiLUTFunction?: unknown;
};

export const curves = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID'] as const;

/**
 * Returns the function of a window (PS3.3 §C.11.2.1.2 and 3): the named function, or LINEAR. A window narrower than 1
 * becomes LINEAR_EXACT. LINEAR has no such windows, and fractional values need them. So does a window of width 1: LINEAR
 * would show only black and white of a map from 0 to 1.
 */
export const curveOf = (curveName: unknown, width: number): (typeof curves)[number] => {
  const curve = curves.find((known) => known === curveName) ?? 'LINEAR';
  return curve === 'LINEAR' && width <= 1 ? 'LINEAR_EXACT' : curve;
};

const allOfOneBit = { windowCenter: [0.5], windowWidth: [1], voiLUTFunction: ['LINEAR_EXACT'] };

/**
 * Converts the window of a frame for the imaging library. Puts the function name into an array, because the library
 * uses the first element; of a plain string this would be the first letter, and the library would throw. Replaces a
 * window without a width by the computed one, or removes it.
 */
export const usableWindow = <Module extends VoiLutModule>(
  module: Module,
  { bitsAllocated }: { bitsAllocated?: number } = {},
  computed: () => { center: number; width: number } | undefined = () => undefined,
) => {
  const [width = 0] = module.windowWidth ?? [];
  // Window for single bits: 0 is black and 1 is white, even if all pixels are equal.
  if (bitsAllocated === 1 && !(width > 0)) return { ...module, ...allOfOneBit };
  if (!(width > 0)) {
    const own = computed();
    return {
      ...module,
      windowCenter: own && [own.center],
      windowWidth: own && [own.width],
      voiLUTFunction: own && ['LINEAR_EXACT'],
    };
  }
  return { ...module, voiLUTFunction: [curveOf([module.voiLUTFunction].flat()[0], width)] };
};
