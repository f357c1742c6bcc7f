import { insertText } from '#editor/insert.ts';
import { LateReportEditor } from '#editor/late-report-editor.tsx';
import { Skeleton } from '#ui/states.tsx';
import { MergeFieldMenu } from './merge-field-menu.tsx';
import styles from './template-editor.module.css';

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
      <LateReportEditor
        waiting={<Skeleton lines={6} label="Loading editor" />}
        start={start}
        onChange={onChange}
        onOpen={onOpen}
        tools={(editor) => <MergeFieldMenu onChoose={(field) => insertText(editor, field)} />}
      />
    </div>
  );
}
