import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { AttributeChangesDialog } from './deidentification/attribute-changes-dialog.tsx';
import { ChoiceWarnings } from './choosing/choice-warnings.tsx';
import { DeidentifyPanel } from './deidentification/deidentify-panel.tsx';
import { type KindOfChanges, mappingCsv } from './deidentification/deidentification.ts';
import styles from './dicom-files-tab.module.css';
import { DropZone } from './choosing/drop-zone.tsx';
import { UploadFailuresDialog } from './lists/upload-failures-dialog.tsx';
import { FileList } from './lists/file-list.tsx';
import { leaveWarning, namesAreCleared } from './leave-warning.ts';
import { SkippedFilesNote } from './choosing/skipped-files-note.tsx';
import { saveCsv } from './deidentification/save-csv.ts';
import { countStudies } from './lists/study-groups.ts';
import { StudyTable } from './lists/study-table.tsx';
import { UploadControls } from './upload-controls.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useFileChoice } from './choosing/use-file-choice.ts';
import { useUpload } from './use-upload.ts';

/** Tab to choose DICOM files, send them, and see the result of each. */
export function DicomFilesTab() {
  const screen = useUpload();
  const { visit, upload, deidentification, notes, groups, patients } = screen;
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [changes, setChanges] = useState<{ kinds: readonly KindOfChanges[] | undefined; isDone: boolean }>();
  const choice = useFileChoice(visit.lookInto, screen.add);
  const isLooking = choice.foundSoFar !== undefined;
  const isUnfinished = upload.isRunning || (screen.isLocked && upload.totals.Pending.files > 0);
  const { areNamesAtRisk } = screen;
  const warning = leaveWarning({ isUnfinished, isDeidentified: deidentification.isOn, areNamesAtRisk });
  useLeaveWarning(isUnfinished || areNamesAtRisk || isLooking, warning);

  const clear = async () => {
    if (!areNamesAtRisk || (await confirm(namesAreCleared))) screen.clear();
  };

  const send = async (isRetry: boolean) => {
    setIsDialogOpen(false);
    await screen.run(isRetry);
    setIsDialogOpen(visit.queue.snapshot().totals.Failed.files > 0);
  };
  const retry = () => void send(true);
  const saveNames = () => {
    const renamedPatients = visit.plan.toBeNamed(patients);
    saveCsv('patients-and-new-names.csv', mappingCsv(renamedPatients, deidentification.pseudonyms));
    visit.plan.noteNamesSaved(renamedPatients);
  };
  const showChanges = async () => {
    const done = visit.plan.done();
    if (done.length > 0) return setChanges({ kinds: done, isDone: true });
    setChanges({ kinds: undefined, isDone: false });
    setChanges({ kinds: await visit.plan.preview(upload.items), isDone: false });
  };

  const isEmpty = upload.items.length === 0;
  const hasEnded = !isEmpty && !isLooking && !upload.isRunning && upload.totals.Pending.files === 0;
  return (
    <div className={styles.tab} data-empty={isEmpty || undefined} {...choice.dropHandlers}>
      <div className={styles.files}>
        <DropZone choice={choice} isCompact={!isEmpty} />
        {!isEmpty && (
          <StudyTable groups={groups} pseudonyms={deidentification.isOn ? deidentification.pseudonyms : undefined} />
        )}
        {!isEmpty && (
          <FileList items={upload.items} totals={upload.totals} hasEnded={hasEnded} onRemove={screen.remove} />
        )}
      </div>
      <aside className={styles.side} aria-label={t`Upload`}>
        <ChoiceWarnings
          patients={upload.totals.Pending.files > 0 ? patients.length : 0}
          namedVariously={upload.totals.Pending.files > 0 ? screen.namedVariously : 0}
          problems={notes.problems}
          unreadable={notes.unreadable}
          missing={notes.missing.flatMap(({ names }) => names)}
          onDismissProblems={screen.dismissProblems}
          onDismissUnreadable={screen.dismissUnreadable}
        />
        <UploadControls
          upload={upload}
          studies={countStudies(groups)}
          patients={patients.length}
          toSend={screen.toSend}
          studyUid={screen.studyUid}
          isDeidentified={deidentification.isOn}
          isReady={screen.isReady && !isLooking}
          onStudyUid={screen.setStudyUid}
          onStart={() => void send(false)}
          onRetry={retry}
          onPause={() => visit.queue.pause()}
          onCancel={() => visit.queue.cancel()}
          onClear={() => void clear()}
        />
        <UploadProgress upload={upload} />
        {(!isEmpty || areNamesAtRisk) && (
          <DeidentifyPanel
            state={deidentification}
            items={upload.items}
            patients={patients}
            isLocked={screen.isLocked}
            onSwitch={(isOn) => visit.plan.switchTo(isOn)}
            onRename={(patientKey, pseudonym) => visit.plan.rename(patientKey, pseudonym)}
            onShowChanges={() => void showChanges()}
            onSaveNames={saveNames}
          />
        )}
        <SkippedFilesNote files={notes.leftOut} reason="left out" />
        <SkippedFilesNote files={notes.repeated} reason="in the list already" />
        {isEmpty && <UploadRules />}
      </aside>
      <UploadFailuresDialog
        opened={isDialogOpen}
        items={upload.items}
        onRetry={retry}
        onClose={() => setIsDialogOpen(false)}
      />
      <AttributeChangesDialog
        opened={changes !== undefined}
        kinds={changes?.kinds}
        isDone={changes?.isDone ?? false}
        onClose={() => setChanges(undefined)}
      />
    </div>
  );
}

function UploadRules() {
  return (
    <ul className={styles.rules}>
      <li>{t`You can upload files of several studies and patients together.`}</li>
      <li>{t`Files already in the archive are not stored twice.`}</li>
      <li>{t`To continue an interrupted upload, choose the same folder again. A de-identified upload cannot continue.`}</li>
      <li>{t`A rejected file is not stored. The list shows the reason.`}</li>
      <li>{t`This browser can de-identify files before it sends them.`}</li>
    </ul>
  );
}
