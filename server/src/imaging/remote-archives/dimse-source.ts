import { t } from '@radwork/contract/core/translate';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { isUid } from '@radwork/dicom/uid';
import { readInstance, readStudy } from './read-qido-json.ts';
import { dateKey, personNameKey } from './dicomweb-keys.ts';
import {
  type Entries,
  gatherEntries,
  instanceLevel,
  type Level,
  seriesLevel,
  toListing,
  joinEntries,
} from './remote-listing.ts';
import { type RemoteInstance, type RemoteKeys, RemoteError, type RemoteSource } from './remote-source.ts';
import type { ArrivedInstances } from '#imaging/dimse/arrived-instances.ts';
import type { Association } from '#imaging/dimse/association.ts';
import { commandField } from '#imaging/dimse/command-set.ts';
import { find, newMessageId } from '#imaging/dimse/find-scu.ts';
import { identifierSyntaxes } from '#imaging/dimse/identifier.ts';
import {
  contextOf,
  inAssociation,
  type Locate,
  remoteNameOf,
  type AssociationProposal,
} from '#imaging/dimse/open-association.ts';
import type { RemoteAddress } from '#imaging/dimse/remote-address.ts';
import { statusError } from '#imaging/dimse/remote-failure.ts';
import { retrieveInstances } from './retrieve-instances.ts';
import { isStorageClass, studyRoot, verification } from '#imaging/dimse/sop-classes.ts';

/** The query names one UID, but some archives return other studies too. */
const mostStudies = 100;
const mostSeries = 10_000;
const mostInstances = 100_000;
const answersWithin = 10_000;

const proposalOf = (...services: string[]): AssociationProposal => ({
  contexts: services.map((abstractSyntax) => ({ abstractSyntax, transferSyntaxes: identifierSyntaxes })),
});

type Options = {
  peer: RemoteAddress;
  /** Checks the address before a connection is opened. */
  locate: Locate;
  mostInstanceBytes: number;
  /** Finds images that our gateway received. Undefined when this server does not listen for DIMSE. */
  arrivals: ArrivedInstances | undefined;
};

/** An instance, and its SOP class if the archive returns it. */
type ListedInstance = RemoteInstance & { sopClassUID: string | undefined };

/**
 * A remote archive that uses DIMSE. Searches use C-FIND (Study Root). Images come by C-GET or, if the archive does not
 * offer it, by C-MOVE to our gateway.
 */
export const createDimseSource = ({ peer, locate, mostInstanceBytes, arrivals }: Options): RemoteSource => {
  const place = remoteNameOf(peer);

  const list = async (studyInstanceUID: string, signal: AbortSignal) => {
    if (!isUid(studyInstanceUID)) throw new RemoteError('OTHER', t`The study has no valid Study Instance UID.`);
    return inAssociation(peer, locate, proposalOf(studyRoot.find), signal, (association) =>
      listStudy(association, place, studyInstanceUID),
    );
  };

  return {
    test: (signal) =>
      inAssociation(peer, locate, proposalOf(verification), signal, async (association, them) => {
        await echo(association, place);
        return them.implementationVersionName.slice(0, 16);
      }),

    searchStudies: async (keys, most, signal) => {
      const { matches, hasMore } = await inAssociation(
        peer,
        locate,
        proposalOf(studyRoot.find),
        signal,
        (association) => find(association, place, studyKeys(keys), most),
      );
      const address = `dicom${peer.isTls ? 's' : ''}://${peer.host}:${peer.port}`;
      return { studies: matches.flatMap((match) => readStudy(match, address) ?? []), hasMore };
    },

    listInstances: async (studyInstanceUID, signal) => {
      const { series, instances, counted } = await list(studyInstanceUID, signal);
      const items = instances.items.map(({ seriesInstanceUID, sopInstanceUID }) => ({
        seriesInstanceUID,
        sopInstanceUID,
      }));
      return toListing(series, { ...instances, items }, counted);
    },

    retrieve: async function* (studyInstanceUID, requested, signal) {
      const { items: listed } = (await list(studyInstanceUID, signal)).instances;
      yield* retrieveInstances(
        { peer, locate, mostInstanceBytes, arrivals, signal },
        { studyInstanceUID, requested, listed, sopClassUIDs: classesOf(requested, listed) },
      );
    },
  };
};

