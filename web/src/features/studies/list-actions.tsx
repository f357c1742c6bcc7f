import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { archive } from '@radwork/contract/archive';
import { IconBaselineDensityMedium, IconBaselineDensitySmall, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/session.ts';
import { useDensity } from './use-density.ts';

/** What stands beside the name of the study list: how dense its rows are, and the way to a new study. */
export function ListActions() {
  const [density, setDensity] = useDensity();
  const isCompact = density === 'compact';
  const Icon = isCompact ? IconBaselineDensitySmall : IconBaselineDensityMedium;
  return (
    <>
      <Tooltip label={isCompact ? 'Compact rows' : 'Standard rows'}>
        <ActionIcon
          size={30}
          aria-label="Compact rows"
          aria-pressed={isCompact}
          onClick={() => setDensity(isCompact ? 'standard' : 'compact')}
        >
          <Icon size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {may(archive.store) && (
        <Button
          leftSection={<IconPlus size={16} />}
          renderRoot={(props) => <Link to="/studies/create" preload="intent" {...props} />}
        >
          Create New Study
        </Button>
      )}
    </>
  );
}
