import { t } from '@lingui/core/macro';
import { utilities } from '@cornerstonejs/core';

/** Color at a share of the window, from 0 to 1, with its parts from 0 to 1. */
export type Stop = readonly [share: number, red: number, green: number, blue: number];

/** Color maps for uptake, from 0 to the upper end of the window. Hot iron is the palette of PS3.6 §B.1.1. */
const stops = {
  'Hot iron': [
    [0, 0, 0, 0],
    [0.5, 1, 0, 0],
    [0.75, 1, 0.5, 0],
    [1, 1, 1, 1],
  ],
  Rainbow: [
    [0, 0, 0, 0],
    [0.1, 0, 0, 0.6],
    [0.3, 0, 0.5, 1],
    [0.5, 0, 0.8, 0.2],
    [0.7, 1, 1, 0],
    [0.85, 1, 0.4, 0],
    [1, 1, 0, 0],
  ],
  'Blue to white': [
    [0, 0, 0, 0],
    [0.4, 0.05, 0.2, 0.75],
    [0.75, 0.3, 0.75, 1],
    [1, 1, 1, 1],
  ],
  Grey: [
    [0, 0, 0, 0],
    [1, 1, 1, 1],
  ],
} as const satisfies Record<string, readonly Stop[]>;

export type ColorMap = keyof typeof stops;

export const colorMapNames = ['Hot iron', 'Rainbow', 'Blue to white', 'Grey'] as const satisfies readonly ColorMap[];

/** Names of the color maps on screens. The keys are stored as preferences. */
export const coloursLabels: Record<ColorMap, string> = {
  'Hot iron': t`Hot iron`,
  Rainbow: t`Rainbow`,
  'Blue to white': t`Blue to white`,
  Grey: t`Gray`,
};

/** Returns the colors of a color map. Between two of them, it changes in proportion. */
export const stopsOf = (colours: ColorMap): readonly Stop[] => stops[colours];

export const nextColorMap = (colours: ColorMap): ColorMap =>
  colorMapNames[(colorMapNames.indexOf(colours) + 1) % colorMapNames.length] ?? 'Hot iron';

/** Returns a color map as a CSS background, from left to right. */
export const gradientOf = (colours: ColorMap): string => {
  const parts = stops[colours].map(
    ([share, ...rgb]: Stop) => `rgb(${rgb.map((part) => Math.round(part * 255)).join(' ')}) ${share * 100}%`,
  );
  return `linear-gradient(to right, ${parts.join(', ')})`;
};

/** Returns the color of a share of the window, from 0 to 1, as CSS. */
export const colorAt = (colours: ColorMap, share: number): string => {
  const all: readonly Stop[] = stops[colours];
  const next = Math.max(
    1,
    all.findIndex(([start]) => start >= share),
  );
  const [before, after] = [all[next - 1] ?? all[0], all[next] ?? all[0]];
  if (!before || !after) return 'black';
  const part = (share - before[0]) / (after[0] - before[0]);
  const parts = ([1, 2, 3] as const).map((at) => Math.round(255 * (before[at] + part * (after[at] - before[at]))));
  return `rgb(${parts.join(' ')})`;
};

const nameOf = (colours: ColorMap) => `radwork ${colours}`;

/** Returns the name of a color map in the imaging library. Registers the color map on first use. */
export const libraryColorMap = (colours: ColorMap): string => {
  const name = nameOf(colours);
  if (!utilities.colormap.getColormap(name)) {
    const RGBPoints = stops[colours].flatMap((stop: Stop) => [...stop]);
    utilities.colormap.registerColormap({ Name: name, name, ColorSpace: 'RGB', RGBPoints });
  }
  return name;
};
