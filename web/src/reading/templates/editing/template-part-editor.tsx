import { t } from '@lingui/core/macro';
import { insertText } from '#reading/editor/extensions/insert.ts';
import { ReportEditorOnDemand } from '#reading/editor/report-editor-on-demand.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { FieldMenu } from '#reading/templates/field-menu.tsx';
import { MergeFieldMenu } from '#reading/templates/merge-field-menu.tsx';
import styles from './template-editor.module.css';

type Props = {
  start: string;
  onChange: (html: string) => void;
  /** Receives a function that makes the editor report its text without delay. */
  onOpen: (flush: () => void) => void;
};

/** Edits one part of a template with the report editor. Its toolbar also has merge fields. */
export function TemplatePartEditor({ start, onChange, onOpen }: Props) {
  return (
    <div className={styles.partText}>
      <ReportEditorOnDemand
        waiting={<Skeleton lines={6} label={t`Loading editor`} />}
        start={start}
        onChange={onChange}
        onOpen={onOpen}
        tools={(editor) => (
          <>
            <MergeFieldMenu onChoose={(field) => insertText(editor, field)} />
            {/* A template keeps the source of a field. `insertText` would lay it out, as in a report. */}
            <FieldMenu
              onChoose={(field) => editor.chain().focus().insertContent({ type: 'text', text: field }).run()}
            />
          </>
        )}
      />
    </div>
  );
}
