import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import { useMutation } from '@tanstack/react-query';
import { errorMessageOf } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import styles from './reporting-settings.module.css';

type Props<Settings> = {
  /** Settings in the form, which are tested. */
  settings: Settings;
  test: (settings: Settings) => Promise<ConnectionTest>;
  onFaults: (faults: Record<string, string>) => void;
};

/** Button that tests the connection to a service, with the result. */
export function ConnectionCheck<Settings extends object>({ settings, test, onFaults }: Props<Settings>) {
  const mutation = useMutation({
    mutationFn: test,
    onError: (error) => onFaults(fieldErrorsOf(error)),
  });
  // Whether the current values are those of the last test. A test result applies only to the tested values.
  const isTested = JSON.stringify(mutation.variables) === JSON.stringify(settings);
  const { data, error } = mutation;
  return (
    <div className={styles.test}>
      <Button variant="default" loading={mutation.isPending} onClick={() => mutation.mutate(settings)}>
        {t`Test connection`}
      </Button>
      {isTested && data && <TestResult result={data} />}
      {isTested && error && <Notice tone="danger">{errorMessageOf(error, error.message)}</Notice>}
    </div>
  );
}

function TestResult({ result: { isOk, message, milliseconds } }: { result: ConnectionTest }) {
  return (
    <span className={styles.outcome} role="status">
      <StatusPill
        tone={isOk ? 'success' : 'danger'}
        shape={isOk ? 'dot' : 'diamond'}
        label={isOk ? t`Successful` : t`Failed`}
      />
      <span>{isOk ? t`${message}, ${milliseconds} ms` : message}</span>
    </span>
  );
}
