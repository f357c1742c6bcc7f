import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { patientsPlace } from '#imaging/patients/list/last-list-address.ts';

export function PatientNotFound() {
  return (
    <EmptyState
      icon={IconUserOff}
      title={t`Patient not found`}
      detail={t`The patient does not exist, or you have no access.`}
      action={<ToPatients />}
    />
  );
}

/** Link to the patient list, with the last page and filters. */
export function ToPatients() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/patients" search={patientsPlace()} {...props} />}>
      {t`Back to the patient list`}
    </Button>
  );
}
