import { grayOf12Bits, type RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';

/** A blank CT image, and the number of renderings after which the engine has compiled the loops. */
const [rows, columns, times] = [512, 512, 12];

const options: RenderedOptions = {
  mediaType: 'image/jpeg',
  quality: 90,
  viewport: undefined,
  region: undefined,
  window: undefined,
  hasColorProfile: false,
};

const job = (): RenderJob => ({
  frame: new Uint8Array(2 * rows * columns),
  codec: 'none',
  format: grayOf12Bits(rows, columns),
  appearance: { slope: 1, intercept: 0, window: { center: 0, width: 400, shape: 'linear' } },
});

/**
 * Renders images in advance, so that no user waits for the first ones: the first image of a process or thread takes
 * eight times as long as later ones.
 */
export const warmUp = async (render: (job: RenderJob, options: RenderedOptions) => Promise<unknown>) => {
  for (let time = 0; time < times; time += 1) await render(job(), options);
};
