import { cache, Enums, imageRetrievalPoolManager, init as startCore, registerImageLoader } from '@cornerstonejs/core';
import { init as startImageLoader, wadors } from '@cornerstonejs/dicom-image-loader';
import { init as startTools } from '@cornerstonejs/tools';
import { readError, requestHeaders } from '#core/http/api.ts';
import { onSessionClear } from '#core/http/session-cleanup.ts';
import { readSession } from '#core/state/session.ts';
import { headersFor } from '#reading/viewer/images/header/browser-decoding.ts';
import { seriesHeaderOf } from '#reading/viewer/images/series/series-headers.ts';
import { onSeriesRead } from '#reading/viewer/images/series/series-loader.ts';
import { silenceReportedFailures } from './failed-images.ts';
import { withServerDecoding } from './server-decoding.ts';
import { forgetAll, noteStudy } from './free-images.ts';
import { describeImages, provideShapes, provideUptake } from './image-metadata.ts';
import { isHandheld } from '#reading/viewer/engine/handheld.ts';
import { withRetries } from './retry-images.ts';
import { registerTools } from '#reading/viewer/engine/tools/tools.ts';
import { provideTables, withTables } from './load-lookup-tables.ts';

const megabyte = 1024 * 1024;

type GraphicsCard = { largestSide: number; isEmulated: boolean };

let card: GraphicsCard | undefined;

const graphicsCard = (): GraphicsCard => {
  card ??= askCard();
  return card;
};

/** Returns the longest side of a volume that the graphics card accepts, in voxels. 0 without a usable graphics card. */
export const largestVolumeSide = (): number => graphicsCard().largestSide;

/** Whether the graphics card can render. Without it, the imaging library renders slowly on the processor. */
export const hasWebGl = (): boolean => largestVolumeSide() > 0;

/** Whether the browser emulates a graphics card on the processor, as on most remote desktops and virtual machines. */
export const isCardEmulated = (): boolean => graphicsCard().isEmulated;

/** Names of emulated cards: those of Chromium, of Mesa, and of Windows without a driver. */
const emulators = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns the name of the card. Chromium and Safari tell it only by an extension, which Firefox warns about. */
const nameOf = (context: WebGL2RenderingContext): string => {
  const name = String(context.getParameter(context.RENDERER));
  if (name !== 'WebKit WebGL') return name;
  const names = context.getExtension('WEBGL_debug_renderer_info');
  return names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : name;
};

const askCard = (): GraphicsCard => {
  const context = document.createElement('canvas').getContext('webgl2');
  const largest: unknown = context?.getParameter(context.MAX_3D_TEXTURE_SIZE);
  const renderer = context ? nameOf(context) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return {
    largestSide: typeof largest === 'number' ? largest : 0,
    isEmulated: emulators.test(renderer),
  };
};

const start = () => {
  const handheld = isHandheld();
  // Limits the number of contexts: a browser drops its oldest context at 16, and the imaging library creates seven for
  // each engine by default. An emulated card draws slowly in each context, and the processor draws most stacks then.
  const contexts = handheld || isCardEmulated() ? 1 : 3;
  startCore({ isMobile: handheld, debug: {}, rendering: { webGlContextCount: contexts } });
  startImageLoader({
    maxWebWorkers: Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1)),
    beforeSend: (_, imageId) => ({ ...requestHeaders(), ...headersFor(imageId), ...seriesHeaderOf(imageId) }),
    errorInterceptor: (error) => {
      // Detects the end of a session here, because the image loader makes its own requests.
      if (error.status === 401) readError(401, '', () => null, readSession()?.token);
    },
  });
  registerImageLoader('wadors', withTables(withServerDecoding(withRetries(wadors.loadImage))));
  silenceReportedFailures();
  provideUptake();
  provideShapes();
  provideTables();
  // Runs after the start of the imaging library, because the start clears all metadata.
  onSeriesRead((images) => {
    describeImages(images);
    noteStudy(images);
  });
  onSessionClear(forgetAll);
  startTools();
  registerTools();
  cache.setMaxCacheSize((handheld ? 256 : 1536) * megabyte);
  // Requests for images on the screen have priority over prefetching.
  imageRetrievalPoolManager.setMaxSimultaneousRequests(Enums.RequestType.Interaction, 10);
  imageRetrievalPoolManager.setMaxSimultaneousRequests(Enums.RequestType.Prefetch, 6);
};

let started: Promise<void> | undefined;

/** Starts the imaging library once per page. A second start of its image loader would empty the image cache. */
export const startImaging = (): Promise<void> => {
  started ??= Promise.resolve()
    .then(start)
    .catch((error: unknown) => {
      // Lets the next viewer try again.
      started = undefined;
      throw error;
    });
  return started;
};
