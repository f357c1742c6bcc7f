import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { workflow } from '@radwork/contract/reading/workflow';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { may } from '#core/state/session.ts';
import { EditStudyButton } from '#imaging/studies/editing/edit-study-button.tsx';
import { studyCommands } from '#imaging/studies/study-commands.ts';
import { type WorkflowDialog, WorkflowDialogs } from '#reading/workflow/workflow-dialogs.tsx';
import { useCommands } from '#ui/keyboard/commands.ts';
import { useRecentStudy } from './use-recent-study.ts';

/** Commands of the study page that a viewer offers without their buttons: assignment, status, priority, page. */
export function StudyCommands({ study }: { study: StudyDetails }) {
  const navigate = useNavigate();
  useRecentStudy(study);
  useCommands([
    { command: studyCommands.page, run: () => void navigate({ to: '/studies/$id', params: { id: study.id } }) },
  ]);
  return (
    <>
      <EditStudyButton study={study} hasButton={false} />
      {may(workflow.read) && <StudyWorkflow studyId={study.id} />}
    </>
  );
}

function StudyWorkflow({ studyId }: { studyId: string }) {
  const [opened, setOpened] = useState<WorkflowDialog>();
  return <WorkflowDialogs studyId={studyId} opened={opened} onOpen={setOpened} />;
}
