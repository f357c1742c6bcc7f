import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import styles from './attribute-changes-dialog.module.css';
import { saveCsv } from './save-csv.ts';
import { changesCsv, type KindOfChanges } from './deidentification.ts';

type Props = {
  opened: boolean;
  /** Changes by kind of file; undefined while the preview is computed. */
  kinds: readonly KindOfChanges[] | undefined;
  /** Whether files have been sent. The dialog then shows the changes made instead of a preview. */
  isDone: boolean;
  onClose: () => void;
};

/** Lists every changed attribute by kind of file. Never shows the values. */
export function AttributeChangesDialog({ opened, kinds, isDone, onClose }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={isDone ? t`Changes made` : t`Planned changes`}
      size={640}
      withCloseButton={false}
    >
      <p className={styles.about}>
        {isDone ? t`The numbers count all sent files.` : t`Tested on one file of each kind. Nothing was sent.`}{' '}
        {t`Values are not listed. Pixels are never changed.`}
      </p>
      <div className={styles.list} tabIndex={0} role="region" aria-label={t`Changed attributes`}>
        {kinds ? kinds.map((kind) => <Kind key={kind.kind} kind={kind} />) : <p role="status">{t`Reading files…`}</p>}
      </div>
      <div className={styles.buttons}>
        <Button
          variant="default"
          disabled={!kinds}
          onClick={() => saveCsv('de-identification.csv', changesCsv(kinds ?? []))}
        >
          {t`Save list of changes`}
        </Button>
        <Button data-autofocus onClick={onClose}>
          {t`Close`}
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
          {formatNumber(files)} {files === 1 ? 'file' : 'files'}
        </span>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t`Attribute`}</th>
          <th scope="col">{t`Change`}</th>
          <th scope="col">{t`Count`}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ attribute, kind: how, count }) => (
          <tr key={`${attribute} ${how}`}>
            <th scope="row">{attribute}</th>
            <td>{how}</td>
            <td>{formatNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
