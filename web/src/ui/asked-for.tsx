import { Button } from '@mantine/core';
import { ListNotice } from './list-notice.tsx';

/** Says what a list is filtered by that none of its fields show, and takes it away. */
export function AskedFor({ words, onClear }: { words: readonly string[]; onClear: () => void }) {
  if (words.length === 0) return null;
  return (
    <ListNotice
      tone="info"
      action={
        <Button size="compact-xs" variant="default" onClick={onClear}>
          Show all
        </Button>
      }
    >
      Only: {words.join(' · ')}
    </ListNotice>
  );
}
