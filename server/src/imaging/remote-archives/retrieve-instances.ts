import { t } from '@radwork/contract/core/translate';
import type { Elements } from '@radwork/dicom/part10';
import type { UploadedFile } from '#imaging/archive/store/store-instances.ts';
import { type RemoteInstance, RemoteError } from './remote-source.ts';
import type { ArrivedInstances } from '#imaging/dimse/arrived-instances.ts';
import { getInstances, type Getting } from '#imaging/dimse/get-scu.ts';
import { identifierSyntaxes } from '#imaging/dimse/identifier.ts';
import { gatherEnds, isOfObjects, moveInstances } from '#imaging/dimse/move-scu.ts';
import {
  contextOf,
  inAssociation,
  type Locate,
  openAssociation,
  type OpenedAssociation,
  remoteNameOf,
} from '#imaging/dimse/open-association.ts';
import type { RemoteAddress } from '#imaging/dimse/remote-address.ts';
import { statusError } from '#imaging/dimse/remote-failure.ts';
import { oneByOne, requestsFor, type RetrieveRequest, singleOf } from './retrieve-requests.ts';
import { storageContexts } from '#imaging/dimse/storage-contexts.ts';
import { studyRoot } from '#imaging/dimse/sop-classes.ts';

export type Retrieval = {
  peer: RemoteAddress;
  locate: Locate;
  mostInstanceBytes: number;
  arrivals: ArrivedInstances | undefined;
  signal: AbortSignal;
};

/** The wanted instances of a study, and their SOP classes if known. */
export type WantedInstances = {
  studyInstanceUID: string;
  requested: readonly RemoteInstance[];
  listed: readonly RemoteInstance[];
  sopClassUIDs: readonly string[];
};

/** The instances that remain to be requested, and whether the archive has sent any instance yet. */
type State = { remaining: Set<string>; hasBegun: boolean };

/**
 * Retrieves instances by C-GET. If the archive does not offer or allow C-GET, uses C-MOVE. Failed instances are
 * skipped. The first failure is thrown at the end. When the caller stops reading, the association is aborted.
 */
export async function* retrieveInstances(retrieval: Retrieval, aim: WantedInstances): AsyncGenerator<UploadedFile> {
  const state: State = {
    remaining: new Set(aim.requested.map(({ sopInstanceUID }) => sopInstanceUID)),
    hasBegun: false,
  };
  const first = yield* get(retrieval, aim, state);
  if (!first.isOffered || (isRefused(first, state) && (await mayMove(retrieval))))
    return yield* moveAll(retrieval, requestsFor(aim.studyInstanceUID, aim.requested, aim.listed));
  let { firstAbort } = first;
  // Some archives use only the first context of a class. Instances that such an archive could not send in this context
  // are requested again, once in each other encoding.
  for (const transferSyntax of first.agreed) {
    if (state.remaining.size === 0) break;
    const again = yield* get(retrieval, aim, state, [[transferSyntax]]);
    firstAbort ??= again.firstAbort;
  }
  if (firstAbort) throw firstAbort;
  if (state.remaining.size > 0 && first.status !== undefined)
    throw statusError(remoteNameOf(retrieval.peer), first.status);
}

type RetrievalResult = {
  isOffered: boolean;
  agreed: string[];
  /** The first status that reports missing instances. */
  status: number | undefined;
  /** The first abort of an association. The instance that caused it is not requested again. */
  firstAbort: RemoteError | undefined;
};

/**
 * Whether the archive refused C-GET as such. Some archives accept the C-GET context from every caller, but refuse or
 * abort when a caller without permission uses it.
 */
const isRefused = ({ status = 0, firstAbort }: RetrievalResult, { hasBegun }: State): boolean =>
  !hasBegun && (firstAbort !== undefined || !(status === 0 || isOfObjects(status)));

/** The retrieval ends after this number of aborts in a row. A single abort says little about the next instance. */
const mostBrokenOffInRow = 20;

/**
 * Requests the remaining instances in these encodings. An archive may abort at each damaged instance. After an abort,
 * the other instances are requested one by one, in a new association.
 */
