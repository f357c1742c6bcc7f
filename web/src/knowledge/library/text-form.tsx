import { t } from '@lingui/core/macro';
import { Autocomplete, Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modalities } from '@radwork/contract/core/modalities';
import { useState } from 'react';
import { ApiError } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { areSendable, FileChooser, Sending } from './file-chooser.tsx';
import type { Fields, LibraryKind, Text } from './library-kinds.ts';
import styles from './library.module.css';
import { useTextUpload } from './use-text-upload.ts';

/** Frequent body parts, as DICOM names them (PS3.16 Annex L). */
const commonBodyParts =
  'ABDOMEN ANKLE BRAIN BREAST CHEST CSPINE FOOT HAND HEAD HEART HIP KNEE LSPINE NECK PELVIS PROSTATE SHOULDER SPINE THYROID TSPINE WRIST'.split(
    ' ',
  );
const blank: Fields = { title: '', author: '', modality: '', bodyPart: '', words: '' };

type Props = { kind: LibraryKind; text: Text | undefined; onClose: () => void };

/** Dialog that creates or edits a text and its files. Keeps the typed text until it is saved. */
export function TextForm({ kind, text, onClose }: Props) {
  const { says } = kind;
  return (
    <Dialog opened onClose={onClose} title={text ? says.update : says.create} size={640} closeOnClickOutside={false}>
      <Form kind={kind} text={text} onClose={onClose} />
    </Dialog>
  );
}

/** Returns the errors of the fields, with the messages of the contract. */
const validate =
  ({ schema, wordsField }: LibraryKind) =>
  ({ words, ...fields }: Fields) => {
    const issues = schema.safeParse({ ...fields, [wordsField]: words }).error?.issues ?? [];
    return renamed(kindFaults(issues.map(({ path, message }) => [String(path[0]), message])), wordsField);
  };
const kindFaults = (pairs: [string, string][]): Record<string, string> => Object.fromEntries(pairs);
const renamed = (faults: Record<string, string>, wordsField: string): Record<string, string> =>
  Object.fromEntries(Object.entries(faults).map(([field, words]) => [field === wordsField ? 'words' : field, words]));

function Form({ kind, text, onClose }: Props) {
  const { says } = kind;
  const [files, setFiles] = useState<File[]>([]);
  const form = useForm<Fields>({
    initialValues: text
      ? { title: text.title, author: text.author, modality: text.modality, bodyPart: text.bodyPart, words: text.words }
      : blank,
    validate: validate(kind),
  });
  const done = text ? says.updated : says.created;
  const sending = useTextUpload(kind, { done, failed: says.failedToSave }, onClose);
  const faults = renamed(sending.faults, kind.wordsField);
  const fault = (field: keyof Fields) => form.errors[field] ?? faults[field];
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(
        (fields) => void sending.send({ known: text, fields, files }),
        (wrong) => focusFirstInvalid(form.getInputNode, wrong),
      )}
    >
      <TextInput
        label={t`Title`}
        withAsterisk
        data-autofocus
        maxLength={200}
        {...form.getInputProps('title')}
        error={fault('title')}
      />
      <TextInput
        label={t`Author`}
        withAsterisk
        maxLength={120}
        {...form.getInputProps('author')}
        error={fault('author')}
      />
      <div className={styles.pair}>
        <NativeSelect
          label={t`Modality`}
          data={[{ value: '', label: t`Any` }, ...modalities]}
          {...form.getInputProps('modality')}
          error={fault('modality')}
        />
        <Autocomplete
          label={t`Body Part`}
          placeholder={t`Any`}
          maxLength={64}
          data={commonBodyParts}
          {...form.getInputProps('bodyPart')}
          error={fault('bodyPart')}
        />
      </div>
      <Textarea
        label={says.wordsLabel}
        withAsterisk={kind.wordsField === 'content'}
        rows={kind.wordsField === 'content' ? 8 : 4}
        resize="vertical"
        {...form.getInputProps('words')}
        error={fault('words')}
      />
      <FileChooser label={says.files} accept={kind.accept} files={files} onFiles={setFiles} faultOf={sending.faultOf} />
      {kind.accept.includes('dcm') && (
        <p className="muted">{t`DICOM files are stored unchanged, including patient names. Anonymize them first.`}</p>
      )}
      {sending.error && (
        <Notice tone="danger">
          {sending.error instanceof ApiError && sending.error.isFromServer ? sending.error.message : says.failedToSave}
        </Notice>
      )}
      <Sending share={sending.share} />
      <div className={styles.buttons}>
        {sending.isPending ? (
          <Button variant="default" onClick={sending.cancel}>
            {t`Cancel`}
          </Button>
        ) : (
          <CancelButton onCancel={onClose} />
        )}
        <Button type="submit" loading={sending.isPending} disabled={!areSendable(files, kind.accept)}>
          {text ? says.update : says.create}
        </Button>
      </div>
    </form>
  );
}
