import { Button } from '@mantine/core';
import { mostRemoteStudies, type RemoteStudy } from '@radwork/contract/remote-studies';
import { IconDownload, IconSearchOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { DataTable } from '#ui/data-table.tsx';
import { Notice } from '#ui/notice.tsx';
import { EmptyState } from '#ui/states.tsx';
import { ImportingContext, useImporting } from './importing.ts';
import styles from './remote-archives.module.css';
import { remoteStudyColumns } from './remote-study-columns.tsx';
import { useJobsFrom, useStartImports } from './use-imports.ts';

type Props = {
  configId: string;
  found: { studies: RemoteStudy[]; hasMore: boolean } | undefined;
  isSearching: boolean;
  /** What importing is called here: "Import", or "Retrieve" on the DICOMWEB tab. */
  verb: string;
};

/** What another archive found, and what of it is on its way here. */
export function RemoteStudiesTable({ configId, found, isSearching, verb }: Props) {
  const jobs = useJobsFrom(configId);
  const start = useStartImports();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const studies = found?.studies;
  const selected = (studies ?? []).filter(({ studyInstanceUID }) => chosen.has(studyInstanceUID));
  const { mutate } = start;
  const importing = useMemo(
    () => ({
      jobs,
      chosen,
      verb,
      toggle: (uid: string, isChosen: boolean) =>
        setChosen((before) => new Set(isChosen ? [...before, uid] : [...before].filter((other) => other !== uid))),
      importOne: (study: RemoteStudy) => mutate({ configId, studies: [study] }),
    }),
    [jobs, chosen, mutate, configId, verb],
  );

  return (
    <ImportingContext value={importing}>
      {found?.hasMore && (
        <div className={styles.notice}>
          <Notice tone="info">The archive has more than these {mostRemoteStudies} studies. Refine your search.</Notice>
        </div>
      )}
      <DataTable
        label="remote studies"
        items={studies}
        idOf={({ studyInstanceUID }) => studyInstanceUID}
        columns={remoteStudyColumns}
        sort=""
        onSort={() => {}}
        details={{
          label: 'identifiers',
          show: (study) => <Identifiers study={study} />,
        }}
        onOpen={importing.importOne}
        isRefreshing={isSearching}
      >
        {studies?.length === 0 && (
          <EmptyState
            icon={IconSearchOff}
            title="The archive found no such study"
            detail="Try fewer letters of the name, or a wider date range."
          />
        )}
      </DataTable>
      {studies && studies.length > 0 && (
        <div className={styles.selection} role="group" aria-label="Selection">
          <span aria-live="polite">
            {selected.length} of {studies.length} selected
          </span>
          <Button
            size="xs"
            leftSection={<IconDownload size={15} />}
            disabled={selected.length === 0}
            loading={start.isPending}
            onClick={() => start.mutate({ configId, studies: selected }, { onSuccess: () => setChosen(new Set()) })}
          >
            {verb} selected
          </Button>
        </div>
      )}
    </ImportingContext>
  );
}

function Identifiers({ study }: { study: RemoteStudy }) {
  const cause = useImporting().jobs.get(study.studyInstanceUID)?.cause;
  return (
    <dl className={styles.facts}>
      <dt>Study Instance UID</dt>
      <dd className="mono">{study.studyInstanceUID}</dd>
      <dt>Date of birth</dt>
      <dd>{study.birthDate || 'Not given'}</dd>
      {cause && (
        <>
          <dt>Import</dt>
          <dd>{cause}</dd>
        </>
      )}
    </dl>
  );
}
