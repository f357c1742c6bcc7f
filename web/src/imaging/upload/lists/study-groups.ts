import type { UploadItem, UploadState } from '#imaging/upload/queue/upload-item.ts';

/** One study among the chosen files, with data from their headers. */
export type StudyGroup = {
  key: string;
  /** StudyInstanceUID; "" for files whose header could not be read. */
  studyInstanceUID: string;
  patientKey: string;
  patientName: string;
  patientID: string;
  /** Date in the format YYYY-MM-DD, or "". */
  studyDate: string;
  studyDescription: string;
  modalities: string[];
  series: number;
  files: Record<UploadState, number>;
  bytes: number;
  /** ID of the study in the archive, once a file of it is stored. */
  studyId: string | undefined;
};

export type Patient = {
  patientKey: string;
  patientName: string;
  patientID: string;
  /** Study of a patient without an ID. Nothing else identifies this patient. */
  study?: { studyInstanceUID: string; studyDate: string };
};

/**
 * Returns the studies of the files, in order of first appearance. If files of one study have different patients or
 * spellings, the study is split into several groups, so that the user sees this.
 */
export const studyGroups = (items: readonly UploadItem[]): StudyGroup[] => {
  const groups = new Map<string, StudyGroup & { seriesUids: Set<string> }>();
  for (const item of items) {
    const { summary, source, state, studyId } = item;
    const key = summary ? `${summary.studyInstanceUID} ${summary.patientKey} ${summary.comparableName}` : '';
    const group = groups.get(key) ?? newGroup(key, item);
    groups.set(key, group);
    group.files[state] += 1;
    group.bytes += source.size;
    group.studyId ??= studyId;
    if (!summary) continue;
    group.seriesUids.add(summary.seriesInstanceUID);
    if (summary.modality && !group.modalities.includes(summary.modality)) group.modalities.push(summary.modality);
  }
  return [...groups.values()].map(({ seriesUids, ...group }) => ({ ...group, series: seriesUids.size }));
};

const newGroup = (key: string, { summary }: UploadItem): StudyGroup & { seriesUids: Set<string> } => ({
  key,
  studyInstanceUID: summary?.studyInstanceUID ?? '',
  patientKey: summary?.patientKey ?? '',
  patientName: summary?.patientName ?? '',
  patientID: summary?.patientID ?? '',
  studyDate: summary?.studyDate ?? '',
  studyDescription: summary?.studyDescription ?? '',
  modalities: [],
  series: 0,
  files: { Pending: 0, Uploading: 0, Uploaded: 0, Failed: 0 },
  bytes: 0,
  studyId: undefined,
  seriesUids: new Set(),
});

/**
 * Sorts the groups by urgency. Groups with failed files come first. Groups with unreadable files, several patients or
 * several spellings come next.
 */
export const mostUrgentFirst = (groups: readonly StudyGroup[]): StudyGroup[] => {
  const ofStudies = Map.groupBy(groups, ({ studyInstanceUID }) => studyInstanceUID);
  const rank = ({ files, studyInstanceUID }: StudyGroup) => {
    if (files.Failed > 0) return 0;
    return studyInstanceUID === '' || (ofStudies.get(studyInstanceUID)?.length ?? 0) > 1 ? 1 : 2;
  };
  return groups.toSorted((one, other) => rank(one) - rank(other));
};

export const countStudies = (groups: readonly StudyGroup[]): number =>
  new Set(groups.flatMap(({ studyInstanceUID }) => studyInstanceUID || [])).size;

/** Returns the patients of the groups, each once. Leaves out files whose header could not be read. */
export const patientsOf = (groups: readonly StudyGroup[]): Patient[] => {
  const patients = new Map<string, Patient>();
  for (const group of groups) {
    if (group.studyInstanceUID === '' || patients.has(group.patientKey)) continue;
    const { patientKey, patientName, patientID, studyInstanceUID, studyDate } = group;
    const study = patientID ? {} : { study: { studyInstanceUID, studyDate } };
    patients.set(patientKey, { patientKey, patientName, patientID, ...study });
  }
  return [...patients.values()];
};

/** Returns the number of patients whose name is spelled in several ways within one study. */
export const countNamedVariously = (groups: readonly StudyGroup[]): number => {
  const namedGroups = groups.filter(({ patientName }) => patientName !== '');
  const ofStudies = Map.groupBy(namedGroups, ({ studyInstanceUID, patientKey }) => `${studyInstanceUID} ${patientKey}`);
  const various = [...ofStudies.values()].filter(({ length }) => length > 1);
  return new Set(various.map(([group]) => group?.patientKey)).size;
};
