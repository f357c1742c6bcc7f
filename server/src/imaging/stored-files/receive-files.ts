import { t } from '@radwork/contract/core/translate';
import {
  baseName,
  claimedKind,
  type FileExtension,
  maxFilesPerUpload,
  refusalOfFile,
  largestStoredFile,
  tooLarge,
  tooManyFiles,
} from '@radwork/contract/imaging/stored-files';
import { isDiskFull, isNearlyFull } from '#imaging/archive/store/free-space.ts';
import { type IncomingBlob, TooLarge } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import type { SentFile } from '#core/uploads/form-data.ts';
import { NotScanned, scan, type Scanner } from '#core/uploads/malware-scan.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { checkContent } from './content-check.ts';

/** A received file whose content was checked. Its bytes are not in the store yet. */
export type NewFile = {
  filename: string;
  contentType: string;
  frames: number | null;
  blob: IncomingBlob;
  sha256: string;
};

type UploadContext = Pick<Context, 'blobs' | 'config'>;

export const noSpace = () => new Problem(507, 'store.full', t`The server is out of storage space. Nothing was stored.`);

/**
 * Receives the files of one call. Checks every file even after a refusal, so that the user learns all reasons at once.
 * The call stores all of its files or none.
 */
export const receiveFiles = (
  { blobs, config }: UploadContext,
  { tenantId }: Session,
  accept: readonly FileExtension[],
) => {
  const files: NewFile[] = [];
  const refusals: Record<string, string> = {};
  let count = 0;

  const receive = async (body: AsyncIterable<Buffer>): Promise<IncomingBlob | string> => {
    if (await isNearlyFull({ blobs, config })) throw noSpace();
    try {
      return await blobs.receive(body, largestStoredFile, tenantId);
    } catch (error) {
      if (error instanceof TooLarge) return tooLarge();
      throw isDiskFull(error) ? noSpace() : error;
    }
  };

  const judge = async (filename: string, blob: IncomingBlob): Promise<string | undefined> => {
    const claimed = claimedKind(filename, accept);
    const reason = refusalOfFile({ name: filename, size: blob.size }, accept);
    if (reason !== undefined || !claimed) return reason;
    const content = await checkContent(claimed, blob, tenantId);
    if ('reason' in content) return content.reason;
    const infection = config.scanner && (await refusalOfScanner(config.scanner, blob));
    if (infection !== undefined) return infection;
    await blob.sync();
    await blob.close();
    files.push({ filename, ...content, blob, sha256: await blob.sha256 });
    return undefined;
  };

  const take = async ({ name, body }: SentFile): Promise<string | undefined> => {
    const filename = baseName(name);
    // Size 1 stands for the real size, which is known only after the upload.
    const atOnce = refusalOfFile({ name: filename, size: 1 }, accept);
    if (atOnce !== undefined) return atOnce;
    const received = await receive(body);
    if (typeof received === 'string') return received;
    const reason = await judge(filename, received).catch(async (error: unknown) => {
      await received.discard();
      throw isDiskFull(error) ? noSpace() : error;
    });
    if (reason !== undefined) await received.discard();
    return reason;
  };

  return {
    files,
    take: async (file: SentFile): Promise<void> => {
      // For an empty file input, browsers send a file without a name.
      if (file.name === '') return;
      if (count >= maxFilesPerUpload) throw invalid({ files: tooManyFiles() });
      const reason = await take(file);
      const filename = readable(file.name);
      if (reason !== undefined) refusals[`files.${count}`] = t`${filename}: ${reason}`;
      count += 1;
    },
    /** Throws 422 with the reason for each refused file. */
    refuseOrGoOn: (): void => {
      const reasons = Object.values(refusals);
      if (reasons.length === 0) return;
      const [total, [reason = '']] = [reasons.length, reasons];
      const message =
        total === 1
          ? t`${reason}. Nothing was stored.`
          : t`${total} files were rejected. ${reason}. Nothing was stored.`;
      throw new Problem(422, 'file.refused', message, { fields: refusals });
    },
    /** Discards all bytes that were not stored. */
    discard: async (): Promise<void> => {
      await Promise.all(files.map(({ blob }) => blob.discard()));
    },
  };
};

/** Returns what the scanner found, or undefined. Throws NotScanned when the scanner is not available. */
const refusalOfScanner = async (scanner: Scanner, blob: IncomingBlob): Promise<string | undefined> => {
  try {
    return (await scan(scanner, blob)) && t`The virus scanner found a threat`;
  } catch (error) {
    if (error instanceof NotScanned && error.status === 413) return error.message.replace(/\.$/, '');
    throw error;
  }
};

/** Returns the name in a form that fits into one line. */
const readable = (name: string): string =>
  baseName(name)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .slice(0, 200)
    .toWellFormed();
