import { t } from '@lingui/core/macro';
import { mostRemoteStudies, type RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import { IconSearchOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { DataTable } from '#ui/tables/data-table.tsx';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import {
  importOffer,
  importTexts,
  type ImportVerb,
  localStudyId,
} from '#imaging/remote-archives/imports/import-offer.ts';
import { ImportingContext, useImporting } from '#imaging/remote-archives/imports/importing-context.ts';
import styles from '#imaging/remote-archives/remote-archives.module.css';
import { remoteStudyColumns } from './remote-study-columns.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { firstSort, sortStudies } from './sort-studies.ts';
import { useJobsFrom } from '#imaging/remote-archives/imports/use-imports.ts';
import { type Refusal, useStartImports } from '#imaging/remote-archives/imports/use-start-imports.ts';

type Props = {
  configId: string;
  results: { studies: RemoteStudy[]; hasMore: boolean } | undefined;
  isSearching: boolean;

  verb: ImportVerb;
};

/** Lists the studies found in a remote archive, with their import state. */
export function RemoteStudiesTable({ configId, results, isSearching, verb }: Props) {
  const [sort, setSort] = useState(firstSort);
  const studies = useMemo(() => results && sortStudies(results.studies, sort), [results, sort]);
  const importing = useImportingStudies(configId, verb);
  const { jobs, toggle, importOne } = importing.shared;
  const openStudy = useOpenStudy();
  const importable = (studies ?? []).filter((study) => importOffer(study, jobs.get(study.studyInstanceUID), verb));

  return (
    <ImportingContext value={importing.shared}>
      {results?.hasMore && (
        <ListNotice tone="info">
          {t`The archive has more than ${mostRemoteStudies} matching studies. Refine your search.`}
        </ListNotice>
      )}
      <Refusals refusals={importing.refusals} onClose={importing.forgetRefusals} />
      <DataTable
        label={t`remote studies`}
        items={studies}
        idOf={({ studyInstanceUID }) => studyInstanceUID}
        columns={remoteStudyColumns}
        sort={sort}
        onSort={setSort}
        details={{ label: t`identifiers`, show: (study) => <Identifiers study={study} /> }}
        onOpen={(study) => openStudy(localStudyId(study, jobs.get(study.studyInstanceUID)))}
        rowShortcuts={[
          { keys: 'i', does: importTexts[verb].study, hint: importTexts[verb].hint, run: importOne },
          { keys: 'x', does: t`Select study`, hint: t`select`, run: toggle },
        ]}
        isRefreshing={isSearching}
      >
        {studies?.length === 0 && (
          <EmptyState
            icon={IconSearchOff}
            title={t`No matching studies in the archive`}
            detail={t`Shorten the name, or widen the date range.`}
          />
        )}
      </DataTable>
      {studies && studies.length > 0 && (
        <SelectionBar
          importable={importable}
          chosen={importing.shared.chosen}
          onChoose={importing.choose}
          verb={verb}
          isStarting={importing.isStarting}
          onImport={importing.importAll}
        />
      )}
    </ImportingContext>
  );
}

/** State of the selection and of the imports, with actions to change them. */
const useImportingStudies = (configId: string, verb: ImportVerb) => {
  const jobs = useJobsFrom(configId);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const { mutate, variables, isPending } = useStartImports(configId, jobs, (requested, refused) => {
    const refusedUids = new Set(refused.map(({ study }) => study.studyInstanceUID));
    const requestedUids = new Set(requested.map(({ studyInstanceUID }) => studyInstanceUID));
    setRefusals((before) => [...before.filter(({ study }) => !requestedUids.has(study.studyInstanceUID)), ...refused]);
    // Refused studies stay selected, so that the user can try again.
    setChosen((before) => new Set([...before].filter((uid) => !requestedUids.has(uid) || refusedUids.has(uid))));
  });
  const shared = useMemo(() => {
    const offered = (study: RemoteStudy) => importOffer(study, jobs.get(study.studyInstanceUID), verb) !== undefined;
    const starting = new Set(isPending ? variables.map(({ studyInstanceUID }) => studyInstanceUID) : []);
    return {
      jobs,
      verb,
      starting,
      chosen,
      toggle: (study: RemoteStudy) => {
        if (offered(study)) setChosen((before) => toggled(before, study.studyInstanceUID));
      },
      importOne: (study: RemoteStudy) => {
        if (offered(study) && !starting.has(study.studyInstanceUID)) mutate([study]);
      },
    };
  }, [jobs, verb, chosen, mutate, isPending, variables]);
  return {
    shared,
    choose: setChosen,
    isStarting: isPending,
    importAll: (studies: readonly RemoteStudy[]) => mutate(studies),
    refusals,
    forgetRefusals: () => setRefusals([]),
  };
};

const toggled = (uids: ReadonlySet<string>, uid: string): ReadonlySet<string> =>
  uids.has(uid) ? new Set([...uids].filter((other) => other !== uid)) : new Set([...uids, uid]);

const useOpenStudy = () => {
  const navigate = useNavigate();
  return (id: string | null) => {
    if (id === null) toast.info(t`Import this study before you open it`);
    else void navigate({ to: '/studies/$id', params: { id } });
  };
};

function Refusals({ refusals, onClose }: { refusals: readonly Refusal[]; onClose: () => void }) {
  if (refusals.length === 0) return null;
  return (
    <ListNotice tone="danger" onClose={onClose}>
      {t`Failed to import study`}
      <ul className={styles.refusals}>
        {refusals.map(({ study, reason }) => (
          <li key={study.studyInstanceUID}>
            {[study.patientName || t`No name`, study.studyDescription].filter(Boolean).join(', ')}: {reason}
          </li>
        ))}
      </ul>
    </ListNotice>
  );
}

function Identifiers({ study }: { study: RemoteStudy }) {
  const cause = useImporting().jobs.get(study.studyInstanceUID)?.cause;
  return (
    <dl className={styles.facts}>
      <dt>{t`Study Instance UID`}</dt>
      <dd className="mono">{study.studyInstanceUID}</dd>
      <dt>{t`Date of birth`}</dt>
      <dd>{study.birthDate || t`Unknown`}</dd>
      {cause && (
        <>
          <dt>{t`Import`}</dt>
          <dd>{cause}</dd>
        </>
      )}
    </dl>
  );
}
