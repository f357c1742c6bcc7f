import { axial, type Plane } from './geometry.ts';
import { heartbeat, bloodFlow, fourChambers, inflowAt } from './heart.ts';
import { paint } from './painter.ts';
import { randomFrom } from './random.ts';
import { addNoise, soften } from './texture.ts';

export type Pixel = readonly [column: number, row: number];
type Color = readonly [red: number, green: number, blue: number];

export const columns = 640;
export const rows = 480;

/** The sector with the heart. */
export const tissueRegion = { first: [0, 0], last: [639, 339], apex: [320, 14], mmPerPixel: 0.5 } as const;

/** The strip of velocity over time. The baseline is the row of velocity 0; rows above it are toward the probe. */
export const dopplerRegion = {
  first: [40, 350],
  last: [599, 469],
  baseline: 435,
  secondsPerPixel: 0.005,
  velocityPerPixel: 1.5,
} as const;

/** Two crosses of a measurement, 80 pixels apart. */
export const calipers: readonly [Pixel, Pixel] = [
  [316, 96],
  [364, 160],
];

const sector = { shallowest: 4, deepest: 160, halfAngle: 0.72 };
const scanPlane: Plane = {
  ...axial,
  rows: tissueRegion.last[1] + 1,
  columns,
  pixelSpacing: tissueRegion.mmPerPixel,
  position: [-tissueRegion.apex[0] * tissueRegion.mmPerPixel, -tissueRegion.apex[1] * tissueRegion.mmPerPixel, 0],
};

const yellow: Color = [250, 220, 60];
const gray = (level: number): Color => [level, level, level];

/** The frames of one beat at even intervals, each as RGB pixels. */
export const ultrasoundPictures = (frames: number, seed: string): Buffer[] => {
  const echoPixels = pixelsHeard();
  return Array.from({ length: frames }, (_, frame) => {
    const phase = frame / frames;
    const picture = Buffer.alloc(rows * columns * 3);
    drawTissue(picture, echoPixels, phase, seed);
    drawDoppler(picture, phase, seed);
    drawScales(picture);
    calipers.forEach((caliper) => drawCross(picture, caliper));
    return picture;
  });
};

type HeardPixel = { pixel: Pixel; index: number; gain: number };

/** The pixels of the sector with their gain. */
const pixelsHeard = (): HeardPixel[] =>
  Array.from({ length: scanPlane.rows * columns }, (_, index): HeardPixel => {
    const pixel: Pixel = [index % columns, Math.floor(index / columns)];
    return { pixel, index, gain: gainAt(pixel) };
  }).filter(({ gain }) => gain > 0);

const set = (picture: Buffer, [column, row]: Pixel, color: Color): void => {
  picture.set(color, (row * columns + column) * 3);
};

const fill = (picture: Buffer, [left, top]: Pixel, [right, bottom]: Pixel, color: Color): void => {
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) set(picture, [column, row], color);
  }
};

const drawTissue = (picture: Buffer, echoPixels: readonly HeardPixel[], phase: number, seed: string): void => {
  const echo = echoOf(phase, seed);
  const flow = flowOf(phase, seed);
  for (const { index, pixel, gain } of echoPixels) {
    const brightness = Math.min(255, Math.max(0, (echo[index] ?? 0) * gain));
    set(picture, pixel, flowColor(flow[index] ?? 0) ?? gray(brightness));
  }
};

const echoOf = (phase: number, seed: string): Float32Array => {
  const echo = new Float32Array(scanPlane.rows * columns).fill(48);
  paint(echo, scanPlane, fourChambers(phase));
  addNoise(echo, columns, { floor: 3, share: 0.9 }, seed);
  soften(echo, columns);
  soften(echo, columns);
  addNoise(echo, columns, { floor: 2, share: 0.08 }, `${seed} at ${phase}`);
  return echo;
};

const flowOf = (phase: number, seed: string): Float32Array => {
  const flow = new Float32Array(scanPlane.rows * columns);
  paint(flow, scanPlane, bloodFlow(phase));
  addNoise(flow, columns, { floor: 0, share: 0.9 }, `${seed} flow`);
  for (let pass = 0; pass < 4; pass += 1) soften(flow, columns);
  return flow;
};

/** The gain of a pixel: lower with depth, 0 outside the sector. */
const gainAt = ([column, row]: Pixel): number => {
  const right = (column - tissueRegion.apex[0]) * tissueRegion.mmPerPixel;
  const down = (row - tissueRegion.apex[1]) * tissueRegion.mmPerPixel;
  const depth = Math.sqrt(right ** 2 + down ** 2);
  const isInside =
    depth > sector.shallowest && depth < sector.deepest && Math.abs(Math.atan2(right, down)) < sector.halfAngle;
  return isInside ? 1.5 - 0.6 * (depth / sector.deepest) : 0;
};

/** Red toward the probe, blue away from it, brighter when faster. Undefined without motion. */
const flowColor = (velocity: number): Color | undefined => {
  const strength = Math.min(1, Math.abs(velocity) / 90);
  if (strength < 0.1) return undefined;
  const [full, half] = [120 + 135 * strength, 180 * strength ** 2];
  return velocity > 0 ? [full, half, 20] : [20, half, full];
};

/** The column of the line that sweeps over the Doppler, at a phase of the beat from 0 to 1. */
export const sweepColumn = (phase: number): number =>
  dopplerRegion.first[0] + Math.round((phase * heartbeat) / dopplerRegion.secondsPerPixel);

/** Draws the velocities of the last beats, brightest for the fastest blood, and the sweeping line. */
const drawDoppler = (picture: Buffer, phase: number, seed: string): void => {
  const { first, last, baseline, secondsPerPixel, velocityPerPixel } = dopplerRegion;
  const random = randomFrom(`${seed} doppler`);
  for (let column = first[0]; column <= last[0]; column += 1) {
    const velocity = inflowAt((((column - first[0]) * secondsPerPixel) / heartbeat) % 1);
    const height = Math.round(velocity / velocityPerPixel);
    for (let above = 1; above <= height; above += 1) {
      const edge = (above / height) ** 3;
      set(picture, [column, baseline - above], gray((0.25 + 0.75 * edge) * (150 + 90 * random())));
    }
  }
  fill(picture, [first[0], baseline], [last[0], baseline], gray(120));
  const swept = sweepColumn(phase);
  fill(picture, [swept, first[1]], [swept, last[1]], [40, 160, 70]);
};

/** A tick for each centimeter of depth, the color scale of the flow, and the orientation dot of the probe. */
const drawScales = (picture: Buffer): void => {
  const [apexColumn, apexRow] = tissueRegion.apex;
  for (let centimeter = 0; centimeter <= 16; centimeter += 1) {
    const row = apexRow + Math.round((centimeter * 10) / tissueRegion.mmPerPixel);
    fill(picture, [centimeter % 5 === 0 ? 588 : 594, row], [600, row], gray(200));
  }
  for (let row = 30; row <= 130; row += 1) {
    fill(picture, [614, row], [624, row], flowColor(90 * (1 - (row - 30) / 50)) ?? gray(0));
  }
  fill(picture, [apexColumn - 46, apexRow - 4], [apexColumn - 40, apexRow + 2], [60, 220, 120]);
};

const drawCross = (picture: Buffer, [column, row]: Pixel): void => {
  fill(picture, [column - 5, row], [column + 5, row], yellow);
  fill(picture, [column, row - 5], [column, row + 5], yellow);
};
