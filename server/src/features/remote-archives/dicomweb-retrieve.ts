import { boundaryOf, MultipartError, readMultipart } from '@radwork/dicom/multipart';
import type { UploadedFile } from '#archive/store.ts';
import type { OutgoingAnswer } from '#core/outgoing/outgoing.ts';
import { type ArchiveClient, wrongService } from './archive-client.ts';
import { RemoteError, type RemoteInstance } from './source.ts';

/** Without "transfer-syntax=*" archives transcode what they send (PS3.18 §8.7.3.5.2). */
const anyTransferSyntax = 'multipart/related; type="application/dicom"; transfer-syntax=*';

type Limits = {
  /** Files that one answer may hold. */
  mostFiles: number;
  /** Bytes of the largest file that is taken. */
  mostInstanceBytes: number;
};

type Options = Omit<Limits, 'mostFiles'> & {
  /** How many instances each series of the study is said to have; null or absent where that is not known. */
  counts: ReadonlyMap<string, number | null>;
  signal: AbortSignal;
};

/** Where it makes no sense to ask for the next one: whatever is asked, the answer will be the same. */
const final: ReadonlySet<string> = new Set([
  'REFUSED_BY_POLICY',
  'DNS',
  'CONNECTION_REFUSED',
  'TIMEOUT',
  'TLS',
  'UNAUTHORIZED',
]);
/** So many failures, one after another, are one failure of the archive. */
const mostFailuresInRow = 3;

/**
 * Fetches instances over WADO-RS (PS3.18 §10.4): a whole series at once where all of it is wanted, else one by one,
 * and in the order of their UIDs. What fails is left out and the rest still fetched, as far as there is hope; the
 * first failure is thrown at the end.
 */
export async function* retrieveInstances(
  client: ArchiveClient,
  studyInstanceUID: string,
  wanted: readonly RemoteInstance[],
  options: Options,
): AsyncGenerator<UploadedFile> {
  const study = `${client.wado}/studies/${studyInstanceUID}`;
  let first: RemoteError | undefined;
  let failuresInRow = 0;
  for (const { path, files } of requestsFor(wanted, options.counts)) {
    try {
      yield* retrieveOne(client, `${study}${path}`, { ...options, mostFiles: 2 * files + unlistedFiles });
      failuresInRow = 0;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      first ??= error;
      failuresInRow += 1;
      if (final.has(error.remoteCause) || failuresInRow >= mostFailuresInRow) throw first;
    }
  }
  if (first) throw first;
}

/** What came to the archive since it listed its files is welcome; an answer that goes on and on is not. */
const unlistedFiles = 100;

type Request = { path: string; files: number };

const requestsFor = (wanted: readonly RemoteInstance[], counts: Options['counts']): Request[] => {
  const bySeries = Map.groupBy(wanted, ({ seriesInstanceUID }) => seriesInstanceUID);
  const inOrder = [...bySeries].toSorted(([one], [other]) => compareText(one, other));
  return inOrder.flatMap(([series, instances]) => {
    const isWhole = instances.length > 1 && instances.length >= (counts.get(series) ?? 0);
    if (isWhole) return [{ path: `/series/${series}`, files: instances.length }];
    const uids = instances.map(({ sopInstanceUID }) => sopInstanceUID).toSorted(compareText);
    return uids.map((uid) => ({ path: `/series/${series}/instances/${uid}`, files: 1 }));
  });
};

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function* retrieveOne(
  client: ArchiveClient,
  url: string,
  { signal, ...limits }: Limits & Pick<Options, 'signal'>,
): AsyncGenerator<UploadedFile> {
  const answer = await client.get(url, { accept: anyTransferSyntax, signal, mostBytes: Infinity });
  try {
    yield* filesOf(answer, url.slice(url.lastIndexOf('/') + 1), limits);
  } catch (error) {
    throw inOurWords(error);
  } finally {
    answer.discard();
  }
}

async function* filesOf(
  { status, headers, body }: OutgoingAnswer,
  name: string,
  { mostFiles, mostInstanceBytes }: Limits,
): AsyncGenerator<UploadedFile> {
  if (status === 204) return;
  const allowance = createAllowance(body, mostInstanceBytes);
  const type = headers['content-type'] ?? '';
  if (/^application\/dicom\s*(;|$)/i.test(type)) {
    // Without a length, a file that was cut short would look like a whole one.
    if (!headers['content-length'] && !headers['transfer-encoding'])
      throw wrongService('it does not say how long a file is');
    yield { name, body: inWords(allowance.bytes) };
    return;
  }
  let count = 0;
  for await (const part of readMultipart(allowance.bytes, boundaryOf(type), { parts: mostFiles })) {
    allowance.renew();
    count += 1;
    if (isDicom(part.headers.get('content-type'))) yield { name: `${name} (${count})`, body: inWords(part.body) };
  }
}

/** A part that does not say what it is was asked for as DICOM. */
const isDicom = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/dicom\s*(;|$)/i.test(contentType);

/** Headers and boundaries of a part, generously. */
const aroundPart = 64 << 10;

/** Bytes that may come before the next part begins, so that an answer without an end has one. */
const createAllowance = (body: AsyncIterable<Buffer>, mostInstanceBytes: number) => {
  let left = mostInstanceBytes + aroundPart;
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      left -= chunk.length;
      if (left < 0) throw new RemoteError('OTHER', 'The archive sent a file that is larger than this server accepts.');
      yield chunk;
    }
  }
  return {
    bytes: bytes(),
    renew: () => {
      left = mostInstanceBytes + aroundPart;
    },
  };
};

/** Whoever stores a file reads its bytes and should hear in words why they end. */
async function* inWords(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw inOurWords(error);
  }
}

const inOurWords = (error: unknown): unknown => {
  if (!(error instanceof MultipartError)) return error;
  if (error.code === 'TOO_MANY_PARTS') return new RemoteError('OTHER', 'The archive sends more files than it lists.');
  return error.code === 'TRUNCATED'
    ? new RemoteError('OTHER', 'The archive broke its answer off in the middle of a file.')
    : wrongService('it does not answer with files in parts (multipart/related)');
};
