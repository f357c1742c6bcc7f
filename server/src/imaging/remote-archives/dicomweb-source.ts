import { t } from '@radwork/contract/core/translate';
import { isUid } from '@radwork/dicom/uid';
import { yieldingEventLoop, readStudy } from './read-qido-json.ts';
import type { ArchiveClient } from './archive-client.ts';
import { studyQuery } from './dicomweb-keys.ts';
import { createLists } from './dicomweb-lists.ts';
import { retrieveInstances } from './dicomweb-retrieve.ts';
import { type FoundStudy, RemoteError, type RemoteSource } from './remote-source.ts';

/** Creates a source for an archive that uses DICOMweb (PS3.18 §10). */
export const createDicomwebSource = (client: ArchiveClient, mostInstanceBytes: number): RemoteSource => {
  const { ask, sizesOf, instancesOf } = createLists(client);
  return {
    test: async (signal) => {
      const { headers } = await ask('/studies?limit=1', signal);
      return (headers['server'] ?? '').slice(0, 100);
    },

    searchStudies: async (keys, most, signal) => {
      const { found, isCut } = await ask(`/studies?${studyQuery(keys, most + 1)}`, signal);
      const studies = new Map<string, FoundStudy>();
      for await (const data of yieldingEventLoop(found)) {
        const study = readStudy(data, client.wado);
        if (study) studies.set(study.studyInstanceUID, study);
      }
      return { studies: [...studies.values()].slice(0, most), hasMore: studies.size > most || isCut };
    },

    listInstances: async (studyInstanceUID, signal) => {
      assertUid(studyInstanceUID);
      return instancesOf(studyInstanceUID, signal);
    },

    retrieve: async function* (studyInstanceUID, requested, signal) {
      assertUid(studyInstanceUID);
      const sizes = await sizesOf(studyInstanceUID, requested, signal);
      yield* retrieveInstances(client, studyInstanceUID, requested, { sizes, mostInstanceBytes, signal });
    },
  };
};

/** Checks the UID before it becomes part of a URL. */
const assertUid = (uid: string) => {
  if (!isUid(uid)) throw new RemoteError('OTHER', t`The study has no valid Study Instance UID.`);
};
