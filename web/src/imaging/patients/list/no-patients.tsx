import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { patients } from '@radwork/contract/imaging/patients';
import { IconSearchOff, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { noFilters, type PatientsSearch } from './patients-search.ts';

const filterNames = Object.keys(noFilters).filter((name) => name !== 'page') as (keyof typeof noFilters)[];

/** Message for an empty list: no match for the filters, or no patients yet. */
export function NoPatients({ search, onClear }: { search: PatientsSearch; onClear: () => void }) {
  if (filterNames.some((name) => search[name] !== undefined)) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={t`No patients match these filters`}
        detail={t`Shorten the search text, or widen the range of ages or dates.`}
        action={
          <Button variant="default" onClick={onClear}>
            {t`Clear filters`}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={IconUsers}
      title={t`No patients yet`}
      detail={t`Patients appear with their first images, or when a user creates them.`}
      action={
        may(patients.create) && (
          <Button
            leftSection={<IconUserPlus size={16} />}
            renderRoot={(props) => <Link to="/patients/create" {...props} />}
          >
            {t`Create patient`}
          </Button>
        )
      }
    />
  );
}
