import { t } from '@lingui/core/macro';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { workflow } from '@radwork/contract/reading/workflow';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { mayChangeMany } from '#reading/workflow/bulk/may-change-many.ts';
import { whenIdle } from '#core/browser/when-idle.ts';
import { StudiesScreen } from '#imaging/studies/list/studies-screen.tsx';
import type { RowShortcut } from '#ui/tables/data-table.tsx';
import { formatLocal } from '#ui/formats/formats.ts';
import { fetchReportWorkspace } from '#app/reports/report-workspace-on-demand.tsx';
import styles from './studies-page.module.css';

// These dialogs are loaded on demand, so that users of the list need not wait for their code.
const dialogs = {
  status: lazy(async () => {
    const { StatusDialog: component } = await import('#reading/workflow/status-dialog.tsx');
    return { default: component };
  }),
  assign: lazy(async () => {
    const { AssignDialog: component } = await import('#reading/workflow/assign-dialog.tsx');
    return { default: component };
  }),
};

const BulkActions = lazy(async () => {
  const { BulkActions: component } = await import('#reading/workflow/bulk/bulk-actions.tsx');
  return { default: component };
});

/** Screen /studies: the list of studies, with actions on them. */
export function StudiesPage() {
  useEffect(() => whenIdle(() => void fetchStudyPage()), []);
  const [openDialog, setOpenDialog] = useState<{ dialog: keyof typeof dialogs; study: StudyRow }>();
  const [isOpen, setOpen] = useState(false);
  const open = (dialog: keyof typeof dialogs) => (study: StudyRow) => {
    setOpenDialog({ dialog, study });
    setOpen(true);
  };
  const shortcuts: RowShortcut<StudyRow>[] = [];
  if (may(workflow.changeStatus)) {
    shortcuts.push({ keys: 's', does: t`Change study status`, hint: t`status`, run: open('status') });
  }
  if (may(workflow.assign)) {
    shortcuts.push({ keys: 'a', does: t`Assign study`, hint: t`assign`, run: open('assign') });
  }
  const Dialog = openDialog && dialogs[openDialog.dialog];
  return (
    <>
      <StudiesScreen
        rowShortcuts={shortcuts}
        people={usePeople()}
        actionsOn={
          mayChangeMany()
            ? ({ ids, onDone }) => (
                <Suspense>
                  <BulkActions studyIds={ids} onDone={onDone} />
                </Suspense>
              )
            : undefined
        }
      />
      {Dialog && (
        <Suspense>
          <Dialog
            studyId={openDialog.study.id}
            opened={isOpen}
            onClose={() => setOpen(false)}
            about={<WhoseStudy study={openDialog.study} />}
          />
        </Suspense>
      )}
    </>
  );
}

/** Returns the users to whom studies can be assigned. Empty for users who may not assign. */
const usePeople = () =>
  useQuery({
    ...query(workflow.assignable, { query: { active: 'true' } }),
    enabled: may(workflow.assign),
    staleTime: 300_000,
  }).data ?? noPeople;

const noPeople: readonly { id: string; name: string }[] = [];

/** Prefetches the code of the study screen. If the prefetch fails, the code loads when a study opens. */
const fetchStudyPage = () => Promise.allSettled([import('./study-page.tsx'), fetchReportWorkspace()]);

function WhoseStudy({ study: { patient, modality, studyDate, description, studyDescription } }: { study: StudyRow }) {
  const what = [modality, formatLocal(studyDate), description || studyDescription].filter(Boolean);
  return (
    <p className={styles.whose}>
      <strong>{patient.patientName}</strong> {patient.patientId}
      <br />
      {what.join(', ')}
    </p>
  );
}
