import { t } from '@lingui/core/macro';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import { atlasKind, type Text } from './library-kinds.ts';
import { LibraryScreen } from './library-screen.tsx';

const route = getRouteApi('/signed-in/shell/atlas');

const columns: Column<Text>[] = [
  { id: 'modality', header: t`Modality`, cell: ({ row }) => row.original.modality },
  { id: 'bodyPart', header: t`Body Part`, cell: ({ row }) => row.original.bodyPart },
];

/** Screen /atlas: reference cases with their files. */
export function AtlasScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  return (
    <LibraryScreen
      kind={atlasKind}
      search={search}
      columns={columns}
      onChange={(next) => void navigate({ from: '/atlas', to: '/atlas', search: (before) => ({ ...before, ...next }) })}
    />
  );
}
