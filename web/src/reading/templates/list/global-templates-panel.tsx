import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { globalTemplates, type GlobalTemplate } from '@radwork/contract/reading/templates';
import { IconPlus, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { TemplateName } from './template-columns.tsx';
import { bodyPartLabel, isFound } from '#reading/templates/template-filter.ts';
import { TemplateFilters } from './template-filters.tsx';
import { TemplatePreview } from '#reading/templates/editing/template-preview.tsx';
import type { TemplatesSearch } from './templates-search.ts';
import styles from './templates-screen.module.css';
import { canEditGlobals } from '#reading/templates/template-permissions.ts';

type Props = { search: TemplatesSearch; onSearch: (search: TemplatesSearch) => void; onOpen: (id: string) => void };

/** List of global templates. Every user can read and copy them; users who manage the installation can edit them. */
export function GlobalTemplatesPanel({ search, onSearch, onOpen }: Props) {
  const list = useQuery(query(globalTemplates.list, {}));
  const columns = useGlobalColumns(onOpen);
  const matches = list.data?.filter((template) => isFound(template, search));
  return (
    <>
      <div className={styles.bar}>
        <TemplateFilters filter={search} onFilter={onSearch} />
        {canEditGlobals() && (
          <div className={styles.atEnd}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
              {t`Create global template`}
            </Button>
          </div>
        )}
      </div>
      <DataTable
        label={t`global templates`}
        items={matches}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`preview`, show: (template) => <TemplatePreview text={template} /> }}
      >
        {list.error && !list.data && (
          <ErrorState failed={t`Failed to load templates`} error={list.error} onRetry={() => void list.refetch()} />
        )}
        {matches?.length === 0 && (
          <EmptyState icon={IconTemplate} title={t`No templates found matching your criteria`} />
        )}
      </DataTable>
    </>
  );
}

const useGlobalColumns = (onOpen: (id: string) => void): Column<GlobalTemplate>[] => {
  const { mutate: copy } = useAction(globalTemplates.copy, {
    done: t`Template copied`,
    failed: t`Failed to copy template`,
  });
  const { mutate: remove } = useAction(globalTemplates.remove, {
    done: t`Global template deleted`,
    failed: t`Failed to delete template`,
  });
  return useMemo(() => {
    const askToRemove = async ({ id, name }: GlobalTemplate) => {
      const agreed = await confirm({
        question: t`Delete global template?`,
        consequence: t`“${name}” will no longer be available to any organization. Existing copies remain.`,
        verb: t`Delete template`,
      });
      if (agreed) remove({ params: { id } });
    };
    return globalColumns({
      onCopy: ({ id }) => copy({ params: { id } }),
      onEdit: ({ id }) => onOpen(id),
      onRemove: (template) => void askToRemove(template),
    });
  }, [copy, remove, onOpen]);
};

type Actions = Record<'onCopy' | 'onEdit' | 'onRemove', (template: GlobalTemplate) => void>;

const globalColumns = (actions: Actions): Column<GlobalTemplate>[] => [
  {
    id: 'name',
    header: t`Name`,
    meta: { isRowName: true, takesRest: true },
    cell: ({ row }) => <TemplateName text={row.original} />,
  },
  {
    id: 'modality',
    header: t`Modality`,
    meta: { card: { order: 1 } },
    cell: ({ row }) => <ModalityTag modality={row.original.modality} />,
  },
  {
    id: 'bodyPart',
    header: t`Body part`,
    meta: { card: { order: 2 } },
    cell: ({ row }) => bodyPartLabel(row.original.bodyPart),
  },
  {
    id: 'by',
    header: t`Updated by`,
    meta: { card: { label: t`Updated by`, order: 3 } },
    cell: ({ row: { original } }) => (original.isStarter ? t`Included with Radwork` : original.updatedBy),
  },
  {
    id: 'actions',
    header: t`Actions`,
    meta: { isTitleHidden: true, card: { order: 4 } },
    cell: ({ row }) => <GlobalActions template={row.original} actions={actions} />,
  },
];

function GlobalActions({ template, actions }: { template: GlobalTemplate; actions: Actions }) {
  const { name, isStarter } = template;
  const button = (label: string, ariaLabel: string, act: (template: GlobalTemplate) => void) => (
    <Button size="compact-xs" variant="default" aria-label={ariaLabel} onClick={() => act(template)}>
      {label}
    </Button>
  );
  return (
    <span className={styles.rowActions}>
      {canEditGlobals() && !isStarter && button(t`Edit`, t`Edit ${name}`, actions.onEdit)}
      {canEditGlobals() && !isStarter && button(t`Delete`, t`Delete ${name}`, actions.onRemove)}
      {button(t`Copy`, t`Copy ${name}`, actions.onCopy)}
    </span>
  );
}
