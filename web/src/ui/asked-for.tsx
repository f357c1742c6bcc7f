import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { ListNotice } from './list-notice.tsx';

/** Names a filter of the list that no field shows, and offers to clear it. */
export function AskedFor({ words, onClear }: { words: readonly string[]; onClear: () => void }) {
  if (words.length === 0) return null;
  return (
    <ListNotice
      tone="info"
      action={
        <Button size="compact-xs" variant="default" onClick={onClear}>
          {t`Show all`}
        </Button>
      }
    >
      <Trans>Only: {words.join(' · ')}</Trans>
    </ListNotice>
  );
}