const echo = async (association: Association, place: string): Promise<void> => {
  const context = contextOf(association, verification);
  if (!context) throw new RemoteError('WRONG_SERVICE', t`${place} does not support C-ECHO.`);
  const command = { CommandField: commandField.echo, MessageID: newMessageId(), AffectedSOPClassUID: verification };
  await association.send(context, command);
  const answer = await association.receive(answersWithin);
  if (answer?.command.Status !== 0) throw statusError(place, answer?.command.Status ?? 0x0110);
};

/** The matching keys and return keys of a study search (PS3.4 Table C.6-5). */
const studyKeys = (keys: RemoteKeys): Elements => ({
  // Some archives answer in the character set of the query. If the query names none, they answer in ASCII.
  SpecificCharacterSet: 'ISO_IR 192',
  QueryRetrieveLevel: 'STUDY',
  StudyInstanceUID: keys.studyInstanceUID,
  PatientName: personNameKey(keys.patientName),
  PatientID: keys.patientId,
  AccessionNumber: keys.accessionNumber,
  ModalitiesInStudy: keys.modality.toUpperCase(),
  StudyDate: dateKey(keys.studyDate),
  StudyTime: [],
  StudyDescription: [],
  PatientBirthDate: [],
  PatientSex: [],
  NumberOfStudyRelatedSeries: [],
  NumberOfStudyRelatedInstances: [],
});

/**
 * The series and instances of a study, and the archive's count of instances. The count is null if the archive gives
 * none.
 */
const listStudy = async (association: Association, place: string, StudyInstanceUID: string) => {
  const findMatches = async (keys: Elements, most: number): Promise<DicomJson[]> => {
    const { matches, hasMore } = await find(association, place, { ...keys, StudyInstanceUID }, most);
    if (hasMore) throw new RemoteError('OTHER', t`${place} lists more than ${most} entries for one study.`);
    return matches;
  };
  const counting = { QueryRetrieveLevel: 'STUDY', StudyInstanceUID, NumberOfStudyRelatedInstances: [] };
  const studies = await find(association, place, counting, mostStudies);
  const study = studies.matches
    .map((data) => readStudy(data, ''))
    .find((match) => match?.studyInstanceUID === StudyInstanceUID);
  const keys = { QueryRetrieveLevel: 'SERIES', SeriesInstanceUID: [], NumberOfSeriesRelatedInstances: [] };
  const series = entriesOf(seriesLevel, await findMatches(keys, mostSeries));
  const lists: Entries<ListedInstance>[] = [];
  let remaining = mostInstances;
  for (const { uid } of series.items) {
    const keys = { QueryRetrieveLevel: 'IMAGE', SeriesInstanceUID: uid, SOPInstanceUID: [], SOPClassUID: [] };
    const matches = await findMatches(keys, remaining);
    remaining -= matches.length;
    lists.push(entriesOf(listedLevel(uid), matches));
  }
  return { series, instances: joinEntries(lists), counted: study?.instanceCount ?? null };
};

const entriesOf = <T>(level: Level<T>, matches: readonly DicomJson[]): Entries<T> => {
  const gathered = gatherEntries(level);
  for (const data of matches) gathered.add(data);
  return gathered.entries({ isCut: false });
};

const listedLevel = (series: string): Level<ListedInstance> => ({
  ...instanceLevel(),
  read: (data) => {
    const instance = readInstance(data, series);
    return instance && { ...instance, sopClassUID: textOf(data, 'SOPClassUID') };
  },
});

/**
 * Returns the SOP classes of the wanted instances. Empty if the archive did not return a valid class for each of them.
 */
const classesOf = (requested: readonly RemoteInstance[], all: readonly ListedInstance[]): string[] => {
  const classes = new Map(all.map(({ sopInstanceUID, sopClassUID }) => [sopInstanceUID, sopClassUID]));
  const uids = new Set(requested.map(({ sopInstanceUID }) => classes.get(sopInstanceUID) ?? ''));
  return [...uids].every((uid) => isUid(uid) && isStorageClass(uid)) ? [...uids] : [];
};
