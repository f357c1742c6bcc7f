import { lazy, Suspense } from 'react';
import { insertText } from '#editor/insert.ts';
import { Skeleton } from '#ui/states.tsx';
import { MergeFieldMenu } from './merge-field-menu.tsx';
import styles from './template-editor.module.css';

// The editing engine is large; the list of templates does not wait for it.
const ReportEditor = lazy(async () => {
  const { ReportEditor: component } = await import('#editor/report-editor.tsx');
  return { default: component };
});

type Props = {
  start: string;
  onChange: (html: string) => void;
  /** Given how to have what was typed told at once. */
  onOpen: (tellNow: () => void) => void;
};

/** The text of one part of a template, written as a report is; with the fields that are filled in from the study. */
export function PartEditor({ start, onChange, onOpen }: Props) {
  return (
    <div className={styles.partText}>
      <Suspense fallback={<Skeleton lines={6} label="Loading editor" />}>
        <ReportEditor
          start={start}
          onChange={onChange}
          onOpen={onOpen}
          tools={(editor) => <MergeFieldMenu onChoose={(field) => insertText(editor, field)} />}
        />
      </Suspense>
    </div>
  );
}
