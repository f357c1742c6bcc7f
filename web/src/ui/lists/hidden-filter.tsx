import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { ListNotice } from './list-notice.tsx';

/** Names a filter that no field above the list shows, with a button to clear it. */
export function HiddenFilter({ words, onClear }: { words: readonly string[]; onClear: () => void }) {
  if (words.length === 0) return null;
  const filters = words.join(' · ');
  return (
    <ListNotice
      tone="info"
      action={
        <Button size="compact-xs" variant="default" onClick={onClear}>
          {t`Show all`}
        </Button>
      }
    >
      {t`Filter: ${filters}`}
    </ListNotice>
  );
}
