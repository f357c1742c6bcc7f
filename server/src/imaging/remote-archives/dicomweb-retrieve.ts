import { t } from '@radwork/contract/core/translate';
import { boundaryOf, MultipartError, readMultipart } from '@radwork/dicom/multipart';
import type { UploadedFile } from '#imaging/archive/store/store-instances.ts';
import type { OutgoingAnswer } from '#core/outgoing/open-outgoing.ts';
import { type ArchiveClient, wrongService } from './archive-client.ts';
import { RemoteError, type RemoteInstance, StatusError } from './remote-source.ts';

/** Without "transfer-syntax=*", archives transcode the files (PS3.18 §8.7.3.5.2). */
const anyTransferSyntax = 'multipart/related; type="application/dicom"; transfer-syntax=*';

type Limits = {
  /** Number of files that one answer may contain. */
  mostFiles: number;
  /** Bytes of the largest accepted file. */
  mostInstanceBytes: number;
};

type Options = Omit<Limits, 'mostFiles'> & {
  /** Number of instances by series. Series of unknown size are missing. */
  sizes: ReadonlyMap<string, number>;
  signal: AbortSignal;
};

/** Causes after which every further request would fail too. */
const final: ReadonlySet<string> = new Set([
  'REFUSED_BY_POLICY',
  'DNS',
  'CONNECTION_REFUSED',
  'TIMEOUT',
  'TLS',
  'UNAUTHORIZED',
]);
/** The archive counts as unavailable after this number of failures in a row. */
const mostFailuresInRow = 3;
/**
 * The archive counts as unavailable after this number of lost or unreadable instances in a row. A few such instances
 * are normal, so this number is higher than that of other failures.
 */
const mostLostInRow = 50;
const lost: ReadonlySet<number> = new Set([404, 410, 500]);
/** Statuses of an overloaded archive. More requests would not help. */
const busy: ReadonlySet<number> = new Set([408, 429, 503]);

const isOneOf = (error: RemoteError, statuses: ReadonlySet<number>): boolean =>
  error instanceof StatusError && statuses.has(error.status);

/**
 * Fetches instances over WADO-RS (PS3.18 §10.4), in the order of their UIDs. If all of a series is wanted and the
 * archive supports this, requests the whole series, otherwise single instances. Skips failures and fetches the rest if
 * possible. Throws the first failure at the end.
 */
export async function* retrieveInstances(
  client: ArchiveClient,
  studyInstanceUID: string,
  requested: readonly RemoteInstance[],
  options: Options,
): AsyncGenerator<UploadedFile> {
  const study = `${client.wado}/studies/${studyInstanceUID}`;
  let first: RemoteError | undefined;
  let failuresInRow = 0;
  let lostInRow = 0;
  const waiting = requestsFor(requested, options.sizes).toReversed();
  for (let request = waiting.pop(); request; request = waiting.pop()) {
    const { path, files, oneByOne } = request;
    let delivered = 0;
    const onWhole = () => {
      delivered += 1;
    };
    const limits = { ...options, mostFiles: 2 * files + unlistedFiles };
    try {
      yield* retrieveOne(client, `${study}${path}`, limits, onWhole);
      failuresInRow = 0;
      lostInRow = 0;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (oneByOne.length === 0 && isOneOf(error, lost)) lostInRow += 1;
      else failuresInRow += 1;
      const isHopeless = failuresInRow >= mostFailuresInRow || lostInRow >= mostLostInRow;
      if (final.has(error.remoteCause) || isHopeless) throw first ?? error;
      // One damaged file can block a whole series. Single requests may still return the other files.
      const isInstead = delivered === 0 && oneByOne.length > 0 && !isOneOf(error, busy);
      if (!isInstead) first ??= error;
      else for (const one of oneByOne.toReversed()) waiting.push(one);
    }
  }
  if (first) throw first;
}

/** Number of accepted files that were not listed. Files may be added after the listing, but an answer must end. */
const unlistedFiles = 100;

/** `oneByOne`: requests for single instances that can replace the request for a series. */
type Request = { path: string; files: number; oneByOne: Request[] };

const requestsFor = (requested: readonly RemoteInstance[], sizes: Options['sizes']): Request[] => {
  const bySeries = Map.groupBy(requested, ({ seriesInstanceUID }) => seriesInstanceUID);
  const inOrder = [...bySeries].toSorted(([one], [other]) => compareText(one, other));
  return inOrder.flatMap(([series, instances]) => {
    const uids = instances.map(({ sopInstanceUID }) => sopInstanceUID).toSorted(compareText);
    const oneByOne = uids.map((uid) => ({ path: `/series/${series}/instances/${uid}`, files: 1, oneByOne: [] }));
    const isWhole = instances.length > 1 && instances.length >= (sizes.get(series) ?? 0);
    return isWhole ? [{ path: `/series/${series}`, files: instances.length, oneByOne }] : oneByOne;
  });
};

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function* retrieveOne(
  client: ArchiveClient,
  url: string,
  { signal, ...limits }: Limits & Pick<Options, 'signal'>,
  onWhole: () => void,
): AsyncGenerator<UploadedFile> {
  const answer = await client.get(url, { accept: anyTransferSyntax, signal, mostBytes: Infinity });
  try {
    for await (const { name, body } of filesOf(answer, url.slice(url.lastIndexOf('/') + 1), limits)) {
      yield { name, body: inWords(body, onWhole) };
    }
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
    // Without a stated length, a truncated file would look complete.
    if (!headers['content-length'] && !headers['transfer-encoding'])
      throw wrongService(t`The answer does not state the file length`);
    yield { name, body: allowance.bytes };
    return;
  }
  let count = 0;
  for await (const part of readMultipart(allowance.bytes, boundaryOf(type), { parts: mostFiles })) {
    allowance.renew();
    count += 1;
    if (isDicom(part.headers.get('content-type'))) yield { name: `${name} (${count})`, body: part.body };
  }
}

/** DICOM was requested, so a part without a content type counts as DICOM. */
const isDicom = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/dicom\s*(;|$)/i.test(contentType);

/** Upper bound for headers and boundaries of a part. */
const aroundPart = 64 << 10;

/** Throws when more bytes than one part can have arrive before the next part, so that an endless answer fails. */
const createAllowance = (body: AsyncIterable<Buffer>, mostInstanceBytes: number) => {
  let remaining = mostInstanceBytes + aroundPart;
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      remaining -= chunk.length;
      if (remaining < 0)
        throw new RemoteError('OTHER', t`The archive sent a file that is larger than this server accepts.`);
      yield chunk;
    }
  }
  return {
    bytes: bytes(),
    renew: () => {
      remaining = mostInstanceBytes + aroundPart;
    },
  };
};

/** Converts errors while reading a file to messages for users. `onWhole` is called after the last byte. */
async function* inWords(body: AsyncIterable<Buffer>, onWhole: () => void): AsyncGenerator<Buffer> {
  try {
    yield* body;
    onWhole();
  } catch (error) {
    throw inOurWords(error);
  }
}

const inOurWords = (error: unknown): unknown => {
  if (!(error instanceof MultipartError)) return error;
  if (error.code === 'TOO_MANY_PARTS') return new RemoteError('OTHER', t`The archive sent more files than it listed.`);
  return error.code === 'TRUNCATED'
    ? new RemoteError('OTHER', t`The archive ended its answer in the middle of a file.`)
    : wrongService(t`The answer is not multipart/related`);
};
