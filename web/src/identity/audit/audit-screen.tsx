import { Plural } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import type { AuditEntry } from '@radwork/contract/identity/audit';
import { IconDownload, IconSearchOff, IconShieldCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { DataTable } from '#ui/tables/data-table.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { auditColumns, PatientName, StudyName } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearchInAddress, noFilters } from './audit-search.ts';
import styles from './audit-screen.module.css';
import { EntryDetails } from './entry-details.tsx';
import { useAudit } from './use-audit.ts';
import { useAuditExport } from './use-audit-export.ts';
import { useVerification } from './use-verification.ts';
import { VerificationNotice } from './verification-notice.tsx';

const route = getRouteApi('/signed-in/shell/audit');
const failed = t`Failed to fetch the audit log. Please try again.`;

/** Screen /audit: which user viewed or changed what, when and from which IP address. The address holds the filters. */
export function AuditScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const verification = useVerification();
  const change = (next: Partial<AuditSearchInAddress>) =>
    void navigate({ from: '/audit', to: '/audit', search: (before) => ({ ...before, ...next }), replace: true });

  return (
    <>
      <ScreenTitle
        title={t`Audit log`}
        actions={
          <>
            <ExportMenu search={search} />
            <Button
              leftSection={<IconShieldCheck size={16} />}
              loading={verification.isPending}
              onClick={() => verification.mutate()}
            >
              {t`Verify`}
            </Button>
          </>
        }
      />
      <AuditFilters
        filter={search}
        onFilter={change}
        onSubmit={() => void client.invalidateQueries({ queryKey: ['audit'] })}
      />
      <VerificationNotice verification={verification} />
      <Entries search={search} onChange={change} />
    </>
  );
}

function ExportMenu({ search }: { search: AuditSearchInAddress }) {
  const exporting = useAuditExport(search);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={exporting.isPending}>
          {t`Export`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => exporting.mutate('csv')}>{t`CSV`}</Menu.Item>
        <Menu.Item onClick={() => exporting.mutate('fhir')}>{t`FHIR AuditEvent (JSON)`}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type AuditProps = { search: AuditSearchInAddress; onChange: (next: Partial<AuditSearchInAddress>) => void };

/** Names the study or patient to which the list is limited. Shows links to this study or patient and to all entries. */
function Context({ search, entries, onChange }: AuditProps & { entries: readonly AuditEntry[] | undefined }) {
  const { studyId, patientId } = search;
  if (!studyId && !patientId) return null;
  const study = entries?.find((entry) => entry.study?.id === studyId)?.study;
  const patient = entries?.find((entry) => entry.patient && (studyId || entry.patient.id === patientId))?.patient;
  return (
    <div className={styles.context}>
      <span>{studyId ? t`Only entries about one study` : t`Only entries about one patient`}</span>
      {studyId && study && <StudyName study={study} />}
      {patient && <PatientName patient={patient} />}
      <Button variant="subtle" size="compact-xs" onClick={() => onChange({ studyId: undefined, patientId: undefined })}>
        {t`Show all entries`}
      </Button>
    </div>
  );
}

function Entries({ search, onChange }: AuditProps) {
  const result = useAudit(search);
  const { entries, isLookingOn, lookedBackTo, hasNextPage } = result;
  const count = entries?.length ?? 0;
  const moment = formatMoment(lookedBackTo);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <Context search={search} entries={entries} onChange={onChange} />
      <OutdatedList label={t`entries`} result={result} failed={failed} />
      <DataTable
        label={t`entries`}
        items={entries}
        idOf={({ id }) => id}
        columns={auditColumns}
        details={{
          label: t`details`,
          show: (entry) => <EntryDetails entry={entry} onAbout={(subject) => onChange({ ...noFilters, ...subject })} />,
        }}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && (
          <ErrorState failed={failed} error={result.error} onRetry={() => void result.refetch()} />
        )}
        {entries?.length === 0 && !hasNextPage && (
          <EmptyState
            icon={IconSearchOff}
            title={isFiltered ? t`No entries match these filters` : t`No entries yet`}
            detail={
              isFiltered
                ? t`Widen the range of days, or use fewer filters.`
                : t`Views and changes by users appear here.`
            }
            action={
              isFiltered && (
                <Button variant="default" onClick={() => onChange(noFilters)}>
                  {t`Clear filters`}
                </Button>
              )
            }
          />
        )}
      </DataTable>
      <footer className={styles.foot}>
        <span role="status">
          {entries && <Plural value={count} one="# entry" other="# entries" />}
          {lookedBackTo && hasNextPage && <>, {t`searched back to ${moment}`}</>}
        </span>
        {isLookingOn && result.isFetchingNextPage && (
          <Button variant="default" size="compact-sm" onClick={result.stop}>
            {t`Stop search`}
          </Button>
        )}
        {hasNextPage && !isLookingOn && (
          <Button variant="default" size="compact-sm" onClick={result.showOlder}>
            {lookedBackTo ? t`Search further back` : t`Show older`}
          </Button>
        )}
      </footer>
    </>
  );
}
