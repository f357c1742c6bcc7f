import { createPolicy } from './trusted-types.ts';

/** The workers of a build, all of them. */
const built = /^\/assets\/(?:(?:decodeImageFrameWorker|dicom-worker|pdf-worker)-[\w-]+|push-worker)\.js$/;

/** Throws TypeError for an address of anything else. */
export const workerOfBuild = (url: string): string => {
  if (!built.test(url)) throw new TypeError(`No worker of this application: ${url}`);
  return url;
};

/** Never leaves this file. While developing, Vite serves workers under other addresses, and no policy is sent. */
const policy = createPolicy('radwork-worker', {
  createScriptURL: import.meta.env.PROD ? workerOfBuild : (url) => url,
});

/** Starts a worker of ours, by the address that importing it with `?worker&url` gives. */
export const startWorker = (url: string): Worker => new Worker(policy.createScriptURL(url), { type: 'module' });

/** Registers the worker that shows push messages. It serves no page and sees no request. */
export const registerPushWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(policy.createScriptURL('/assets/push-worker.js'), { scope: '/assets/' });
