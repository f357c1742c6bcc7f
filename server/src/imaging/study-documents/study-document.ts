import type { Elements } from '@radwork/dicom/part10';
import { dcm } from './codes.ts';
import { codeItem, nameItem } from './content-items.ts';
import { personName } from './person-name.ts';

/** Data about study and origin for every document. */
export type AboutStudy = {
  /** Patient and study as in the archive (PS3.3 §C.7.1.1, C.7.2.1). */
  about: Elements;
  studyInstanceUid: string;
  institution: string;
  softwareVersion: string;
};

/** Identity of the document as an instance in the archive. */
export type DocumentIdentity = {
  sopInstanceUid: string;
  seriesInstanceUid: string;
  instanceNumber: number;
  /** The earlier document of the same study, which this document replaces. */
  predecessor?: Instance | undefined;
  /** Local time of the organization: "20261122" and "101530". */
  written: { date: string; time: string };
};

export type Instance = { sopClassUid: string; sopInstanceUid: string };

type Kind = { sopClassUid: string; modality: string; seriesNumber: number; seriesDescription: string };

/** Returns the elements of series, equipment and document (PS3.3 §C.17.1, C.17.6.1, C.7.5.1, C.17.2). */
export const documentElements = (of: AboutStudy, identity: DocumentIdentity, kind: Kind): Elements => ({
  ...of.about,
  SOPClassUID: kind.sopClassUid,
  SOPInstanceUID: identity.sopInstanceUid,
  SeriesInstanceUID: identity.seriesInstanceUid,
  Modality: kind.modality,
  SeriesNumber: kind.seriesNumber,
  SeriesDescription: kind.seriesDescription,
  ReferencedPerformedProcedureStepSequence: [],
  Manufacturer: 'Radwork',
  ManufacturerModelName: 'Radwork',
  DeviceSerialNumber: '1',
  SoftwareVersions: of.softwareVersion,
  InstitutionName: of.institution.slice(0, 64),
  InstanceNumber: identity.instanceNumber,
  ContentDate: identity.written.date,
  ContentTime: identity.written.time,
});

/** Returns references by study, series and instance (PS3.3 §C.17.2.1). */
export const referencedStudy = (
  studyInstanceUid: string,
  series: ReadonlyMap<string, readonly Instance[]>,
): Elements => ({
  StudyInstanceUID: studyInstanceUid,
  ReferencedSeriesSequence: [...series].map(([seriesInstanceUid, instances]) => ({
    SeriesInstanceUID: seriesInstanceUid,
    ReferencedSOPSequence: instances.map(({ sopClassUid, sopInstanceUid }) => ({
      ReferencedSOPClassUID: sopClassUid,
      ReferencedSOPInstanceUID: sopInstanceUid,
    })),
  })),
});

/** Returns the referenced images as evidence. Each image is named once. */
export const evidenceOf = (
  { studyInstanceUid }: Pick<AboutStudy, 'studyInstanceUid'>,
  images: readonly (Instance & { seriesInstanceUid: string })[],
): Elements => {
  const bySeries = Map.groupBy(images, ({ seriesInstanceUid }) => seriesInstanceUid);
  if (bySeries.size === 0) return {};
  return { CurrentRequestedProcedureEvidenceSequence: [referencedStudy(studyInstanceUid, bySeries)] };
};

/** Returns the language item (PS3.16 TID 1204). */
export const languageItem = (): Elements =>
  codeItem(
    { relationship: 'HAS CONCEPT MOD', name: dcm('121049', 'Language of Content Item and Descendants') },
    { CodeValue: 'en', CodingSchemeDesignator: 'RFC5646', CodeMeaning: 'English' },
  );

/** Returns the observer items (PS3.16 TID 1002, 1003). */
export const observerItems = (name: string): Elements[] => [
  codeItem({ relationship: 'HAS OBS CONTEXT', name: dcm('121005', 'Observer Type') }, dcm('121006', 'Person')),
  nameItem({ relationship: 'HAS OBS CONTEXT', name: dcm('121008', 'Person Observer Name') }, personName(name)),
];
