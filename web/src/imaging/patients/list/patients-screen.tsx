import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { patientExport, patients } from '@radwork/contract/imaging/patients';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { useListExport } from '#core/http/use-list-export.ts';
import { may } from '#core/state/session.ts';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { rememberPatientsPlace } from './last-list-address.ts';
import { PatientFilters } from './patient-filters.tsx';
import { PatientTable } from './patient-table.tsx';
import { defaultSort, patientsSearch, type PatientsSearch } from './patients-search.ts';
import { failedToDelete, usePatientDeletion } from './use-patient-deletion.tsx';

const route = getRouteApi('/signed-in/shell/patients');

/**
 * Screen /patients: all patients that the user may see. The server filters, sorts and pages. The address holds filters
 * and page.
 */
export function PatientsScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const change = useCallback(
    (next: Partial<PatientsSearch>, { replace = false } = {}) =>
      void navigate({ from: '/patients', to: '/patients', search: (before) => ({ ...before, ...next }), replace }),
    [navigate],
  );
  useEffect(() => rememberPatientsPlace(search), [search]);
  const { removal, askToRemove } = usePatientDeletion();
  const remove = useCallback((patient: Parameters<typeof askToRemove>[0]) => void askToRemove(patient), [askToRemove]);
  const textField = useRef<HTMLInputElement>(null);
  useShortcuts(t`Patients`, [
    { keys: '/', does: t`Search patients`, run: () => textField.current?.focus(), hint: t`search` },
  ]);

  return (
    <>
      <ScreenTitle title={t`Patient Management`} actions={<ListActions search={search} />} />
      <PatientFilters
        filter={search}
        sort={search.sort ?? defaultSort}
        textField={textField}
        // Replaces the history entry, so that Back does not undo single keystrokes. New filters start at the first
        // page.
        onFilter={(next) => change({ ...next, page: undefined }, { replace: true })}
        onSort={(next) => change({ sort: patientsSearch.shape.sort.parse(next), page: undefined })}
        onSubmit={() => void client.invalidateQueries({ queryKey: ['patients'] })}
      />
      {removal.isError && (
        <ListNotice tone="danger" onClose={removal.reset}>
          {errorMessageOf(removal.error, failedToDelete)}
        </ListNotice>
      )}
      <PatientTable search={search} onChange={change} onRemove={remove} />
    </>
  );
}

function ListActions({ search }: { search: PatientsSearch }) {
  const { page: _, size: __, sort = defaultSort, ...filters } = search;
  const exporting = useListExport(
    patientExport,
    { ...filters, sort },
    { done: t`Patients exported. The audit log records the export.`, failed: t`Failed to export patients` },
  );
  return (
    <>
      {may(patientExport) && <ExportButton exporting={exporting} />}
      {may(patients.create) && <CreateLink />}
    </>
  );
}

function CreateLink() {
  return (
    <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/patients/create" {...props} />}>
      {t`Create patient`}
    </Button>
  );
}
