import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { LeftOut } from './chosen-files.ts';
import { isCleanable } from './deidentification-plan.ts';
import { unfitPatients } from './deidentification.ts';
import type { Chosen } from './recognise.ts';
import { alreadyUploaded, noteUploads } from './resume.ts';
import { countNamedVariously, patientsOf, studyGroups } from './study-groups.ts';
import type { Delivery } from './upload-queue.ts';
import { beginVisit, endVisit, type UploadVisit } from './upload-visit.ts';

type Notes = {
  leftOut: readonly LeftOut[];
  unreadable: readonly LeftOut[];
  /** What was chosen again. */
  repeated: readonly LeftOut[];
  missing: readonly string[];
  problems: readonly string[];
};
const noNotes: Notes = { leftOut: [], unreadable: [], repeated: [], missing: [], problems: [] };

/** One visit to the upload screen: the list of files, what is known of them, and what can be done. */
export const useUpload = () => {
  const client = useQueryClient();
  const [visit] = useState(beginVisit);
  useEffect(() => () => endVisit(visit), [visit]);
  const { queue, plan } = visit;
  const upload = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const deidentification = useSyncExternalStore(plan.subscribe, plan.snapshot);
  const [notes, setNotes] = useState(noNotes);

  const groups = useMemo(() => studyGroups(upload.items), [upload.items]);
  const patients = useMemo(() => patientsOf(groups), [groups]);
  const { isOn } = deidentification;
  const toSend = useMemo(
    () => upload.items.filter((item) => item.state === 'Pending' && (!isOn || isCleanable(item))).length,
    [upload.items, isOn],
  );
  const add = (chosen: Chosen) => {
    const again = queue
      .add(visit.patients.recognised(chosen.files))
      .map(({ source }) => ({ name: source.name, why: 'Chosen again, and sent once' }));
    setNotes(({ leftOut, unreadable, repeated, missing, problems }) => ({
      leftOut: [...leftOut, ...chosen.leftOut],
      unreadable: [...unreadable, ...chosen.unreadable],
      repeated: [...repeated, ...again],
      missing: [...missing, ...chosen.missing],
      problems: [...new Set([...problems, ...chosen.problems])],
    }));
    plan.coverAll(queue.snapshot().items.flatMap(({ summary }) => summary?.patientKey ?? []));
  };
  const clear = () => {
    visit.clear();
    setNotes(noNotes);
  };
  const run = async (isRetry: boolean, studyInstanceUID: string | undefined) => {
    if (isOn) setNotes(withLeftOut(leaveUncleanableOut(visit)));
    else queue.skip(await alreadyUploaded(queue.snapshot().items.filter(({ state }) => state === 'Pending')));
    const delivery = { ...deliveryOf(visit), studyInstanceUID };
    await (isRetry ? queue.retryFailed(delivery) : queue.start(delivery));
    await client.invalidateQueries({ queryKey: ['studies'] });
  };

  return {
    visit,
    upload,
    deidentification,
    notes,
    groups,
    patients,
    /** How many of them their files name in different ways. */
    namedVariously: useMemo(() => countNamedVariously(groups), [groups]),
    /** How many files the next run sends. */
    toSend,
    isReady: !isOn || unfitPatients(patients, deidentification.pseudonyms).length === 0,
    /** Once something has been sent, the rest of this upload has to go the same way. */
    isLocked: upload.isRunning || upload.totals.Uploaded.files + upload.totals.Failed.files > 0,
    add,
    clear,
    run,
    remove: useCallback((id: number) => queue.remove(id), [queue]),
    /** Whoever has found another way does not need to be reminded; what was not sent stays named. */
    dismissUnreadable: () => setNotes((known) => ({ ...withLeftOut(known.unreadable)(known), unreadable: [] })),
    dismissProblems: () => setNotes((known) => ({ ...known, problems: [] })),
  };
};

const withLeftOut = (more: readonly LeftOut[]) => (notes: Notes) => ({
  ...notes,
  leftOut: [...notes.leftOut, ...more],
});

/** Takes what cannot be de-identified off the list, and says why. */
const leaveUncleanableOut = ({ queue }: UploadVisit): LeftOut[] => {
  const uncleanable = queue.snapshot().items.filter((item) => item.state === 'Pending' && !isCleanable(item));
  queue.removeAll(new Set(uncleanable.map(({ id }) => id)));
  return uncleanable.map(({ source, summary }) => ({
    name: source.name,
    why: summary?.uncleanable ?? 'The browser cannot read it, so it cannot be de-identified',
  }));
};

/** As they are, and remembered; or de-identified, and never remembered. */
const deliveryOf = ({ plan }: UploadVisit): Delivery =>
  plan.snapshot().isOn
    ? { prepare: (item) => plan.prepare(item), onStored: () => {} }
    : { prepare: ({ source }) => source.open(), onStored: (items) => void noteUploads(items) };
