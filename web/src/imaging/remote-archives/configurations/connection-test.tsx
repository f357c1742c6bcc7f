import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import { useMutation } from '@tanstack/react-query';
import { call, errorMessageOf } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';

/** Time-out in milliseconds. It is longer than the time-out of the test on the server. */
export const testPatience = 15_000;

/** Tests the connection of a saved configuration. */
export function ConnectionTestPanel({ id }: { id: string }) {
  const test = useMutation({
    mutationFn: () => call(remoteConfigurations.test, { params: { id } }, { timeout: testPatience }),
  });
  return (
    <div className={styles.test}>
      {test.data && <ConnectionTestResult result={test.data} />}
      {test.error && <Notice tone="danger">{errorMessageOf(test.error, test.error.message)}</Notice>}
      {!test.data && !test.error && <span className="muted">{t`Not tested yet`}</span>}
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t`Test connection`}
      </Button>
    </div>
  );
}

/** Shows the result of a test. Success includes the name of the server and its response time. */
export function ConnectionTestResult({ result }: { result: ConnectionTest }) {
  const { isOk, milliseconds, server, message } = result;
  const archive = server || t`The archive`;
  return (
    <span className={styles.outcome} role="status">
      <StatusPill
        tone={isOk ? 'success' : 'danger'}
        shape={isOk ? 'dot' : 'diamond'}
        label={isOk ? t`Works` : t`Fails`}
      />
      <span>{isOk ? t`${archive} answered in ${milliseconds} ms` : message}</span>
    </span>
  );
}
