import { t } from '@lingui/core/macro';
import { Button, Checkbox, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { productName } from '#core/browser/product.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { useSession } from '#core/state/session.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './account.module.css';

/** Shows the recovery codes once. The user must confirm that the codes are stored before continuing. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [areCodesSaved, setKept] = useState(false);
  const session = useSession();
  const user = session?.user.username ?? '';
  const organization = session?.tenant.name ?? '';
  const whose = t`${productName} recovery codes for ${user}, ${organization}`;
  const use = t`Each code works once, in place of a code from the authenticator app.`;
  const text = [whose, use, '', ...codes, ''].join('\n');
  const download = () => saveFile('radwork-recovery-codes.txt', new Blob([text], { type: 'text/plain' }));
  return (
    <div className={styles.steps}>
      <Notice tone="warning">
        {t`These codes are shown once. Store them apart from your phone. Each code lets you sign in once.`}
      </Notice>
      <div className={styles.paper}>
        <p className="visually-hidden">{whose}</p>
        <ul className={styles.codes} aria-label={t`Recovery codes`}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className={styles.buttons}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? t`Copied` : t`Copy`}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
          {t`Download`}
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
          {t`Print`}
        </Button>
      </div>
      <Checkbox
        label={t`I have stored these codes`}
        checked={areCodesSaved}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <div className={styles.buttons}>
        <Button disabled={!areCodesSaved} onClick={onDone}>
          {t`Done`}
        </Button>
      </div>
    </div>
  );
}
