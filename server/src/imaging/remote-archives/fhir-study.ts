import { isUid } from '@radwork/dicom/uid';
import { displayName } from '@radwork/dicom/person-name';
import { originOf, originsOf } from './archive-client.ts';
import { type FhirPatient, type ImagingStudy, resolveReference, type StudyEntry } from './fhir-bundle.ts';
import type { FoundStudy } from './remote-source.ts';
import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';

/** FHIR writes a UID as a URI (DICOM PS3.20, FHIR ImagingStudy.identifier). */
const uidPrefix = 'urn:oid:';
const uidSystem = 'urn:dicom:uid';

/** Prefers an identifier that is marked as a DICOM UID. Other object identifiers may be accession numbers. */
export const studyUidOf = ({ identifier }: ImagingStudy): string | undefined => {
  const ofDicom = identifier.filter(({ system }) => system === uidSystem).map(({ value = '' }) => value);
  const others = identifier.map(({ value = '' }) => value).filter((value) => value.startsWith(uidPrefix));
  return [...ofDicom, ...others]
    .map((value) => (value.startsWith(uidPrefix) ? value.slice(uidPrefix.length) : value))
    .find(isUid);
};

const accessionNumberOf = ({ identifier }: ImagingStudy): string =>
  identifier.find(({ type }) => type?.coding.some(({ code }) => code === 'ACSN'))?.value ?? '';

const modalityOf = ({ modality }: ImagingStudy): string =>
  modality
    .flatMap(({ code, coding }) => [code, ...coding.map((one) => one.code)])
    .filter((code) => code !== undefined)
    .join(', ');

const sexes: Record<string, string> = { male: 'M', female: 'F', other: 'O' };

/** Ranks the uses of names. The current name comes first. A name without a use counts as usual. */
const uses = ['official', 'usual', 'temp', 'nickname', 'anonymous', 'old', 'maiden'];
const rankOf = ({ use = 'usual' }: FhirPatient['name'][number]): number => uses.indexOf(use);

const nameOf = ({ name: names }: FhirPatient): string => {
  const [name] = names.toSorted((one, other) => rankOf(one) - rankOf(other));
  return name ? displayName([name.family, name.given.join(' ')].filter(Boolean).join('^')) || (name.text ?? '') : '';
};

/** Prefers the medical record number. A patient also has numbers from insurers and authorities. */
const patientIdOf = ({ identifier }: FhirPatient): string => {
  const current = identifier.filter(({ use }) => use !== 'old');
  const record = current.find(({ type }) => type?.coding.some(({ code }) => code === 'MR'));
  return (record ?? current[0])?.value ?? '';
};

/** Converts a found study. Undefined when it has no valid UID. */
export const toFoundStudy = (entry: StudyEntry, wado: string): FoundStudy | undefined => {
  const { study } = entry;
  const studyInstanceUID = studyUidOf(study);
  if (!studyInstanceUID) return undefined;
  const subject = study.subject && resolveReference(study.subject, entry);
  const patient = subject?.resourceType === 'Patient' ? subject : undefined;
  const [date = '', time = ''] = (study.started ?? '').split('T');
  return {
    studyInstanceUID,
    studyUrl: `${wado}/studies/${studyInstanceUID}`,
    patientName: patient ? nameOf(patient) : '',
    patientId: patient ? patientIdOf(patient) : '',
    sex: sexes[patient?.gender ?? ''] ?? '',
    birthDate: patient?.birthDate ?? '',
    studyDate: /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : '',
    studyTime: /^\d{2}:\d{2}:\d{2}/.exec(time)?.[0] ?? '',
    studyDescription: study.description ?? '',
    modality: modalityOf(study),
    accessionNumber: accessionNumberOf(study),
    seriesCount: study.numberOfSeries ?? null,
    instanceCount: study.numberOfInstances ?? null,
  };
};

/**
 * Returns the DICOMweb URL of a study's images: the configured WADO URL, or else an endpoint of the study with a
 * configured origin. Undefined when there is neither.
 */
export const dicomwebAddressOf = (entry: StudyEntry, settings: RemoteSettings): string | undefined => {
  const references = [...entry.study.endpoint, ...entry.study.series.flatMap(({ endpoint }) => endpoint)];
  const addresses = references.flatMap((reference) => {
    const resource = resolveReference(reference, entry);
    const isDicomweb =
      resource?.resourceType === 'Endpoint' && /dicom-wado-rs/.test(JSON.stringify(resource.connectionType));
    return isDicomweb ? [resource.address.replace(/(?<!\/)\/+$/, '')] : [];
  });
  const allowed = originsOf(settings);
  return addresses.find((address) => URL.canParse(address) && allowed.includes(originOf(address)));
};
