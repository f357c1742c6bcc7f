import { Button } from '@mantine/core';
import { Dialog } from '#ui/dialog.tsx';
import styles from './changes-dialog.module.css';
import { saveCsv } from './save-csv.ts';
import { changesCsv, type KindOfChanges } from './deidentification.ts';

type Props = {
  opened: boolean;
  /** Undefined while the preview is computed. */
  kinds: readonly KindOfChanges[] | undefined;
  /** True once files have been sent: the dialog shows the changes made, not a preview. */
  isDone: boolean;
  onClose: () => void;
};

/** Lists every changed attribute by kind of file; never shows the values. */
export function ChangesDialog({ opened, kinds, isDone, onClose }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={isDone ? 'What was changed' : 'What will be changed'}
      size={640}
      withCloseButton={false}
    >
      <p className={styles.about}>
        {isDone
          ? 'Counted over all files that have been sent.'
          : 'Tried on one file of each kind; nothing has been sent.'}{' '}
        Values are not listed. Pixels are never changed.
      </p>
      <div className={styles.list} tabIndex={0} role="region" aria-label="Changed attributes">
        {kinds ? kinds.map((kind) => <Kind key={kind.kind} kind={kind} />) : <p role="status">Looking into files…</p>}
      </div>
      <div className={styles.buttons}>
        <Button
          variant="default"
          disabled={!kinds}
          onClick={() => saveCsv('de-identification.csv', changesCsv(kinds ?? []))}
        >
          Save list of changes
        </Button>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Kind({ kind: { kind, files, changes } }: { kind: KindOfChanges }) {
  return (
    <table className={styles.table}>
      <caption>
        {kind}{' '}
        <span>
          {files.toLocaleString('en-US')} {files === 1 ? 'file' : 'files'}
        </span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Change</th>
          <th scope="col">Count</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ attribute, kind: how, count }) => (
          <tr key={`${attribute} ${how}`}>
            <th scope="row">{attribute}</th>
            <td>{how}</td>
            <td>{count.toLocaleString('en-US')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
