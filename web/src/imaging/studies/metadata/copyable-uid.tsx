import { t } from '@lingui/core/macro';
import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import styles from './copyable-uid.module.css';

/** A complete UID with a copy button. UIDs may have 64 characters. */
export function CopyableUid({ uid, name }: { uid: string; name: string }) {
  return (
    <span className={styles.uid}>
      <span className={styles.digits}>{uid}</span>
      <CopyButton value={uid}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t`Copied` : t`Copy ${name}`}>
            <ActionIcon size={24} aria-label={copied ? t`Copied` : t`Copy ${name}`} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  );
}
