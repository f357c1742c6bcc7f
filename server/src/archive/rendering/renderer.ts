import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DicomJson } from '@radwork/dicom/dataset';
import { decodeFrameIndex } from '@radwork/dicom/frame-index';
import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { createLimit } from '#archive/limit.ts';
import type { StoredInstance } from '#archive/objects.ts';
import { readBulk } from '#archive/read-bulk.ts';
import { readFrame } from '#archive/served-frames.ts';
import { gunzip } from '#archive/zip.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { encodePicture } from './encode-picture.ts';
import { appearanceOf, paletteOf, pixelFormatOf, type ReadBulk } from './image-description.ts';
import { createPictureCache } from './picture-cache.ts';
import { NotRenderable, type RenderJob } from './picture.ts';
import { createRenderPool } from './render-pool.ts';
import type { RenderedOptions } from './rendered-options.ts';

export type Renderer = ReturnType<typeof createRenderer>;

const cacheBytes = 512 << 20;

/** A frame may be tens of megabytes: one is read when a decoder is about to be free, and not before. */
const framesInMemory = 4;
const mostBeingMade = 500;

/** Makes pictures of frames, JPEG or PNG, and keeps them to be handed out again. */
export const createRenderer = ({ blobs, scopes, config }: Pick<Context, 'blobs' | 'scopes' | 'config'>) => {
  const pool = createRenderPool();
  const cache = createPictureCache(join(config.dataDir, 'cache', 'rendered'), cacheBytes);
  const beingMade = new Map<string, Promise<Buffer>>();
  const whileFewFrames = createLimit(framesInMemory);

  const metadataOf = async (session: Session, { id }: StoredInstance): Promise<DicomJson> => {
    const { metadata } = await scopes.inTenant(session, ({ db }) =>
      db.selectFrom('instances').select('metadata').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    return JSON.parse((await gunzip(metadata)).toString());
  };

  const jobFor = async (session: Session, instance: StoredInstance, frame: number): Promise<RenderJob> => {
    const { tenantId } = session;
    const syntax = transferSyntaxOf(instance.transferSyntaxUid);
    const ranges = instance.frameIndex && decodeFrameIndex(instance.frameIndex).frames[frame - 1];
    if (!syntax || !ranges) throw new NotRenderable('The frames of the image cannot be told apart.');
    const metadata = await metadataOf(session, instance);
    const format = pixelFormatOf(metadata);
    const bulk: ReadBulk = (uri) => readBulk(blobs, tenantId, instance, uri.slice(uri.indexOf('/bulkdata/') + 1));
    const palette = await paletteOf(metadata, format, bulk);
    return {
      frame: await readFrame(blobs, tenantId, instance, ranges),
      codec: syntax.codec === 'deflate' ? 'none' : syntax.codec,
      format,
      appearance: await appearanceOf(metadata, frame - 1, format, bulk),
      ...(palette && { palette }),
    };
  };

  const make = async (
    session: Session,
    instance: StoredInstance,
    frame: number,
    options: RenderedOptions,
  ): Promise<Buffer> => {
    const job = await jobFor(session, instance, frame);
    const { window } = options;
    const picture = await pool.render(window ? { ...job, appearance: { ...job.appearance, window } } : job);
    return encodePicture(picture, options);
  };

  return {
    /** A picture of one frame (from 1). Throws a Problem, 422, for an image that cannot be shown. */
    picture: async (
      session: Session,
      instance: StoredInstance,
      frame: number,
      options: RenderedOptions,
    ): Promise<Buffer> => {
      const parts = JSON.stringify([instance.sha256, frame, options]);
      const key = createHash('sha256').update(parts).digest('hex');
      const kept = await cache.find(session.tenantId, key);
      if (kept) return kept;

      const inTenant = `${session.tenantId} ${key}`;
      if (beingMade.size >= mostBeingMade) throw tooBusy();
      const making = beingMade.get(inTenant) ?? whileFewFrames(() => make(session, instance, frame, options));
      beingMade.set(inTenant, making);
      try {
        const picture = await making;
        // A picture that cannot be kept, on a full disk, is made again.
        await cache.put(session.tenantId, key, picture).catch(() => {});
        return picture;
      } catch (error) {
        if (!(error instanceof NotRenderable)) throw error;
        throw new Problem(422, 'image.not_renderable', `The image cannot be shown. ${error.message}`);
      } finally {
        beingMade.delete(inTenant);
      }
    },

    close: pool.close,
  };
};

const tooBusy = () => new Problem(503, 'rendering.busy', 'Too many pictures are being made', { retryAfterSeconds: 2 });
