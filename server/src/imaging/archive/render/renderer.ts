import { t } from '@radwork/contract/core/translate';
import { createHash } from 'node:crypto';
import type { DicomJson } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import { pixelShape } from '@radwork/dicom/image-grid';
import { wholeSlideStorage } from '@radwork/dicom/slide';
import { firstColorOf } from '@radwork/dicom/supplemental-palette';
import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { returnBuffer, borrowBuffer } from '#core/resources/buffer-pool.ts';
import { createByteMemory, createMemory } from '#core/resources/least-recently-used.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { readBulk } from '#imaging/archive/retrieve/read-bulkdata.ts';
import { readMetadata } from '#imaging/archive/retrieve/read-metadata.ts';
import {
  isServedAsStored,
  largestFrame,
  bufferPiecesOf,
  readFrame,
  type StoredFrame,
  storedFrames,
  storedLengthOf,
} from '#imaging/archive/retrieve/served-frames.ts';
import { createTenantShares } from '#core/resources/tenant-shares.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import {
  appearanceOf,
  paletteOf,
  pixelFormatOf,
  type ReadBulk,
  supplementalPaletteOf,
} from '#imaging/archive/pixels/image-description.ts';
import { overPixelsOf } from '#imaging/archive/pixels/over-pixels.ts';
import { renderingRevision } from './rendering-revision.ts';
import { createDelayedWrites } from './delayed-writes.ts';
import { createPictureCache } from './rendered-image-cache.ts';
import { cacheFolderAndForm } from './cache-encryption.ts';
import {
  type Appearance,
  type DecodedFrame,
  NotRenderable,
  type PixelFormat,
  type RenderJob,
} from '#imaging/archive/pixels/pixel-format.ts';
import { createRefusals } from './failed-renderings.ts';
import { createRenderPool } from '#imaging/archive/render-process/render-pool.ts';
import { createRenderThreads } from '#imaging/archive/render-process/render-threads.ts';
import {
  isRenderedHere,
  isRenderedInThread,
  renderUncompressed,
} from '#imaging/archive/render-process/render-uncompressed.ts';
import type { RenderedOptions } from './rendered-options.ts';

export type Renderer = ReturnType<typeof createRenderer>;

const cacheBytes = 512 << 20;
/**
 * Bytes of rendered images in memory. Repeated requests, such as thumbnails of a worklist, then need no disk access.
 */
const memoryBytes = 64 << 20;

/** Number of frames in memory. A frame may have tens of megabytes, so it is read only when a decoder is nearly free. */
const framesInMemory = 4;
/** Number of frames in memory for one tenant, so that slow images of one tenant do not delay other tenants. */
const framesOfTenant = 2;
const queueOfTenant = 500;

/** Number of descriptions of images of slides in memory. */
const slidesRemembered = 64;

type ReadDescription = () => Promise<DicomJson>;

/** Milliseconds for which a process or thread in the background waits for more work. */
const backgroundIdleLimit = 10_000;

const inBackground = { size: 1, idleLimit: backgroundIdleLimit, lastIdleLimit: 0, isBackground: true };

/**
 * Renders frames as JPEG or PNG with a cache, and decodes frames. `isBackground`: renders one image at a time at the
 * lowest priority, and keeps none in memory.
 */