async function* get(
  { peer, locate, mostInstanceBytes, signal }: Retrieval,
  { studyInstanceUID, requested, listed, sopClassUIDs }: WantedInstances,
  state: State,
  encodings?: readonly (readonly string[])[],
): AsyncGenerator<UploadedFile, RetrievalResult> {
  const { remaining } = state;
  const open = () => openAssociation(peer, locate, storageContexts(sopClassUIDs, encodings), signal);
  const missing = requested.filter(({ sopInstanceUID }) => remaining.has(sopInstanceUID));
  const waiting = requestsFor(studyInstanceUID, missing, listed).toReversed();
  const onObject = () => {
    state.hasBegun = true;
  };
  const getting = { remoteName: remoteNameOf(peer), requested: remaining, mostInstanceBytes, onObject };
  let opened = await open();
  const syntaxes = Array.from(opened.association.contexts.values(), ({ transferSyntax }) => transferSyntax);
  const isOffered = contextOf(opened.association, studyRoot.get) !== undefined;
  const result: RetrievalResult = {
    isOffered,
    agreed: [...new Set(syntaxes)],
    status: undefined,
    firstAbort: undefined,
  };
  let brokenOffInRow = 0;
  try {
    for (let request = isOffered ? waiting.pop() : undefined; request; request = waiting.pop()) {
      try {
        const status = yield* getInWords(opened, request.keys, getting);
        result.status ??= status;
        brokenOffInRow = 0;
      } catch (error) {
        const isBrokenOff = error instanceof RemoteError && error.remoteCause === 'OTHER';
        if (!isBrokenOff || signal.aborted) throw error;
        result.firstAbort ??= error;
        const single = singleOf(request);
        if (single === undefined) waiting.push(...oneByOne(request, remaining).toReversed());
        else {
          remaining.delete(single);
          brokenOffInRow += 1;
        }
        if (brokenOffInRow === mostBrokenOffInRow) remaining.clear();
        opened.breakOff();
        if (remaining.size === 0) return result;
        opened = await open();
      }
    }
    await opened.close();
    return result;
  } finally {
    opened.breakOff();
  }
}

async function* getInWords(
  opened: OpenedAssociation,
  keys: Elements,
  getting: Omit<Getting, 'context'>,
): AsyncGenerator<UploadedFile, number | undefined> {
  const context = contextOf(opened.association, studyRoot.get);
  if (!context) throw new RemoteError('WRONG_SERVICE', t`${getting.remoteName} no longer supports C-GET.`);
  const files = getInstances(opened.association, keys, { ...getting, context });
  try {
    for (;;) {
      const { done, value } = await files.next();
      if (done) return value;
      yield { name: value.name, body: inWords(value.body, opened) };
    }
  } catch (error) {
    throw opened.inWords(error);
  }
}

/** Converts errors while reading the bytes of a file, so that the code that stores it gets a clear message. */
async function* inWords(body: AsyncIterable<Buffer>, opened: OpenedAssociation): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw opened.inWords(error);
  }
}

/** Whether C-MOVE to our AE title stores the images in this tenant. The title may belong to another tenant. */
const mayMove = async ({ arrivals, peer }: Retrieval): Promise<boolean> =>
  arrivals !== undefined && (await arrivals.mayStoreHere(peer));

/**
 * Asks the archive to send the images to our gateway, which stores them like images from any device. Yields the
 * instances that have arrived.
 */
async function* moveAll(
  { peer, locate, arrivals, signal }: Retrieval,
  requests: readonly RetrieveRequest[],
): AsyncGenerator<UploadedFile> {
  const remoteName = remoteNameOf(peer);
  if (!arrivals) {
    throw new RemoteError(
      'WRONG_SERVICE',
      t`${remoteName} does not support C-GET, and C-MOVE needs the setting DIMSE_PORT on this server.`,
    );
  }
  if (!(await arrivals.mayStoreHere(peer))) throw notLetIn(peer);
  const proposal = { contexts: [{ abstractSyntax: studyRoot.move, transferSyntaxes: identifierSyntaxes }] };
  const destination = peer.callingAeTitle;
  const ends = gatherEnds(remoteName, destination);
  for (const { keys, sopInstanceUIDs } of requests) {
    const status = await inAssociation(peer, locate, proposal, signal, async (association) => {
      const context = contextOf(association, studyRoot.move);
      if (!context)
        throw new RemoteError('WRONG_SERVICE', t`${remoteName} supports neither C-GET nor C-MOVE (Study Root).`);
      return moveInstances(association, keys, { context, remoteName, destination });
    });
    yield* arrivals.stored(sopInstanceUIDs);
    if (!ends.canContinue(status)) break;
  }
  const failure = ends.failure();
  if (failure) throw failure;
}

const notLetIn = (peer: RemoteAddress) =>
  new RemoteError(
    'FORBIDDEN',
    t`${remoteNameOf(peer)} does not support C-GET and is not allowed to send by C-MOVE. Ask an administrator to create a DICOM device that may send images, with its AE title ${peer.calledAeTitle} and the called AE title ${peer.callingAeTitle}. If that title is in use, choose another and append it to the address of the archive (/TITLE).`,
  );
