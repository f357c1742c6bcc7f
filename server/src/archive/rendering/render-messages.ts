import type { Picture, RenderJob } from './picture.ts';

/** What the server asks of a rendering process. */
export type RenderRequest = { job: RenderJob };

/** What a rendering process says: first that it is ready, then one reply to each request. */
export type RenderReply =
  | { kind: 'ready' }
  /** A broken process has to be replaced before it is asked anything else. */
  | { kind: 'picture'; picture: Picture; isBroken: boolean }
  | { kind: 'failure'; reason: string; isBroken: boolean };
