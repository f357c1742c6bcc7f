import { t } from '@lingui/core/macro';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Column } from '#ui/tables/data-table.tsx';
import { guidelineKind, type Text } from './library-kinds.ts';
import { LibraryScreen } from './library-screen.tsx';

const route = getRouteApi('/signed-in/shell/guidelines');

const previewLength = 100;

/** Returns the beginning of a text, counted in code points. */
export const previewOf = (content: string): string => {
  const characters = Array.from(content);
  if (characters.length === 0) return guidelineKind.says.noWords;
  return characters.length > previewLength ? `${characters.slice(0, previewLength).join('')}...` : content;
};

const columns: Column<Text>[] = [
  { id: 'content', header: t`Content`, meta: { takesRest: true }, cell: ({ row }) => previewOf(row.original.words) },
];

/** Screen /guidelines: the organization's guidelines with attachments. */
export function GuidelinesScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  return (
    <LibraryScreen
      kind={guidelineKind}
      search={search}
      columns={columns}
      onChange={(next) =>
        void navigate({ from: '/guidelines', to: '/guidelines', search: (before) => ({ ...before, ...next }) })
      }
    />
  );
}
