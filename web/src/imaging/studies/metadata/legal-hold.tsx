import { t } from '@lingui/core/macro';
import { Button, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { ownOrganization } from '@radwork/contract/identity/tenants';
import { legalHoldForm, studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useState } from 'react';
import { useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';
import { StudyFacts } from './study-facts.tsx';

type HeldStudy = Pick<StudyDetails, 'id' | 'isOnLegalHold'>;

/** Shows the legal hold of a study. Users with the permission can change it here. */
export function LegalHold({ study }: { study: HeldStudy }) {
  const [isOpen, setOpen] = useState(false);
  const mayDecide = may(studies.setLegalHold) && may(ownOrganization.save);
  if (!study.isOnLegalHold && !mayDecide) return null;
  return (
    <>
      <StudyFacts
        title={t`Legal hold`}
        facts={[
          {
            label: t`State`,
            value: study.isOnLegalHold ? t`On legal hold. The study cannot be deleted.` : t`Not on legal hold`,
          },
          ...(mayDecide
            ? [
                {
                  label: t`Change`,
                  value: (
                    <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
                      {study.isOnLegalHold ? t`Release from legal hold` : t`Put on legal hold`}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={study.isOnLegalHold ? t`Release from legal hold?` : t`Put on legal hold?`}
        size={420}
      >
        <HoldForm study={study} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function HoldForm({ study: { id, isOnLegalHold }, onClose }: { study: HeldStudy; onClose: () => void }) {
  const save = useAction(studies.setLegalHold, {
    done: isOnLegalHold ? t`Study released from legal hold` : t`Study put on legal hold`,
    failed: t`Could not change legal hold`,
  });
  const form = useForm({
    initialValues: { isOnLegalHold: !isOnLegalHold, reason: '' },
    validate: schemaResolver(legalHoldForm, { sync: true }),
  });
  return (
    <DialogForm
      verb={isOnLegalHold ? t`Release from legal hold` : t`Put on legal hold`}
      action={save}
      onCancel={onClose}
      onSubmit={form.onSubmit(
        (body) => save.mutate({ params: { id }, body }, { onSuccess: onClose }),
        (faults) => focusFirstInvalid(form.getInputNode, faults),
      )}
    >
      <p>
        {isOnLegalHold
          ? t`The study can be deleted again and is purged after its retention period in the recycle bin.`
          : t`The study cannot be deleted until it is released.`}{' '}
        {t`Your name and the reason are recorded in the audit log.`}
      </p>
      <Textarea label={t`Reason`} withAsterisk data-autofocus rows={3} {...form.getInputProps('reason')} />
    </DialogForm>
  );
}
