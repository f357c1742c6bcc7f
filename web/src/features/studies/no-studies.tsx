import { Button } from '@mantine/core';
import { archive } from '@radwork/contract/archive';
import { IconSearchOff, IconStack, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/session.ts';
import { EmptyState } from '#ui/states.tsx';
import type { StudiesSearch } from './studies-search.ts';

/** An empty list: because of the filters, or because nothing has arrived yet. */
export function NoStudies({ search, onClear }: { search: StudiesSearch; onClear: () => void }) {
  const isFiltered = [search.query, search.modality, search.status, search.startDate, search.endDate].some(Boolean);
  if (!isFiltered) return <NoStudiesYet />;
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No studies match these filters"
      detail="Try a wider date range, or fewer filters."
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  );
}

function NoStudiesYet() {
  const upload = may(archive.store) && (
    <Button leftSection={<IconUpload size={16} />} renderRoot={(props) => <Link to="/studies/create" {...props} />}>
      Upload images
    </Button>
  );
  return (
    <EmptyState
      icon={IconStack}
      title="No studies yet"
      detail="Studies appear here as soon as their images arrive."
      action={upload}
    />
  );
}

/** The way from one study, which a link named, to all of them. */
export function OnlyThisStudy({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState
      icon={IconStack}
      title="A link asked for this study only"
      action={
        <Button variant="default" onClick={onShowAll}>
          Show all studies
        </Button>
      }
    />
  );
}
