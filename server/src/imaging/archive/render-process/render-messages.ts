import type { DecodedFrame, DecodeJob, RenderFault, RenderJob } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from '#imaging/archive/render/rendered-options.ts';

export type RenderRequest =
  | { kind: 'render'; job: RenderJob; options: RenderedOptions }
  | { kind: 'decode'; job: DecodeJob };

/**
 * A request as it is sent. The bytes of the frame follow through a pipe, which copies them fewer times than a message.
 */
export type SentRequest = { request: RenderRequest; frameBytes: number };

/** The result. `isBroken`: the process must be replaced before the next request. */
export type RenderResult =
  | { kind: 'picture'; file: Uint8Array; isBroken: boolean }
  | { kind: 'decoded'; frame: DecodedFrame; isBroken: boolean };

/** Messages of a rendering process: one when it is ready, then a reply to each request. */
export type RenderReply = { kind: 'ready' } | RenderResult | { kind: 'failure'; fault: RenderFault; isBroken: boolean };

/** A frame for a rendering thread. The thread owns the memory of `frame` until it replies. */
export type ThreadRequest = { job: RenderJob; options: RenderedOptions };

/** Messages of a rendering thread: one when it is ready, then a reply to each request. `frame` gives memory back. */
export type ThreadReply =
  | { kind: 'ready' }
  | { kind: 'picture'; file: Uint8Array; frame: ArrayBufferLike }
  | { kind: 'failure'; fault: RenderFault; frame: ArrayBufferLike };
