import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import {
  identities,
  type IdentityDecision,
  identityFieldLabels,
  type IdentityQuestion,
  identityStateLabels,
} from '@radwork/contract/imaging/identities';
import { IconUserCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, query, useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import { defaultSize, type IdentitiesSearch } from './identities-search.ts';
import { RereadingNotice } from './rereading-notice.tsx';
import styles from './identities-screen.module.css';

const route = getRouteApi('/signed-in/shell/identities');
const refreshes = ['identities', 'studies', 'patients', 'reports'];

/**
 * Screen /identities: studies whose files do not match the patient with the same Patient ID. An administrator decides.
 */
export function IdentitiesScreen() {
  const search = route.useSearch();
  const { page = 0, size = defaultSize, state = 'OPEN' } = search;
  const navigate = useNavigate();
  const questions = useQuery({
    ...query(identities.list, { query: { page, size, state } }),
    placeholderData: keepPreviousData,
  });
  const change = (next: IdentitiesSearch) => void navigate({ to: '/identities', search: { ...search, ...next } });
  const { data } = questions;
  const open = state === 'OPEN' && data && !questions.isPlaceholderData ? { total: data.totalElements } : undefined;
  return (
    <>
      <ScreenTitle title={t`Identity questions`}>
        <ViewTabs
          label={t`Shown`}
          current={state}
          onView={(next) => change({ state: next, page: undefined })}
          views={[
            { value: 'OPEN', label: t`To be confirmed`, count: open },
            { value: 'DECIDED', label: t`Decided` },
          ]}
        />
      </ScreenTitle>
      <SearchProgress />
      <RereadingNotice />
      {questions.isPending && <Skeleton lines={6} label={t`Loading identities`} />}
      {questions.isLoadingError && (
        <ErrorState
          failed={t`Error loading identities`}
          error={questions.error}
          onRetry={() => void questions.refetch()}
        />
      )}
      {data?.totalElements === 0 && (
        <EmptyState
          icon={IconUserCheck}
          title={state === 'OPEN' ? t`No open identity questions` : t`No decisions yet`}
          detail={state === 'OPEN' ? t`Studies with contradicting patients appear here.` : t`Decisions appear here.`}
        />
      )}
      {data && data.totalElements > 0 && (
        <>
          <ul className={styles.list} aria-label={t`Identities`}>
            {data.content.map((question) => (
              <li key={question.id} className={styles.question}>
                <Question question={question} />
              </li>
            ))}
          </ul>
          <Pagination currentPage={data} size={size} onPaging={change} />
        </>
      )}
    </>
  );
}

/** Shows the progress of the search for patients whose studies were mixed up in the past. */
function SearchProgress() {
  const { data } = useQuery(query(identities.count, {}));
  const search = data?.search;
  if (!search || search.finishedDate !== null) return null;
  return (
    <p className={styles.progress}>
      <Trans>
        Searching earlier studies: {search.patientsLookedAt} of {search.patientsInAll} patients, {search.studiesFound}{' '}
        found.
      </Trans>
    </p>
  );
}

function Question({ question }: { question: IdentityQuestion }) {
  const { study, known, said, contradictions, state, decidedBy, decidedDate } = question;
  const imageCount = study.instanceCount;
  const arrived = formatMoment(question.openedDate);
  const { patientId } = known;
  const fields = contradictions.map((field) => identityFieldLabels[field]).join(', ');
  return (
    <>
      <p>
        <Link to="/studies/$id" params={{ id: study.id }}>
          {study.description || t`Study`} {study.modality} {formatLocal(study.studyDate)}
        </Link>{' '}
        · <Plural value={imageCount} one="# image" other="# images" /> · {t`arrived ${arrived}`}
      </p>
      <dl className={styles.people}>
        <div>
          <dt>{t`Has the patient ID ${patientId}`}</dt>
          <dd>
            <Link to="/patients/$id" params={{ id: known.id }}>
              {known.patientName || t`No name`}
            </Link>{' '}
            {known.gender} {known.dateOfBirth ?? ''}
          </dd>
        </div>
        <div>
          <dt>{t`Files`}</dt>
          <dd>
            {said.patientName || t`No name`} {said.gender} {said.dateOfBirth ?? ''}
          </dd>
        </div>
      </dl>
      <p className={styles.note}>{t`Different: ${fields}`}</p>
      {state === 'OPEN' ? (
        <Decisions question={question} />
      ) : (
        <p>
          {identityStateLabels[state]}, {decidedBy} {decidedDate && formatMoment(decidedDate)}{' '}
          {question.undoUntil && <UndoButton id={question.id} />}
        </p>
      )}
    </>
  );
}

function UndoButton({ id }: { id: string }) {
  const undo = useAction(identities.undo, { done: t`Decision undone`, failed: t`Error undoing decision`, refreshes });
  return (
    <Button size="xs" variant="default" loading={undo.isPending} onClick={() => undo.mutate({ params: { id } })}>
      {t`Undo`}
    </Button>
  );
}

const verbs: Record<IdentityDecision, string> = {
  SAME_PERSON: t`Same person`,
  ANOTHER_PERSON: t`Another person`,
  SENT_BACK: t`Send back`,
};

const consequences: Record<IdentityDecision, string> = {
  SAME_PERSON: t`Both records become one. You can undo this for 30 days.`,
  ANOTHER_PERSON: t`The study stays with its own patient record. You can undo this for 30 days.`,
  SENT_BACK: t`The study moves to the recycle bin. Ask the sender to correct and resend the study.`,
};

function Decisions({ question }: { question: IdentityQuestion }) {
  const [chosenDecision, setChosenDecision] = useState<IdentityDecision>();
  const [confirmedName, setConfirmedName] = useState('');
  const decide = useAction(identities.decide, {
    done: t`Identity decided`,
    failed: t`Error deciding identity`,
    refreshes,
  });
  const { study, said } = question;
  const confirmDecision = (decision: IdentityDecision) => {
    decide.reset();
    setChosenDecision(decision);
  };
  // Whether the user must type the patient's name to confirm. The decision moves the study to another patient, but a
  // signed report of it cannot change and may name the earlier patient.
  const isNameRequired =
    chosenDecision === 'ANOTHER_PERSON' && study.signedReports > 0 && question.provisionalPatientId === null;
  const nameFault = decide.error instanceof ApiError ? decide.error.fields.confirmedName : undefined;
  const name = said.patientName;
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (!chosenDecision) return;
    decide.mutate(
      { params: { id: question.id }, body: { decision: chosenDecision, studyRevision: study.revision, confirmedName } },
      { onSuccess: () => setChosenDecision(undefined) },
    );
  };
  return (
    <div className={styles.decisions}>
      {(['SAME_PERSON', 'ANOTHER_PERSON', 'SENT_BACK'] as const).map((decision) => (
        <Button key={decision} size="xs" variant="default" onClick={() => confirmDecision(decision)}>
          {verbs[decision]}
        </Button>
      ))}
      <Dialog
        opened={chosenDecision !== undefined}
        onClose={() => setChosenDecision(undefined)}
        title={chosenDecision && `${verbs[chosenDecision]}?`}
        size={420}
      >
        {chosenDecision && (
          <DialogForm
            verb={verbs[chosenDecision]}
            action={decide}
            onSubmit={confirm}
            onCancel={() => setChosenDecision(undefined)}
          >
            <p>{consequences[chosenDecision]}</p>
            {isNameRequired && (
              <TextInput
                label={t`Name to confirm: ${name}`}
                description={t`The study has signed reports.`}
                value={confirmedName}
                error={nameFault}
                onChange={(event) => setConfirmedName(event.currentTarget.value)}
              />
            )}
          </DialogForm>
        )}
      </Dialog>
    </div>
  );
}
