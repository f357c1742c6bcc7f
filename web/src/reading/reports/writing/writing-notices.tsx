import { t } from '@lingui/core/macro';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import type { Report } from '@radwork/contract/reading/reports';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '#core/browser/toasts.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { ReportConflict } from './report-conflict.tsx';
import { OtherWindowText } from '#reading/reports/autosaves/other-window-text.tsx';
import { discardAutosave, isAutosaveOf } from '#reading/reports/autosaves/autosaves.ts';
import { StudyMovedNotice } from './study-moved.tsx';
import { mayBeOfOtherPatient } from './draft.ts';
import type { ReportDraft } from './report-draft.ts';
import { TextOfAnother } from './moved-study-text.tsx';
import { UnsavedTexts } from '#reading/reports/autosaves/unsaved-texts.tsx';

type Props = {
  studyId: string;
  report: Report | null;
  /** Current patient of the study. */
  patient: NamedPatient;
  /** The user's autosaves on the server for this study. */
  autosaves: readonly Autosave[];
  writing: ReportDraft;
  fault: string | undefined;
  /** Called when the writer has decided about a text begun for another patient. */
  onDecided: () => void;
};

/** Notices that the writer must see before continuing. */
export function WritingNotices({ studyId, report, patient, autosaves, writing, fault, onDecided }: Props) {
  const client = useQueryClient();
  const { draft } = writing;
  const adopt = (newer: Report | null) => {
    const { keptId } = writing.latest();
    writing.adopt(newer);
    if (keptId) void discardAutosave(client, studyId, keptId);
  };
  const isHeld = mayBeOfOtherPatient(draft, patient);
  const isOutdated = report !== null && draft.isUnsaved && !isHeld && report.revision > (draft.revision ?? 0);
  const isSettled = !isHeld && !isOutdated;
  const restored = formatMoment(draft.restoredFrom);
  const reviewer = report?.reviewer?.name ?? '';
  const comments = report?.reviewComments ?? '';
  return (
    <>
      {isHeld && (
        <TextOfAnother
          begunFor={draft.patient}
          patient={patient}
          written={() => writing.latest().words.content}
          onConfirm={() => {
            writing.confirmPatient();
            onDecided();
          }}
          onDiscard={() => {
            adopt(report);
            onDecided();
          }}
        />
      )}
      {isOutdated && (
        <ReportConflict
          report={report}
          written={() => writing.latest().words.content}
          onKeep={writing.rebase}
          onAdopt={adopt}
        />
      )}
      {draft.isAside && (
        <OtherWindowText
          other={autosaves.find(isAutosaveOf(report))}
          onReplace={({ id }) => writing.replaceOther(id)}
          onTake={writing.takeOther}
        />
      )}
      {report && isSettled && <StudyMovedNotice report={report} />}
      {fault && isSettled && <Notice tone="danger">{fault}</Notice>}
      {draft.restoredFrom && isSettled && (
        <Notice tone="info">{t`Your text of ${restored} was restored. It is not saved.`}</Notice>
      )}
      {report?.status === 'REVISION_REQUIRED' && (
        <Notice tone="warning">{t`${reviewer} requested a revision: ${comments}`}</Notice>
      )}
      <UnsavedTexts
        studyId={studyId}
        autosaves={autosaves.filter((text) => !isAutosaveOf(report)(text))}
        except={[draft.name, draft.takenFrom?.name]}
        onTake={(copy) => {
          if (!writing.takeUp(copy)) toast.failure(t`This browser cannot store both texts. Save this text first.`);
        }}
      />
    </>
  );
}
