import { t } from '@lingui/core/macro';
import { Button, Tabs } from '@mantine/core';
import {
  type GlobalTemplate,
  type Template,
  templateText,
  type TemplateText,
} from '@radwork/contract/reading/templates';
import { IconArrowLeft } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { z } from 'zod';
import { errorMessageOf } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useSaveUnsavedForm, useUnsavedForm } from '#ui/forms/use-unsaved-form.ts';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { FieldOverview } from './field-overview.tsx';
import { NormalFindingsEditor } from './normal-findings-editor.tsx';
import { SectionsEditor } from './sections-editor.tsx';
import { TemplateConflict } from './template-conflict.tsx';
import { textOf, useTemplateDraft } from './template-draft.ts';
import styles from './template-editor.module.css';
import { TemplateFields } from './template-fields.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { TemplateVersions } from './template-versions.tsx';
import { useTemplateSaving } from './use-template-saving.ts';

type Props = {
  kind: 'own' | 'global';
  start: TemplateText;
  /** Current version of the template on the server; undefined for a new template. */
  stored: Template | GlobalTemplate | undefined;
  onClose: () => void;
  onCreated: (id: string) => void;
};

const unsaved = {
  question: t`Leave without saving template?`,
  consequence: t`Your unsaved changes are lost.`,
  verb: t`Leave without saving`,
};

/** Unsaved text and the version of the template on which it is based. */
const storedDraft = z.object({ text: templateText, version: z.number() });

/** Fields above the text that show their own errors. Errors of other parts appear in a message. */
const shownFields = new Set(['name', 'modality', 'bodyPart', 'description']);

const isShownAtFields = (faults: Record<string, string>): boolean => {
  const fields = Object.keys(faults);
  return fields.length > 0 && fields.every((field) => shownFields.has(field));
};

const stateOf = (stored: Props['stored'], isChanged: boolean): string => {
  if (!stored) return t`Not saved`;
  const { version } = stored;
  return isChanged ? t`Version ${version} · changed` : t`Version ${version}`;
};

export function TemplateEditor({ kind, start, stored, onClose, onCreated }: Props) {
  const unsavedDraft = useUnsavedForm(`template-edit.${kind}.${stored?.id ?? 'new'}`, storedDraft);
  const writing = useTemplateDraft(start, unsavedDraft.found?.text);
  const saving = useTemplateSaving({ kind, stored, writing, begunOn: unsavedDraft.found?.version, onCreated });
  const { draft, isChanged } = writing;
  const normalCount = draft.normalFindings.length;
  useSaveUnsavedForm(unsavedDraft, isChanged ? { text: textOf(draft), version: saving.seen } : undefined);
  useLeaveWarning(isChanged, unsaved);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    saving.save();
  };

  return (
    // Ctrl+S saves from anywhere in the editor.
    <div className={styles.editor} onKeyDown={onKeyDown}>
      <ScreenTitle
        title={stored ? stored.name : kind === 'own' ? t`Create template` : t`Create global template`}
        actions={
          <>
            <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
              {t`All templates`}
            </Button>
            <Button loading={saving.isPending} disabled={!isChanged && stored !== undefined} onClick={saving.save}>
              {t`Save template`}
            </Button>
          </>
        }
      >
        <span className={styles.state}>{stateOf(stored, isChanged)}</span>
      </ScreenTitle>
      <div className={styles.notices}>
        {unsavedDraft.found && isChanged && !saving.error && (
          <Notice tone="info">{t`Your unsaved entries were restored.`}</Notice>
        )}
        {saving.changedMeanwhile && (
          <TemplateConflict
            storedTemplate={saving.changedMeanwhile}
            mine={textOf(draft)}
            onKeep={saving.keepMine}
            onAdopt={saving.takeTheirs}
          />
        )}
        {saving.error && !saving.changedMeanwhile && !isShownAtFields(saving.faults) && (
          <Notice tone="danger">{errorMessageOf(saving.error, t`Failed to save template`)}</Notice>
        )}
      </div>
      <TemplateFields writing={writing} faults={saving.faults} />
      <FieldOverview text={textOf(draft)} />
      <Tabs defaultValue="text" className={styles.tab} keepMounted={false}>
        <Tabs.List className={styles.tabs}>
          <Tabs.Tab value="text">{t`Text`}</Tabs.Tab>
          <Tabs.Tab value="normal">{t`Normal findings (${normalCount})`}</Tabs.Tab>
          <Tabs.Tab value="preview">{t`Preview`}</Tabs.Tab>
          {stored && kind === 'own' && <Tabs.Tab value="versions">{t`Versions`}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="text" className={styles.tab}>
          <SectionsEditor key={saving.generation} writing={writing} />
        </Tabs.Panel>
        <Tabs.Panel value="normal" className={styles.tab}>
          <NormalFindingsEditor key={saving.generation} writing={writing} />
        </Tabs.Panel>
        <Tabs.Panel value="preview" className={styles.scrolled}>
          <TemplatePreview text={textOf(draft)} />
        </Tabs.Panel>
        {stored && (
          <Tabs.Panel value="versions" className={styles.scrolled}>
            <TemplateVersions id={stored.id} now={textOf(draft)} onRestore={saving.restore} />
          </Tabs.Panel>
        )}
      </Tabs>
    </div>
  );
}
