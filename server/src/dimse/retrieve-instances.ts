import type { Elements } from '@radwork/dicom/part10';
import type { UploadedFile } from '#archive/store.ts';
import { type RemoteInstance, RemoteError } from '#features/remote-archives/source.ts';
import type { Arrivals } from './arrivals.ts';
import { getInstances, type Getting } from './get-scu.ts';
import { identifierSyntaxes } from './identifier.ts';
import { gatherEnds, isOfObjects, moveInstances } from './move-scu.ts';
import { contextOf, inAssociation, type Locate, openAssociation, type Opened, placeOf } from './open-association.ts';
import type { Peer } from './peer.ts';
import { statusInWords } from './remote-words.ts';
import { oneByOne, requestsFor, type RetrieveRequest, singleOf } from './retrieve-requests.ts';
import { storageContexts } from './storage-contexts.ts';
import { studyRoot } from './uids.ts';

export type Retrieval = {
  peer: Peer;
  locate: Locate;
  mostInstanceBytes: number;
  arrivals: Arrivals | undefined;
  signal: AbortSignal;
};

/** What is wanted of a study, and of what classes it is, where that is known. */
export type Aim = {
  studyInstanceUID: string;
  wanted: readonly RemoteInstance[];
  listed: readonly RemoteInstance[];
  sopClassUIDs: readonly string[];
};

/** What of an aim is still to be asked for, and whether the archive has begun to send anything at all. */
type State = { left: Set<string>; hasBegun: boolean };

/**
 * Retrieves what is wanted by C-GET, or where the archive does not offer that, or not to us, by C-MOVE. What fails is
 * left out and the rest still fetched; the first failure is thrown at the end. Whoever stops reading in between breaks
 * the association off.
 */
export async function* retrieveInstances(retrieval: Retrieval, aim: Aim): AsyncGenerator<UploadedFile> {
  const state: State = { left: new Set(aim.wanted.map(({ sopInstanceUID }) => sopInstanceUID)), hasBegun: false };
  const first = yield* get(retrieval, aim, state);
  if (!first.isOffered || (isRefused(first, state) && (await mayMove(retrieval))))
    return yield* moveAll(retrieval, requestsFor(aim.studyInstanceUID, aim.wanted, aim.listed));
  let { brokenOff } = first;
  // Some archives look for no better context of a class than the first one: what they could not send in that one they
  // are asked for in each of the others alone.
  for (const transferSyntax of first.agreed) {
    if (state.left.size === 0) break;
    const again = yield* get(retrieval, aim, state, [[transferSyntax]]);
    brokenOff ??= again.brokenOff;
  }
  if (brokenOff) throw brokenOff;
  if (state.left.size > 0 && first.status !== undefined) throw statusInWords(placeOf(retrieval.peer), first.status);
}

type Got = {
  isOffered: boolean;
  agreed: string[];
  /** The first status with which the archive said that it could not send everything. */
  status: number | undefined;
  /** How an association ended before everything was sent. What it broke off at is not asked for any more. */
  brokenOff: RemoteError | undefined;
};

/** Some archives agree on C-GET with everybody, and answer or break off when somebody asks who may not. */
const isRefused = ({ status = 0, brokenOff }: Got, { hasBegun }: State): boolean =>
  !hasBegun && (brokenOff !== undefined || !(status === 0 || isOfObjects(status)));

/** An object at which an archive breaks off says little of the next; so many, one after another, are the archive's end. */
const mostBrokenOffInRow = 20;

/**
 * Asks in these encodings for what is left. An archive may break the association off at an object that it cannot read to
 * its end, and would do so each time: in another association the others are asked for one by one.
 */
