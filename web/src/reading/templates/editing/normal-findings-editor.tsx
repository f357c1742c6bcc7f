import { t } from '@lingui/core/macro';
import { Autocomplete, Button, NativeSelect } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { TemplatePartEditor } from './template-part-editor.tsx';
import { type DraftNormal, newNormal, type TemplateWriting } from './template-draft.ts';
import { bodyPartLabel } from '#reading/templates/template-filter.ts';
import styles from './template-editor.module.css';

/** Editor for the normal findings of a template, by body part and modality. */
export function NormalFindingsEditor({ writing: { draft, change, listenTo } }: { writing: TemplateWriting }) {
  const { normalFindings } = draft;
  const [chosenKey, setChosenKey] = useState(normalFindings[0]?.key);
  const selectedFindings = normalFindings.find(({ key }) => key === chosenKey);
  const setAll = (next: (all: readonly DraftNormal[]) => readonly DraftNormal[]) =>
    change((before) => ({ ...before, normalFindings: next(before.normalFindings) }));
  const set = (key: string, fields: Partial<DraftNormal>) =>
    setAll((all) => all.map((finding) => (finding.key === key ? { ...finding, ...fields } : finding)));
  const add = () => {
    const finding = { ...newNormal(), bodyPart: draft.bodyPart, modality: draft.modality };
    setAll((all) => [...all, finding]);
    setChosenKey(finding.key);
  };
  const remove = (finding: DraftNormal) => {
    setAll((all) => all.filter(({ key }) => key !== finding.key));
    setChosenKey(normalFindings.find(({ key }) => key !== finding.key)?.key);
    offerUndo(t`Normal findings deleted`, () => {
      setAll((all) => [...all, finding]);
      setChosenKey(finding.key);
    });
  };

  return (
    <div className={styles.parts}>
      <div className={styles.rail}>
        {normalFindings.map((finding) => (
          <button
            key={finding.key}
            type="button"
            className={styles.part}
            aria-pressed={finding.key === chosenKey}
            onClick={() => setChosenKey(finding.key)}
          >
            {[finding.modality, bodyPartLabel(finding.bodyPart)].filter(Boolean).join(' ') || t`All studies`}
          </button>
        ))}
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
          {t`Create normal findings`}
        </Button>
      </div>
      <div className={styles.content}>
        {selectedFindings ? (
          <>
            <div className={styles.partHead}>
              <NativeSelect
                aria-label={t`Modality of these findings`}
                value={selectedFindings.modality}
                onChange={(event) => set(selectedFindings.key, { modality: event.currentTarget.value })}
                data={[{ value: '', label: t`Any modality` }, ...modalities]}
              />
              <Autocomplete
                aria-label={t`Body part of these findings`}
                placeholder={t`Any body part`}
                maxLength={64}
                value={selectedFindings.bodyPart}
                onChange={(bodyPart) => set(selectedFindings.key, { bodyPart: bodyPart.toUpperCase() })}
              />
              <Button
                variant="default"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() => remove(selectedFindings)}
              >
                {t`Delete`}
              </Button>
            </div>
            <TemplatePartEditor
              key={selectedFindings.key}
              start={selectedFindings.content}
              onChange={(content) => set(selectedFindings.key, { content })}
              onOpen={listenTo}
            />
          </>
        ) : (
          <EmptyState
            title={t`No normal findings`}
            detail={t`Normal findings fill the findings section of a report.`}
          />
        )}
      </div>
    </div>
  );
}
