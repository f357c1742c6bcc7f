import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { placeholders } from '@radwork/contract/core/placeholders';
import { unseenPartsIn, unseenPartsNotice } from '@radwork/contract/reading/filled-parts';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import type { AddendumDraft } from '@radwork/contract/reading/report-parts';
import type { Report } from '@radwork/contract/reading/reports';
import type { FormEvent } from 'react';
import { useAction } from '#core/http/api.ts';
import { IdentityStatement, useIdentityStatement } from '#reading/reports/signing/identity-statement.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from '#reading/reports/signing/signed-parts.module.css';
import { patientNameAndId } from '#reading/reports/writing/study-moved.tsx';
import { CorrectedPassage, PartText } from './signed-addenda.tsx';
import { htmlToPlainText } from '#reading/reports/autosaves/plain-text.ts';
import { SigningFields } from '#reading/reports/signing/signing-fields.tsx';
import { useSigning } from '#reading/reports/signing/use-signing.ts';

type Props = {
  report: Report;
  /** The addendum as stored on the server. */
  addendum: Omit<AddendumDraft, 'updatedAt'>;
  opened: boolean;
  onClose: () => void;
  onSigned: () => void;
  /** Whether the screen still shows the stored text. */
  isShown: () => boolean;
};

const texts = {
  ADDENDUM: {
    verb: t`Sign addendum`,
    done: t`Addendum signed successfully`,
    failed: t`Error signing addendum`,
  },
  CORRECTION: {
    verb: t`Sign correction`,
    done: t`Correction signed successfully`,
    failed: t`Error signing correction`,
  },
};

export function SignAddendumDialog({ opened, onClose, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts[form.addendum.kind].verb} size={520}>
      <SignForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function SignForm({ report, addendum, isShown, onClose, onSigned }: Omit<Props, 'opened'>) {
  const { id: addendumId, kind, content, passage, corrects, revision } = addendum;
  const { verb, done, failed } = texts[kind];
  const patient = patientNameAndId(report);
  const sign = useAction(reportAddenda.sign, {
    done,
    failed,
    refreshes: ['studies', 'reports', 'account'],
  });
  const signing = useSigning(report.signatureRequired, String(revision), sign.error);
  const stating = useIdentityStatement(report, sign.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [signed, stated] = [signing.check(), stating.check()];
    if (!signed || !stated || !isShown()) return;
    const body = { kind, content, passage, corrects, revision, ...signed, ...stated };
    sign.mutate({ params: { id: report.id, addendumId }, body }, { onSuccess: onSigned });
  };
  return (
    <DialogForm verb={verb} action={sign} onSubmit={submit} onCancel={onClose}>
      <Notice tone="warning">
        <Trans>
          Signing cannot be undone. The signed text is added to the report of <strong>{patient}</strong>.
        </Trans>
      </Notice>
      <div className={styles.preview}>
        {kind === 'CORRECTION' ? (
          <CorrectedPassage number={0} passage={passage} content={content} />
        ) : (
          <PartText number={0} content={content} />
        )}
      </div>
      <UnfilledInAddendum content={content} />
      <IdentityStatement stating={stating} />
      <SigningFields signing={signing} />
    </DialogForm>
  );
}

/** Lists the unfilled fields and the number of filled parts that the signer has not looked at. Both can be signed. */
function UnfilledInAddendum({ content }: { content: string }) {
  const unfilled = htmlToPlainText(content).match(placeholders()) ?? [];
  const unseen = unseenPartsNotice(unseenPartsIn(content).length);
  if (unfilled.length === 0 && unseen === undefined) return null;
  const fields = unfilled.join(', ');
  return (
    <Notice tone="warning">
      {unfilled.length > 0 && t`Unfilled fields: ${fields}`} {unseen}
    </Notice>
  );
}
