import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { archive } from '@radwork/contract/imaging/archive';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDotsVertical,
  IconDownload,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { ColumnsMenu } from '#ui/tables/data-table-columns-menu.tsx';
import type { Arrangement } from '#ui/tables/data-table-columns.ts';
import { SavedViewsMenu } from '#imaging/studies/saved-views/saved-views-menu.tsx';
import type { StudiesSearch } from './studies-search.ts';
import { useDensity } from './use-density.ts';

type Props = {
  arrangement: Arrangement<StudyRow>;
  search: StudiesSearch;
  /** Called with the ID of a view that was just saved. */
  onSaved: (id: string) => void;
  /** Exports the list. Absent for users who may not export. */
  onExport: (() => void) | undefined;
};

/** Actions next to the title of the study list: saved views, row density, export, recycle bin and new study. */
export function ListActions({ arrangement, search, onSaved, onExport }: Props) {
  const [density, setDensity] = useDensity();
  const isCompact = density === 'compact';
  const Icon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <>
      <SavedViewsMenu search={search} onSaved={onSaved} />
      <Tooltip label={isCompact ? t`Compact rows` : t`Standard rows`}>
        <ActionIcon
          size={30}
          aria-label={t`Compact rows`}
          aria-pressed={isCompact}
          onClick={() => setDensity(isCompact ? 'standard' : 'compact')}
        >
          <Icon size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <ColumnsMenu arrangement={arrangement} />
      {(may(studies.deleted) || onExport) && <MoreMenu onExport={onExport} />}
      {may(archive.store) && (
        <Button
          leftSection={<IconPlus size={16} />}
          renderRoot={(props) => <Link to="/studies/create" preload="intent" {...props} />}
        >
          {t`Create New Study`}
        </Button>
      )}
    </>
  );
}

function MoreMenu({ onExport }: Pick<Props, 'onExport'>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={30} aria-label={t`More`}>
          <IconDotsVertical size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onExport && (
          <Menu.Item leftSection={<IconDownload size={16} stroke={1.6} />} onClick={onExport}>
            {t`Export CSV`}
          </Menu.Item>
        )}
        {may(studies.deleted) && (
          <Menu.Item
            leftSection={<IconTrash size={16} stroke={1.6} />}
            renderRoot={(props) => <Link to="/studies/deleted" {...props} />}
          >
            {t`Recycle bin`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
