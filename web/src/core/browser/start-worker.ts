import { createPolicy } from './trusted-types.ts';

/** Matches the URLs of all workers in a build. */
const built = /^\/assets\/(?:(?:decodeImageFrameWorker|dicom-worker|pdf-worker|slide-worker)-[\w-]+|push-worker)\.js$/;

/** Returns the URL of a worker of the build. Throws TypeError for any other URL. */
export const workerOfBuild = (url: string): string => {
  if (!built.test(url)) throw new TypeError(`Not a worker of this application: ${url}`);
  return url;
};

/**
 * Must not be exported, because in development it accepts any URL. There, Vite serves workers at other URLs, and the
 * server sends no content security policy.
 */
const policy = createPolicy('radwork-worker', {
  createScriptURL: import.meta.env.PROD ? workerOfBuild : (url) => url,
});

/** Starts a worker of this application. Import its URL with `?worker&url`. */
export const startWorker = (url: string): Worker => new Worker(policy.createScriptURL(url), { type: 'module' });

/** Registers the service worker for push messages. It serves no page and intercepts no request. */
export const registerPushWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(policy.createScriptURL('/assets/push-worker.js'), { scope: '/assets/' });
