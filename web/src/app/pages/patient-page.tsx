import { formatNumber } from '#ui/formats/formats.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs } from '@mantine/core';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients, type PatientDetails } from '@radwork/contract/imaging/patients';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError, query, errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { IdentityMenu } from '#imaging/patients/identity/identity-menu.tsx';
import { patientsPlace } from '#imaging/patients/list/last-list-address.ts';
import { MergeDialog } from '#imaging/patients/identity/merge-dialog.tsx';
import { MoveDialog } from '#imaging/patients/identity/move-dialog.tsx';
import { PatientDifferences } from '#imaging/patients/page/patient-differences.tsx';
import { PatientFacts } from '#imaging/patients/page/patient-facts.tsx';
import { PatientIdentity } from '#imaging/patients/identity/patient-identity.tsx';
import { PatientNotFound, ToPatients } from '#imaging/patients/page/patient-not-found.tsx';
import { PatientReports } from '#imaging/patients/page/patient-reports.tsx';
import { PatientStrip } from '#imaging/patients/page/patient-strip.tsx';
import { failedToDelete, usePatientDeletion } from '#imaging/patients/list/use-patient-deletion.tsx';
import { ReportStatusPill } from '#reading/reports/panel/report-status.tsx';
import { PatientStudies } from '#imaging/studies/list/patient-studies.tsx';
import { OutdatedItem } from '#ui/lists/list-notice.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './patient-page.module.css';

/** Screen /patients/:id: a patient with all studies and reports. */
export function PatientPage() {
  const id = useParams({ strict: false, select: (params) => params.id ?? '' });
  const patient = useQuery(query(patients.get, { params: { id } }));
  if (patient.data) {
    return (
      <Patient
        key={patient.data.id}
        patient={patient.data}
        notice={<OutdatedItem result={patient} failed={t`Failed to fetch patient details. Please try again.`} />}
      />
    );
  }
  if (patient.isPending) {
    return (
      <div className={styles.waiting}>
        <Skeleton lines={12} label={t`Loading patient`} />
      </div>
    );
  }
  if (patient.error instanceof ApiError && patient.error.status === 404) return <PatientNotFound />;
  return (
    <ErrorState
      failed={t`Failed to fetch patient details. Please try again.`}
      error={patient.error}
      onRetry={() => void patient.refetch()}
      action={<ToPatients />}
    />
  );
}

function Patient({ patient, notice }: { patient: PatientDetails; notice: ReactNode }) {
  const { id, mergedInto } = patient;
  const studyCount = formatNumber(patient.studyCount);
  const navigate = useNavigate();
  const toList = () => void navigate({ to: '/patients', search: patientsPlace() });
  const [dialog, setDialog] = useState<'merge' | 'move'>();
  const closeDialog = () => setDialog(undefined);
  const { removal, askToRemove } = usePatientDeletion(toList);
  useShortcuts(t`Patient`, [{ keys: 'Escape', does: t`Back to patient list`, hint: t`list`, run: toList }]);
  return (
    <div className={styles.page}>
      <PatientStrip patient={patient} onRemove={() => void askToRemove(patient)}>
        <IdentityMenu
          canMove={patient.studies.length > 0}
          onMerge={() => setDialog('merge')}
          onMove={() => setDialog('move')}
        />
      </PatientStrip>
      <MergeDialog survivor={patient} opened={dialog === 'merge'} onClose={closeDialog} />
      <MoveDialog patient={patient} opened={dialog === 'move'} onClose={closeDialog} />
      {removal.isError && (
        <div className={styles.notice}>
          <Notice tone="danger" onClose={removal.reset}>
            {errorMessageOf(removal.error, failedToDelete)}
          </Notice>
        </div>
      )}
      {notice}
      {mergedInto && <MergedInto survivor={mergedInto} />}
      {mergedInto === null && may(patientMerges.differences) && <PatientDifferences patient={patient} />}
      <div className={styles.panes}>
        <aside className={styles.facts} aria-label={t`Patient`}>
          <PatientFacts patient={patient} />
        </aside>
        <Tabs defaultValue="studies" keepMounted={false} className={styles.tabs}>
          <Tabs.List>
            <Tabs.Tab value="studies">{t`Studies (${studyCount})`}</Tabs.Tab>
            <Tabs.Tab value="reports">{t`Reports`}</Tabs.Tab>
            {may(patientMerges.history) && <Tabs.Tab value="identity">{t`Identity`}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="studies" className={styles.panel}>
            <PatientStudies patientId={id} />
          </Tabs.Panel>
          <Tabs.Panel value="reports" className={styles.panel}>
            <PatientReports
              patientId={id}
              status={({ status, amended }) => <ReportStatusPill status={status} amended={amended} />}
            />
          </Tabs.Panel>
          <Tabs.Panel value="identity" className={styles.panel}>
            <PatientIdentity patient={patient} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </div>
  );
}

/** Links to the patient record into which this record was merged. */
function MergedInto({
  survivor: { id, patientName, patientId },
}: {
  survivor: NonNullable<PatientDetails['mergedInto']>;
}) {
  return (
    <div className={styles.notice}>
      <Notice tone="warning">
        <Trans>
          This record was merged into{' '}
          <Link to="/patients/$id" params={{ id }}>
            {patientName} ({patientId})
          </Link>
          . That record has its studies and reports.
        </Trans>
      </Notice>
    </div>
  );
}