async function* get(
  { peer, locate, mostInstanceBytes, signal }: Retrieval,
  { studyInstanceUID, wanted, listed, sopClassUIDs }: Aim,
  state: State,
  encodings?: readonly (readonly string[])[],
): AsyncGenerator<UploadedFile, Got> {
  const { left } = state;
  const open = () => openAssociation(peer, locate, storageContexts(sopClassUIDs, encodings), signal);
  const missing = wanted.filter(({ sopInstanceUID }) => left.has(sopInstanceUID));
  const waiting = requestsFor(studyInstanceUID, missing, listed).toReversed();
  const onObject = () => {
    state.hasBegun = true;
  };
  const getting = { place: placeOf(peer), wanted: left, mostInstanceBytes, onObject };
  let opened = await open();
  const syntaxes = Array.from(opened.association.contexts.values(), ({ transferSyntax }) => transferSyntax);
  const isOffered = contextOf(opened.association, studyRoot.get) !== undefined;
  const got: Got = { isOffered, agreed: [...new Set(syntaxes)], status: undefined, brokenOff: undefined };
  let brokenOffInRow = 0;
  try {
    for (let request = isOffered ? waiting.pop() : undefined; request; request = waiting.pop()) {
      try {
        const status = yield* getInWords(opened, request.keys, getting);
        got.status ??= status;
        brokenOffInRow = 0;
      } catch (error) {
        const isBrokenOff = error instanceof RemoteError && error.remoteCause === 'OTHER';
        if (!isBrokenOff || signal.aborted) throw error;
        got.brokenOff ??= error;
        const single = singleOf(request);
        if (single === undefined) waiting.push(...oneByOne(request, left).toReversed());
        else {
          left.delete(single);
          brokenOffInRow += 1;
        }
        if (brokenOffInRow === mostBrokenOffInRow) left.clear();
        opened.breakOff();
        if (left.size === 0) return got;
        opened = await open();
      }
    }
    await opened.close();
    return got;
  } finally {
    opened.breakOff();
  }
}

async function* getInWords(
  opened: Opened,
  keys: Elements,
  getting: Omit<Getting, 'context'>,
): AsyncGenerator<UploadedFile, number | undefined> {
  const context = contextOf(opened.association, studyRoot.get);
  if (!context) throw new RemoteError('WRONG_SERVICE', `${getting.place} does not offer C-GET any more.`);
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

/** Whoever stores a file reads its bytes, and should hear in words why they end. */
async function* inWords(body: AsyncIterable<Buffer>, opened: Opened): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw opened.inWords(error);
  }
}

/** Our title may be another tenant's: what they sent would be stored there. */
const mayMove = async ({ arrivals, peer }: Retrieval): Promise<boolean> =>
  arrivals !== undefined && (await arrivals.isLetIn(peer));

/** The archive sends to our gateway, which stores as it does for every device; what is there then is handed on. */
async function* moveAll(
  { peer, locate, arrivals, signal }: Retrieval,
  requests: readonly RetrieveRequest[],
): AsyncGenerator<UploadedFile> {
  const place = placeOf(peer);
  if (!arrivals) {
    throw new RemoteError(
      'WRONG_SERVICE',
      `${place} does not offer C-GET, and cannot send to us by C-MOVE: this server does not listen for DIMSE (setting DIMSE_PORT).`,
    );
  }
  if (!(await arrivals.isLetIn(peer))) throw notLetIn(peer);
  const asked = { contexts: [{ abstractSyntax: studyRoot.move, transferSyntaxes: identifierSyntaxes }] };
  const destination = peer.callingAeTitle;
  const ends = gatherEnds(place, destination);
  for (const { keys, sopInstanceUIDs } of requests) {
    const status = await inAssociation(peer, locate, asked, signal, async (association) => {
      const context = contextOf(association, studyRoot.move);
      if (!context) throw new RemoteError('WRONG_SERVICE', `${place} offers neither C-GET nor C-MOVE (Study Root).`);
      return moveInstances(association, keys, { context, place, destination });
    });
    yield* arrivals.stored(sopInstanceUIDs);
    if (!ends.goesOn(status)) break;
  }
  const failure = ends.failure();
  if (failure) throw failure;
}

const notLetIn = (peer: Peer) =>
  new RemoteError(
    'FORBIDDEN',
    `${placeOf(peer)} does not offer C-GET, and may not send to us by C-MOVE. Have an administrator add it under DICOM devices as one that may send images: its AE title is ${peer.calledAeTitle}, the one that it calls is ${peer.callingAeTitle}. Where that is taken, choose another one and put it at the end of the archive's address (/TITLE).`,
  );
