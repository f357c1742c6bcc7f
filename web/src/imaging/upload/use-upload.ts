import { t } from '@lingui/core/macro';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { SkippedFile } from './choosing/chosen-files.ts';
import { isCleanable } from './deidentification/deidentification-plan.ts';
import { unfitPatients } from './deidentification/deidentification.ts';
import { missingByNow } from './choosing/disc-directory.ts';
import type { ChosenFiles } from './choosing/recognize-files.ts';
import { alreadyUploaded, noteUploads } from './queue/resume-upload.ts';
import { countNamedVariously, patientsOf, studyGroups } from './lists/study-groups.ts';
import type { Delivery } from './queue/upload-ports.ts';
import { beginVisit, type ChoiceNotes, endVisit, noNotes, type UploadVisit } from './queue/upload-visit.ts';

/** State of the upload screen, and its actions. */
export const useUpload = () => {
  const client = useQueryClient();
  const [visit] = useState(beginVisit);
  useEffect(() => () => endVisit(visit), [visit]);
  const { queue, plan } = visit;
  const upload = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const deidentification = useSyncExternalStore(plan.subscribe, plan.snapshot);
  const [notes, setNotes] = useState(visit.shown().notes);
  const [studyUid, setStudyUid] = useState(visit.shown().studyUid);
  useEffect(() => visit.keep({ notes, studyUid }), [visit, notes, studyUid]);

  const groups = useMemo(() => studyGroups(upload.items), [upload.items]);
  const patients = useMemo(() => patientsOf(groups), [groups]);
  const { isOn } = deidentification;
  const toSend = useMemo(
    () => upload.items.filter((item) => item.state === 'Pending' && (!isOn || isCleanable(item))).length,
    [upload.items, isOn],
  );
  const add = (chosenFiles: ChosenFiles) => {
    const again = queue
      .add(visit.patients.recognized(chosenFiles.files))
      .map(({ source }) => ({ name: source.name, why: t`Already in the list, sent once` }));
    setNotes(({ leftOut, unreadable, repeated, missing, problems }) => ({
      leftOut: [...leftOut, ...chosenFiles.leftOut],
      unreadable: [...unreadable, ...chosenFiles.unreadable],
      repeated: [...repeated, ...again],
      missing: missingByNow(missing, chosenFiles.missing),
      problems: [...new Set([...problems, ...chosenFiles.problems])],
    }));
    plan.coverAll(queue.snapshot().items.flatMap(({ summary }) => summary?.patientKey ?? []));
  };
  const clear = () => {
    visit.clear();
    setNotes(noNotes);
  };
  const run = async (isRetry: boolean) => {
    const isDeidentified = plan.snapshot().isOn;
    const delivery = isDeidentified ? deidentified(plan) : asTheyAre(studyUid.trim());
    if (isDeidentified) setNotes(withLeftOut(leaveUncleanableOut(visit)));
    await (isRetry ? queue.retryFailed(delivery) : queue.start(delivery));
    await client.invalidateQueries({ queryKey: ['studies'] });
  };

  return {
    visit,
    upload,
    deidentification,
    notes,
    studyUid,
    groups,
    patients,
    /** Number of patients whose name is spelled in several ways. */
    namedVariously: useMemo(() => countNamedVariously(groups), [groups]),
    /** Number of files that the next run would send. */
    toSend,
    isReady: !isOn || unfitPatients(patients, deidentification.pseudonyms).length === 0,
    /** Whether the upload of a file has started. The remaining files must then be sent in the same way. */
    isLocked: upload.isRunning || upload.hasSent || upload.totals.Uploaded.files > 0,
    /** Whether files were sent under new names that only this page knows. */
    areNamesAtRisk: isOn && upload.hasSent && !deidentification.areNamesSaved,
    add,
    clear,
    run,
    setStudyUid,
    remove: useCallback((id: number) => queue.remove(id), [queue]),
    /** Hides the warning about unreadable files. The note about skipped files still lists these files. */
    dismissUnreadable: () => setNotes((known) => ({ ...withLeftOut(known.unreadable)(known), unreadable: [] })),
    dismissProblems: () => setNotes((known) => ({ ...known, problems: [] })),
  };
};

const withLeftOut = (more: readonly SkippedFile[]) => (notes: ChoiceNotes) => ({
  ...notes,
  leftOut: [...notes.leftOut, ...more],
});

/** Removes from the list the files that cannot be de-identified. Returns these files with reasons. */
const leaveUncleanableOut = ({ queue }: UploadVisit): SkippedFile[] => {
  const uncleanable = queue.snapshot().items.filter((item) => item.state === 'Pending' && !isCleanable(item));
  queue.removeAll(new Set(uncleanable.map(({ id }) => id)));
  return uncleanable.map(({ source, summary }) => ({
    name: source.name,
    why: summary?.uncleanable
      ? sentenceOfFault({ kind: summary.uncleanable })
      : t`The browser cannot read the file, so the file cannot be de-identified`,
  }));
};

/**
 * Delivery of de-identified files. This browser does not remember these files, because the next upload gives their
 * patients other names and IDs.
 */
const deidentified = (plan: UploadVisit['plan']): Delivery => ({
  prepare: (item) => plan.prepare(item),
  onStored: () => {},
});

/**
 * Delivery of unchanged files, which this browser remembers. If the user typed a study UID, the server accepts only
 * files of that study.
 */
const asTheyAre = (typedStudyUid: string): Delivery => ({
  studyInstanceUID: typedStudyUid || undefined,
  findStored: alreadyUploaded,
  prepare: ({ source }) => source.open(),
  onStored: (items) => void noteUploads(items),
});
