import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { archive } from '@radwork/contract/imaging/archive';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDotsVertical,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { ColumnsMenu } from '#ui/tables/data-table-columns-menu.tsx';
import type { Arrangement } from '#ui/tables/data-table-columns.ts';
import { useDensity } from './use-density.ts';

/** Actions next to the title of the study list: row density, recycle bin and new study. */
export function ListActions({ arrangement }: { arrangement: Arrangement<StudyRow> }) {
  const [density, setDensity] = useDensity();
  const isCompact = density === 'compact';
  const Icon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <>
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
      {may(studies.deleted) && <MoreMenu />}
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

function MoreMenu() {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={30} aria-label={t`More`}>
          <IconDotsVertical size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTrash size={16} stroke={1.6} />}
          renderRoot={(props) => <Link to="/studies/deleted" {...props} />}
        >
          {t`Recycle bin`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
