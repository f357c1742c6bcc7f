import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Chosen, LeftOut } from './chosen-files.ts';
import styles from './dicom-files-tab.module.css';
import { DropZone } from './drop-zone.tsx';
import { FailureDialog } from './failure-dialog.tsx';
import { FileList } from './file-list.tsx';
import { LeftOutNote } from './left-out-note.tsx';
import { StoredStudies } from './stored-studies.tsx';
import { UploadControls } from './upload-controls.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useChoice } from './use-choice.ts';
import { useLeaveWarning } from './use-leave-warning.ts';
import { useUploadQueue } from './use-upload-queue.ts';

/** Choosing DICOM files, sending them, and what became of each. */
export function DicomFilesTab() {
  const client = useQueryClient();
  const { queue, upload } = useUploadQueue();
  const [studyUid, setStudyUid] = useState('');
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  useLeaveWarning(upload.isRunning);

  const add = (chosen: Chosen) => {
    queue.add(chosen.files);
    setLeftOut((known) => [...known, ...chosen.leftOut]);
  };
  const choice = useChoice(add);
  const clear = () => {
    queue.clear();
    setLeftOut([]);
  };
  const remove = useCallback((id: number) => queue.remove(id), [queue]);
  const run = async (send: (studyInstanceUID?: string) => Promise<void>) => {
    setIsDialogOpen(false);
    await send(studyUid.trim() || undefined);
    setIsDialogOpen(queue.snapshot().totals.Failed.files > 0);
    await client.invalidateQueries({ queryKey: ['studies'] });
  };
  const start = () => void run((uid) => queue.start(uid));
  const retry = () => void run((uid) => queue.retryFailed(uid));

  const isEmpty = upload.items.length === 0;
  const hasEnded = !isEmpty && !upload.isRunning && upload.totals.Pending.files === 0;
  return (
    <div className={styles.tab} data-empty={isEmpty || undefined} {...choice.dropHandlers}>
      <div className={styles.files}>
        <DropZone choice={choice} isCompact={!isEmpty} />
        {!isEmpty && <FileList items={upload.items} totals={upload.totals} hasEnded={hasEnded} onRemove={remove} />}
      </div>
      <aside className={styles.side} aria-label="Upload">
        <UploadControls
          upload={upload}
          studyUid={studyUid}
          onStudyUid={setStudyUid}
          onStart={start}
          onRetry={retry}
          onCancel={() => queue.cancel()}
          onClear={clear}
        />
        <UploadProgress upload={upload} />
        <LeftOutNote files={leftOut} />
        {isEmpty && <UploadRules />}
        {!upload.isRunning && <StoredStudies items={upload.items} />}
      </aside>
      <FailureDialog
        opened={isDialogOpen}
        items={upload.items}
        onRetry={retry}
        onClose={() => setIsDialogOpen(false)}
      />
    </div>
  );
}

function UploadRules() {
  return (
    <ul className={styles.rules}>
      <li>Files of several studies and patients may come together; each finds its own study.</li>
      <li>What is in the archive already is not stored twice.</li>
      <li>A file that is refused leaves nothing behind, and the list says why.</li>
    </ul>
  );
}
