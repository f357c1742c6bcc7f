import { cache, Enums, imageRetrievalPoolManager, init as startCore } from '@cornerstonejs/core';
import { init as startImageLoader } from '@cornerstonejs/dicom-image-loader';
import { init as startTools } from '@cornerstonejs/tools';
import { refusal, requestHeaders } from '#core/api.ts';
import { readSession } from '#core/session.ts';
import { registerTools } from './tools.ts';

const megabyte = 1024 * 1024;

/** A device that is held in the hand: less memory and fewer graphics contexts than a desk has. */
export const isHandheld = (): boolean => window.matchMedia('(pointer: coarse)').matches;

let webGl: boolean | undefined;

/** Whether the graphics card can draw; without it the library draws on the processor, slowly. */
export const hasWebGl = (): boolean => {
  webGl ??= canMakeContext();
  return webGl;
};

const canMakeContext = (): boolean => {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
};

const start = () => {
  const handheld = isHandheld();
  // A browser drops its oldest context at 16: the library's default of seven for each engine would be seen.
  startCore({ isMobile: handheld, debug: {}, rendering: { webGlContextCount: handheld ? 1 : 3 } });
  startImageLoader({
    maxWebWorkers: Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1)),
    beforeSend: () => requestHeaders(),
    errorInterceptor: (error) => {
      // The loader asks for frames on its own, so a session that ended is noticed here.
      if (error.status === 401) refusal(401, '', () => null, readSession()?.token);
    },
  });
  startTools();
  registerTools();
  cache.setMaxCacheSize((handheld ? 256 : 1536) * megabyte);
  // What a person looks at overtakes what is fetched ahead.
  imageRetrievalPoolManager.setMaxSimultaneousRequests(Enums.RequestType.Interaction, 10);
  imageRetrievalPoolManager.setMaxSimultaneousRequests(Enums.RequestType.Prefetch, 6);
};

let started: Promise<void> | undefined;

/** Starts the imaging library, once for the page: starting its loader again would empty the image cache. */
export const startImaging = (): Promise<void> => {
  started ??= Promise.resolve().then(start);
  return started;
};
