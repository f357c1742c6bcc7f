import { VirtualRows } from '#ui/tables/virtual-rows.tsx';
import { FileName } from './file-name.tsx';
import styles from './file-names-note.module.css';

type Props = {
  title: string;
  files: readonly { name: string; why?: string }[];
};

const rowHeight = 38;
const rowsShown = 5;

/** Collapsible list of file names, each with a note. The list may contain tens of thousands of files. */
export function FileNamesNote({ title, files }: Props) {
  return (
    <details className={styles.note}>
      <summary>{title}</summary>
      <div className={styles.names} style={{ height: Math.min(files.length, rowsShown) * rowHeight }}>
        <VirtualRows label={title} count={files.length} rowHeight={rowHeight} keyOf={(index) => index}>
          {(index) => <Name file={files[index]} />}
        </VirtualRows>
      </div>
    </details>
  );
}

function Name({ file }: { file: Props['files'][number] | undefined }) {
  if (!file) return null;
  return (
    <>
      <FileName name={file.name} />
      {file.why && (
        <p className={styles.why} title={file.why}>
          {file.why}
        </p>
      )}
    </>
  );
}
