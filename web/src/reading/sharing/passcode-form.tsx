import { t } from '@lingui/core/macro';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { portal, type PortalReport } from '@radwork/contract/reading/portal';
import { type LinkQuestion, lockMinutes, wrongCodesAtMost } from '@radwork/contract/reading/sharing';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './portal-page.module.css';

type Props = { hash: string; question: LinkQuestion; onOpened: (report: PortalReport, code: string) => void };

const failed = t`Failed to load report. Please try again later.`;

/** Asks for the passcode or date of birth of a share link. Shows no patient data before the link opens. */
export function PasscodeForm({ hash, question, onOpened }: Props) {
  const [code, setCode] = useState('');
  const open = useMutation({
    mutationFn: () => call(portal.open, { params: { hash }, body: { code } }, { isAnonymous: true }),
    onSuccess: (report) => onOpened(report, code),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') open.mutate();
  };
  const error = open.error instanceof ApiError && open.error.status === 401 ? open.error.message : undefined;
  return (
    <form className={styles.code} onSubmit={submit} noValidate>
      <IconLock size={26} stroke={1.4} aria-hidden />
      <h1>{t`This report is protected`}</h1>
      {question === 'PASSCODE' ? (
        <>
          <p>{t`Enter the passcode that came with the link.`}</p>
          <PasswordInput
            label={t`Passcode`}
            size="md"
            autoComplete="off"
            autoFocus
            maxLength={100}
            value={code}
            error={error}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </>
      ) : (
        <>
          <p>{t`Enter the date of birth of the patient.`}</p>
          <TextInput
            type="date"
            label={t`Date of birth`}
            size="md"
            autoComplete="off"
            autoFocus
            value={code}
            error={error}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </>
      )}
      {open.error && !error && (
        <Notice tone="danger">
          <p>{wordsOf(open.error)}</p>
          {isRefused(open.error) && (
            <p>
              {t`Too many wrong codes lock a link. Try again in ${lockMinutes} minutes, or ask the sender for a new link.`}
            </p>
          )}
        </Notice>
      )}
      <Button type="submit" size="md" loading={open.isPending} disabled={code.trim() === ''}>
        {t`Show report`}
      </Button>
      <p className="muted">
        {t`After ${wrongCodesAtMost} wrong codes, the link is locked for ${lockMinutes} minutes.`}
      </p>
    </form>
  );
}

/** The server answers the same for a locked and a missing link, so the message covers both. */
const isRefused = (error: Error): boolean => error instanceof ApiError && error.status === 404;

const wordsOf = (error: Error): string => (isRefused(error) ? failed : errorMessageOf(error, failed));
