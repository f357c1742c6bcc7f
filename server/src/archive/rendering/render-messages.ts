import type { DecodedFrame, DecodeJob, RenderJob } from './picture.ts';
import type { RenderedOptions } from './rendered-options.ts';

/** What the server asks of a rendering process. */
export type RenderRequest =
  | { kind: 'render'; job: RenderJob; options: RenderedOptions }
  | { kind: 'decode'; job: DecodeJob };

/** How it is asked: the bytes of the frame follow by a pipe, which takes less copying than a message. */
export type SentRequest = { request: RenderRequest; frameBytes: number };

/** What was asked for. A broken process has to be replaced before it is asked anything else. */
export type RenderResult =
  | { kind: 'picture'; file: Uint8Array; isBroken: boolean }
  | { kind: 'decoded'; frame: DecodedFrame; isBroken: boolean };

/** What a rendering process says: first that it is ready, then one reply to each request. */
export type RenderReply = { kind: 'ready' } | RenderResult | { kind: 'failure'; reason: string; isBroken: boolean };
