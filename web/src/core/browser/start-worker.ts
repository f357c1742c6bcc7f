import { createPolicy } from './trusted-types.ts';

/** Addresses of all workers of a build. */
const built = /^\/assets\/(?:(?:decodeImageFrameWorker|dicom-worker|pdf-worker)-[\w-]+|push-worker)\.js$/;

/** Throws TypeError for any other address. */
export const workerOfBuild = (url: string): string => {
  if (!built.test(url)) throw new TypeError(`Not a worker of this application: ${url}`);
  return url;
};

/** Must not leave this file. In development, Vite serves workers at other addresses and sends no policy. */
const policy = createPolicy('radwork-worker', {
  createScriptURL: import.meta.env.PROD ? workerOfBuild : (url) => url,
});

/** Starts a worker of ours. Its address comes from an import with `?worker&url`. */
export const startWorker = (url: string): Worker => new Worker(policy.createScriptURL(url), { type: 'module' });

/** Registers the worker for push messages. It serves no page and sees no request. */
export const registerPushWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(policy.createScriptURL('/assets/push-worker.js'), { scope: '/assets/' });
