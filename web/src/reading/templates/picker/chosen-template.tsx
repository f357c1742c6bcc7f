import { t } from '@lingui/core/macro';
import { Button, Switch } from '@mantine/core';
import { laidOutHtml } from '@radwork/contract/reading/template-text';
import { type GlobalTemplate, type Template, templateFacts, templates } from '@radwork/contract/reading/templates';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { markPlacedByEditor } from '#reading/editor/extensions/caret-place.ts';
import { insertHtml, replaceRange } from '#reading/editor/extensions/insert.ts';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { goToFieldWithin } from '#reading/editor/extensions/template-fields.ts';
import { call, query } from '#core/http/api.ts';
import { usePreference } from '#core/state/preferences.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './template-picker.module.css';
import type { AvailableTemplate, useStudyFacts } from '#reading/templates/use-templates.ts';

type Props = {
  offered: AvailableTemplate;
  facts: ReturnType<typeof useStudyFacts>;
  editor: Editor;
  studyId: string;
  onDone: () => void;
};

const replacing = {
  question: t`Replace report text?`,
  consequence: t`The template replaces the current text. Use Undo to restore it.`,
  verb: t`Replace text`,
};

/** Previews the text that a template adds to this report, with filled merge fields. Inserts the text on request. */
export function ChosenTemplate({ offered, facts, editor, studyId, onDone }: Props) {
  const [normal, setNormal] = usePreference('templates.normal', ['off', 'on']);
  const current = useCurrentTemplate(offered);
  const { template } = current;
  const name = template?.name ?? '';
  if (current.error) {
    return (
      <ErrorState
        failed={template ? t`Failed to load template content` : t`Failed to fetch template`}
        error={current.error}
        onRetry={() => void current.refetch()}
      />
    );
  }
  if (!template) return <Skeleton lines={9} label={t`Loading template`} />;

  const { values = {}, exam } = facts.data ?? {};
  const html = laidOutHtml(template, { normal: normal === 'on', exam, values });
  const isEmpty = editor.state.doc.textContent.trim() === '';
  const noteUse = () => {
    // Errors are ignored: the choice only decides which template comes first next time.
    call(templateFacts.choose, { params: { id: studyId }, body: { templateId: template.id } }).catch(() => {});
    if (offered.isGlobal) return;
    // Errors are ignored: the number of uses only decides how a later deletion works.
    call(templates.noteUse, { params: { id: template.id } }).catch(() => {});
  };
  const insert = () => {
    const { from } = editor.state.selection;
    const sizeBehind = editor.state.doc.content.size - editor.state.selection.to;
    if (!insertHtml(editor, html)) return;
    goToFieldWithin(editor, { from, to: editor.state.doc.content.size - sizeBehind });
    noteUse();
    onDone();
  };
  const replace = async () => {
    if (!isEmpty && !(await confirm(replacing))) return;
    if (!replaceRange(editor, { from: 0, to: editor.state.doc.content.size }, { html })) return;
    goToFieldWithin(editor, { from: 0, to: editor.state.doc.content.size });
    markPlacedByEditor(editor);
    noteUse();
    onDone();
  };

  return (
    <>
      <div className={styles.preview} tabIndex={0} role="region" aria-label={t`Preview of ${name}`}>
        <ReportText html={html} />
      </div>
      {facts.error && <Notice tone="warning">{t`Could not load study data. Merge fields remain unfilled.`}</Notice>}
      <div className={styles.actions}>
        {template.normalFindings.length > 0 && (
          <Switch
            className={styles.normal}
            label={t`Normal findings`}
            checked={normal === 'on'}
            onChange={(event) => setNormal(event.currentTarget.checked ? 'on' : 'off')}
          />
        )}
        {!template.isActive && <span className={styles.refusal}>{t`Inactive templates cannot be inserted.`}</span>}
        {!isEmpty && (
          <Button variant="default" disabled={!template.isActive} onClick={() => void replace()}>
            {t`Replace text`}
          </Button>
        )}
        <Button disabled={!template.isActive} onClick={isEmpty ? () => void replace() : insert}>
          {isEmpty ? t`Insert` : t`Insert at cursor`}
        </Button>
      </div>
    </>
  );
}

type Current = {
  template: Template | GlobalTemplate | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
};

/**
 * Fetches the current version of an organization's template. For a global template, the list already has the whole
 * text.
 */
const useCurrentTemplate = ({ template, isGlobal }: AvailableTemplate): Current => {
  const fetched = useQuery({ ...query(templates.get, { params: { id: template.id } }), enabled: !isGlobal });
  if (isGlobal) return { template, error: null, refetch: async () => undefined };
  return { template: fetched.data, error: fetched.error, refetch: fetched.refetch };
};
