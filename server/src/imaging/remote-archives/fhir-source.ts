import { t } from '@radwork/contract/core/translate';
import { readDayRange } from '@radwork/contract/core/study-dates';
import { endpointUrl, type RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import { type ArchiveClient, originOf } from './archive-client.ts';
import { createDicomwebSource } from './dicomweb-source.ts';
import { type FhirBundle, readBundle, readServerName, studiesOf, type StudyEntry } from './fhir-bundle.ts';
import { dicomwebAddressOf, studyUidOf, toFoundStudy } from './fhir-study.ts';
import { RemoteError, type RemoteKeys, type RemoteSource } from './remote-source.ts';

const fhirJson = 'application/fhir+json';
/** A search with more pages is too broad to help. */
const mostPages = 20;
/** Number of studies that are examined to find one study. */
const mostExamined = 100;

/**
 * Creates a source for a FHIR server. Its ImagingStudy resources contain the DICOMweb URL of the images (R4 and R5).
 */
export const createFhirSource = (
  client: ArchiveClient,
  settings: RemoteSettings,
  mostInstanceBytes: number,
): RemoteSource => {
  const base = endpointUrl(settings.baseUrl, '');
  const resources = endpointUrl(base, settings.resourcesUri || 'ImagingStudy');

  const getBundle = async (url: string, signal: AbortSignal): Promise<FhirBundle> => {
    const answer = await client.json(url, { accept: fhirJson, signal });
    return readBundle(answer?.value);
  };

  /** Returns the URL of the next page if it has the origin of the configuration. */
  const nextOf = ({ link }: FhirBundle): string | undefined => {
    const url = link.find(({ relation }) => relation === 'next')?.url;
    const next = url && URL.canParse(url, `${base}/`) ? new URL(url, `${base}/`).href : undefined;
    return next && originOf(next) === originOf(base) ? next : undefined;
  };

  const search = async (keys: RemoteKeys, most: number, signal: AbortSignal) => {
    const entries: StudyEntry[] = [];
    let next: string | undefined = `${resources}${resources.includes('?') ? '&' : '?'}${queryOf(keys, most)}`;
    for (let page = 0; next && entries.length < most && page < mostPages; page += 1) {
      const bundle: FhirBundle = await getBundle(next, signal);
      entries.push(...studiesOf(bundle));
      next = nextOf(bundle);
    }
    return { found: entries, hasMore: entries.length > most || next !== undefined };
  };

  /** Returns the source that holds the images of a study. */
  const imagesOf = async (studyInstanceUID: string, signal: AbortSignal): Promise<RemoteSource> => {
    const addresses = settings.wadoEndpoint ? client : await learnAddresses(studyInstanceUID, signal);
    return createDicomwebSource({ ...client, ...addresses }, mostInstanceBytes);
  };

  const learnAddresses = async (studyInstanceUID: string, signal: AbortSignal) => {
    const { found: entries } = await search({ ...noKeys, studyInstanceUID }, mostExamined, signal);
    // Some servers ignore search keys.
    const own = entries.filter(({ study }) => studyUidOf(study) === studyInstanceUID);
    if (own.length === 0) throw new RemoteError('NOT_FOUND', t`The FHIR server does not have this study.`);
    const wado = own.map((one) => dicomwebAddressOf(one, settings)).find((address) => address !== undefined);
    if (wado) return { qido: settings.qidoEndpoint ? client.qido : wado, wado };
    throw new RemoteError(
      'NOT_FOUND',
      t`The FHIR server has no DICOMweb address on its own host for this study. Enter the WADO endpoint in the configuration.`,
    );
  };

  return {
    test: async (signal) => {
      const answer = await client.json(`${base}/metadata`, { accept: fhirJson, signal });
      return readServerName(answer?.value);
    },
    searchStudies: async (keys, most, signal) => {
      const { found: entries, hasMore } = await search(keys, most, signal);
      const studies = entries.flatMap((entry) => {
        const wado = settings.wadoEndpoint ? client.wado : dicomwebAddressOf(entry, settings);
        return toFoundStudy(entry, wado ?? base) ?? [];
      });
      return { studies: studies.slice(0, most), hasMore };
    },
    listInstances: async (studyInstanceUID, signal) =>
      (await imagesOf(studyInstanceUID, signal)).listInstances(studyInstanceUID, signal),
    retrieve: async function* (studyInstanceUID, requested, signal) {
      const images = await imagesOf(studyInstanceUID, signal);
      yield* images.retrieve(studyInstanceUID, requested, signal);
    },
  };
};

const noKeys: RemoteKeys = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  modality: '',
  studyInstanceUID: '',
  studyDate: '',
};

/** Returns the query for imaging studies (FHIR R4 ImagingStudy). FHIR matches the beginning of names. */
const queryOf = (keys: RemoteKeys, most: number): string => {
  const { from, to } = readDayRange(keys.studyDate) ?? {};
  const parameters: [string, string][] = [
    ...keys.patientName.split(/[\s,^*]+/).map((word): [string, string] => ['patient.name', word]),
    ['patient.identifier', keys.patientId],
    ['identifier', keys.accessionNumber],
    ['identifier', keys.studyInstanceUID && `urn:oid:${keys.studyInstanceUID}`],
    ['modality', keys.modality.toUpperCase()],
    ['started', from ? `ge${from}` : ''],
    ['started', to ? `le${to}` : ''],
    ['_include', 'ImagingStudy:patient'],
    ['_include', 'ImagingStudy:endpoint'],
    ['_count', String(most + 1)],
  ];
  return new URLSearchParams(parameters.filter(([, value]) => value !== '')).toString();
};
