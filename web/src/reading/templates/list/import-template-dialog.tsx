import { t } from '@lingui/core/macro';
import { Button, FileInput, NativeSelect, TextInput } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import {
  largestTemplateFile,
  type ReadTemplate,
  templates,
  type TemplateText,
} from '@radwork/contract/reading/templates';
import { useState } from 'react';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './import-template-dialog.module.css';
import { TemplatePreview } from '#reading/templates/editing/template-preview.tsx';

type Props = { opened: boolean; onClose: () => void; onSaved: (id: string) => void };

/** Imports an IHE MRRT file. Before saving, shows the template and the parts of the file that the import leaves out. */
export function ImportTemplateDialog({ opened, onClose, onSaved }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Import MRRT template`} size={820}>
      <Import onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

function Import({ onClose, onSaved }: Omit<Props, 'opened'>) {
  const [read, setRead] = useState<ReadTemplate>();
  const reading = useAction(templates.readMrrt, { failed: t`Failed to read file` });
  const choose = async (file: File | null) => {
    setRead(undefined);
    if (!file) return;
    if (file.size > largestTemplateFile) {
      toast.failure(t`The file is larger than 512 KB`);
      return;
    }
    reading.mutate({ body: { html: await file.text() } }, { onSuccess: setRead });
  };
  return (
    <div className={styles.import}>
      <FileInput
        label={t`HTML file`}
        description={t`IHE MRRT report template, up to 512 KB. Scripts are ignored.`}
        placeholder={t`Select a file`}
        accept=".html,.htm,.xhtml,text/html"
        clearable
        data-autofocus
        onChange={(file) => void choose(file)}
      />
      {reading.error && <Notice tone="danger">{errorMessageOf(reading.error, t`Failed to read file`)}</Notice>}
      {read && <ReadForm key={read.form.name} read={read} onClose={onClose} onSaved={onSaved} />}
    </div>
  );
}

type ReadProps = { read: ReadTemplate; onClose: () => void; onSaved: (id: string) => void };

function ReadForm({ read, onClose, onSaved }: ReadProps) {
  const [form, setForm] = useState<TemplateText>(read.form);
  const save = useAction(templates.create, { done: t`Template saved`, failed: t`Failed to save template` });
  const faults = fieldErrorsOf(save.error);
  return (
    <>
      {read.leftOut.length > 0 && (
        <Notice tone="warning">
          {t`Not imported:`}
          <ul className={styles.leftOut}>
            {read.leftOut.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={styles.fields}>
        <TextInput
          label={t`Name`}
          withAsterisk
          maxLength={120}
          value={form.name}
          error={faults.name}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <NativeSelect
          label={t`Modality`}
          withAsterisk
          value={form.modality}
          error={faults.modality}
          onChange={(event) => setForm({ ...form, modality: event.currentTarget.value })}
          data={[{ value: '', label: t`Select` }, ...modalities]}
        />
      </div>
      <div className={styles.preview} tabIndex={0} role="region" aria-label={t`Preview`}>
        <TemplatePreview text={form} />
      </div>
      {save.error && <Notice tone="danger">{errorMessageOf(save.error, t`Failed to save template`)}</Notice>}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button
          loading={save.isPending}
          onClick={() =>
            save.mutate(
              { body: form },
              {
                onSuccess: ({ id }) => {
                  onClose();
                  onSaved(id);
                },
              },
            )
          }
        >
          {t`Save template`}
        </Button>
      </div>
    </>
  );
}
