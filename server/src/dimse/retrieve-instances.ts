import type { Elements } from '@radwork/dicom/part10';
import type { UploadedFile } from '#archive/store.ts';
import { type RemoteInstance, RemoteError } from '#features/remote-archives/source.ts';
import type { Arrivals } from './arrivals.ts';
import type { Context } from './association.ts';
import { getInstances, type Getting } from './get-scu.ts';
import { identifierSyntaxes } from './identifier.ts';
import { gatherEnds, moveInstances } from './move-scu.ts';
import { contextOf, inAssociation, type Locate, openAssociation, type Opened, placeOf } from './open-association.ts';
import type { Peer } from './peer.ts';
import { requestsFor, type RetrieveRequest } from './retrieve-requests.ts';
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

/**
 * Retrieves what is wanted by C-GET, or where the archive does not offer that, by C-MOVE. What fails is left out and
 * the rest still fetched; the first failure is thrown at the end. Whoever stops reading in between breaks the
 * association off.
 */
export async function* retrieveInstances(retrieval: Retrieval, aim: Aim): AsyncGenerator<UploadedFile> {
  const left = new Set(aim.wanted.map(({ sopInstanceUID }) => sopInstanceUID));
  const first = yield* get(retrieval, aim, left);
  if (!first.isOffered) return yield* moveAll(retrieval, requestsFor(aim.studyInstanceUID, aim.wanted, aim.listed));
  // Some archives look for no better context of a class than the first one: what they could not send in that one they
  // are asked for in each of the others alone.
  for (const transferSyntax of first.agreed) {
    if (left.size > 0) yield* get(retrieval, aim, left, [[transferSyntax]]);
  }
  if (left.size > 0 && first.failure) throw first.failure;
}

type Got = { isOffered: boolean; agreed: string[]; failure: RemoteError | undefined };

/** Asks in one association, in these encodings, for what is left. */
async function* get(
  { peer, locate, mostInstanceBytes, signal }: Retrieval,
  { studyInstanceUID, wanted, listed, sopClassUIDs }: Aim,
  left: Set<string>,
  encodings?: readonly (readonly string[])[],
): AsyncGenerator<UploadedFile, Got> {
  const opened = await openAssociation(peer, locate, storageContexts(sopClassUIDs, encodings), signal);
  try {
    const { contexts } = opened.association;
    const context = contextOf(opened.association, studyRoot.get);
    const failure = context && (yield* getAll(context));
    await opened.close();
    const syntaxes = Array.from(contexts.values(), ({ transferSyntax }) => transferSyntax);
    return { isOffered: context !== undefined, agreed: [...new Set(syntaxes)], failure };
  } finally {
    opened.breakOff();
  }

  async function* getAll(context: Context): AsyncGenerator<UploadedFile, RemoteError | undefined> {
    const getting = { context, place: placeOf(peer), wanted: left, mostInstanceBytes };
    const missing = wanted.filter(({ sopInstanceUID }) => left.has(sopInstanceUID));
    let failure: RemoteError | undefined;
    for (const { keys } of requestsFor(studyInstanceUID, missing, listed)) {
      const failed = yield* getInWords(opened, keys, getting);
      failure ??= failed;
    }
    return failure;
  }
}

async function* getInWords(
  opened: Opened,
  keys: Elements,
  getting: Getting,
): AsyncGenerator<UploadedFile, RemoteError | undefined> {
  const files = getInstances(opened.association, keys, getting);
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
  // Our title may be another tenant's: what they sent would be stored there.
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