export const createRenderer = (
  { blobs, scopes, config }: Pick<Context, 'blobs' | 'scopes' | 'config'>,
  { isBackground = false } = {},
) => {
  const pool = createRenderPool(isBackground ? inBackground : {});
  const threads = createRenderThreads(isBackground ? inBackground : {});
  const { folder, form, removeOthers } = cacheFolderAndForm(config);
  const cache = createPictureCache(folder, cacheBytes, form);
  const writes = createDelayedWrites(cache);
  const remembered = createByteMemory(isBackground ? 0 : memoryBytes);
  const slides = createMemory<DicomJson>(slidesRemembered);
  const refusals = createRefusals();
  const beingMade = new Map<string, Promise<Buffer>>();
  const removing = removeOthers().catch(() => {});
  const shared = createTenantShares({ most: framesInMemory, share: framesOfTenant, queue: queueOfTenant });

  /**
   * Reads the description of an image. Remembers that of a slide without the places of its tiles. They may have 20 MB
   * and would be read again for each tile.
   */
  const describe = async (session: Session, instance: StoredInstance): Promise<DicomJson> => {
    if (instance.sopClassUid !== wholeSlideStorage) return readMetadata({ scopes }, session, instance);
    const key = `${session.tenantId} ${instance.id} ${instance.contentRevision}`;
    const known = slides.recall(key);
    if (known) return known;
    const { [tagOf('PerFrameFunctionalGroupsSequence')]: _, ...metadata } = await readMetadata(
      { scopes },
      session,
      instance,
    );
    slides.remember(key, metadata);
    return metadata;
  };

  /** Reads into a lent buffer, because new buffers would start the garbage collector every few frames. */
  const readStored = async (tenantId: number, { sha256 }: StoredInstance, { ranges }: StoredFrame): Promise<Buffer> => {
    const { pieces, end } = bufferPiecesOf(ranges, 0);
    const bytes = borrowBuffer(end);
    await blobs.readInto(tenantId, sha256, bytes, pieces);
    return bytes;
  };

  const compressedFrame = async (tenantId: number, instance: StoredInstance, number: number) => {
    const syntax = transferSyntaxOf(instance.transferSyntaxUid);
    const [frame] = storedFrames(instance, [number]);
    if (!syntax || !frame) throw new NotRenderable('inseparableFrames');
    // A frame above this size would be in memory twice, in this process and in the rendering process, and would exceed
    // the time limit.
    if (storedLengthOf(frame) > largestFrame) throw new NotRenderable('tooLarge');
    return {
      frame: isServedAsStored(instance, frame)
        ? await readStored(tenantId, instance, frame)
        : await readFrame(blobs, tenantId, instance, frame),
      codec: syntax.codec === 'deflate' ? ('none' as const) : syntax.codec,
    };
  };

  const jobFor = async (
    session: Session,
    instance: StoredInstance,
    frame: number,
    readDescription: ReadDescription,
  ): Promise<RenderJob> => {
    const { tenantId } = session;
    const [metadata, frameAsStored] = await Promise.all([
      readDescription(),
      compressedFrame(tenantId, instance, frame),
    ]);
    const format = pixelFormatOf(metadata);
    const bulk: ReadBulk = (uri) => readBulk(blobs, tenantId, instance, uri.slice(uri.indexOf('/bulkdata/') + 1));
    const palette = await paletteOf(metadata, format, bulk);
    const shape = pixelShape(metadata, frame);
    const supplementalPalette = await supplementalPaletteOf(metadata, format, bulk);
    const over = await overPixelsOf(metadata, frame - 1, frameAsStored.codec, bulk);
    const appearance = await appearanceOf(metadata, frame - 1, format, bulk);
    return {
      ...frameAsStored,
      format,
      appearance: supplementalPalette ? { ...appearance, firstColor: firstColorOf(supplementalPalette) } : appearance,
      ...(palette && { palette }),
      ...(shape.wide !== shape.tall && { shape }),
      ...(supplementalPalette && { supplementalPalette }),
      ...(over && { over }),
    };
  };

  /**
   * Renders in a thread when one is ready. Until then, renders small images at once and other images in a process, which
   * has started earlier. The work in the background may wait for its thread.
   */
  const fileOf = (tenantId: number, job: RenderJob, options: RenderedOptions): Promise<Buffer> => {
    if (isRenderedInThread(job)) {
      threads.prepare();
      if (isBackground || threads.isReady()) return threads.render(job, options);
    }
    return isRenderedHere(job, options) ? renderUncompressed(job, options) : pool.render(tenantId, job, options);
  };

  const make = async (
    session: Session,
    instance: StoredInstance,
    frame: number,
    options: RenderedOptions,
    readDescription: ReadDescription,
  ): Promise<Buffer> => {
    const { appearance, ...described } = await jobFor(session, instance, frame, readDescription);
    const job = { ...described, appearance: withRequested(appearance, options) };
    const picture = await fileOf(session.tenantId, job, options);
    returnBuffer(job.frame);
    return picture;
  };

  return {
    /**
     * Renders one frame (from 1). `readDescription` reads the metadata, by default from the archive. Throws a Problem,
     * 422, for an image that cannot be rendered.
     */
    picture: async (
      session: Session,
      instance: StoredInstance,
      frame: number,
      options: RenderedOptions,
      readDescription: ReadDescription = () => describe(session, instance),
    ): Promise<Buffer> => {
      const parts = JSON.stringify([renderingRevision, instance.sha256, instance.contentRevision, frame, options]);
      const key = createHash('sha256').update(parts).digest('hex');
      const inTenant = `${session.tenantId} ${key}`;
      const cached = remembered.recall(inTenant) ?? (await cache.find(session.tenantId, key));
      if (cached) {
        remembered.remember(inTenant, cached);
        return cached;
      }

      const making =
        beingMade.get(inTenant) ??
        shared(
          session.tenantId,
          () =>
            refusals.remembered(
              session.tenantId,
              `${versionOf(instance)} ${frame} ${JSON.stringify(options.region)}`,
              () => make(session, instance, frame, options, readDescription),
            ),
          tooBusy,
        );
      beingMade.set(inTenant, making);
      try {
        const picture = await making;
        remembered.remember(inTenant, picture);
        writes.add({ tenantId: session.tenantId, key, picture });
        return picture;
      } catch (error) {
        if (!(error instanceof NotRenderable)) throw error;
        const { reason } = error;
        throw new Problem(422, 'image.not_renderable', t`The image cannot be shown. ${reason}`);
      } finally {
        beingMade.delete(inTenant);
      }
    },

    /** Returns the pixel format of an image. Throws NotRenderable when the file lacks it. */
    formatOf: async (session: Session, instance: StoredInstance): Promise<PixelFormat> =>
      pixelFormatOf(await describe(session, instance)),

    /** Decodes one frame (from 1). Throws NotRenderable when it cannot be decoded. */
    decoded: (tenantId: number, instance: StoredInstance, frame: number, format: PixelFormat): Promise<DecodedFrame> =>
      shared(
        tenantId,
        async () => {
          const compressed = await compressedFrame(tenantId, instance, frame);
          const decoded = await refusals.remembered(tenantId, `${versionOf(instance)} ${frame}`, () =>
            pool.decode(tenantId, { ...compressed, format }),
          );
          returnBuffer(compressed.frame);
          return decoded;
        },
        tooBusy,
      ),

    /** Starts a process before the first image is requested. */
    prepare: pool.prepare,

    close: async (): Promise<void> => {
      threads.close();
      pool.close();
      await Promise.all([writes.close(), removing]);
    },
  };
};

/** Identifies bytes and facts of an instance: another header may find other frames in the same bytes. */
const versionOf = ({ sha256, contentRevision }: StoredInstance): string => `${sha256} ${contentRevision}`;

const withRequested = ({ window: own, ...appearance }: Appearance, { window, seen }: RenderedOptions): Appearance => {
  const chosenWindow = window ?? (seen?.isThroughTable ? undefined : own);
  return { ...appearance, ...(chosenWindow && { window: chosenWindow }) };
};

const tooBusy = () =>
  new Problem(503, 'rendering.busy', t`Too many images at once. Try again in a few seconds.`, { retryAfterSeconds: 2 });
