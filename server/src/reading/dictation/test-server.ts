import { t } from '@radwork/contract/core/translate';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import type { DictationServerForm } from '@radwork/contract/reading/reporting-settings';
import type { Session } from '#core/access/scope.ts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/http/problem.ts';
import { unchangedDictationKey } from '#reading/reporting-settings/service.ts';
import {
  openDictationKey,
  settingsOfTenant,
  type StoredSettings,
} from '#reading/reporting-settings/stored-settings.ts';
import { callServer } from './call-server.ts';
import { silentWave } from './read-wave.ts';

type TestContext = Pick<Context, 'outgoing' | 'scopes' | 'vault'>;

/** Time limit of a test in milliseconds. */
const patience = 20_000;

/**
 * Tests the dictation server of a form that was not saved, with a second of silence. Returns a failure as a result,
 * because an error of that server is not an error of this one. An empty key stands for the stored key, if that key may
 * be sent to this URL.
 */
export const testServer = async (
  context: TestContext,
  session: Session,
  form: DictationServerForm,
): Promise<ConnectionTest> => {
  const stored = await context.scopes.inTenant(session, settingsOfTenant);
  const result = await callOf(context, stored, form);
  await context.scopes.inTenant(session, (scope) =>
    audit(scope, 'dictation.test', {
      entity: 'reporting_settings',
      entityId: String(stored.id),
      outcome: result.isOk ? 'SUCCESS' : 'FAILURE',
    }),
  );
  return result;
};

const callOf = async (
  { outgoing, vault }: TestContext,
  stored: StoredSettings,
  { dictationUrl, dictationModel, dictationKey }: DictationServerForm,
): Promise<ConnectionTest> => {
  const url = dictationUrl.replace(/(?<!\/)\/+$/, '');
  const began = performance.now();
  const milliseconds = () => Math.round(performance.now() - began);
  try {
    const unchanged = unchangedDictationKey(stored, { dictation_url: url });
    const key = dictationKey || openDictationKey(vault, { id: stored.id, dictation_key: unchanged });
    const silence = { wave: silentWave(1), language: 'en', prompt: '' } as const;
    const server = { url, model: dictationModel, key };
    await callServer(outgoing, stored, server, silence, { signal: AbortSignal.timeout(patience), patience });
    return {
      isOk: true,
      milliseconds: milliseconds(),
      server: dictationModel,
      cause: null,
      message: t`The dictation server answered`,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const cause = error.status === 504 ? 'TIMEOUT' : 'OTHER';
    return { isOk: false, milliseconds: milliseconds(), server: '', cause, message: error.message };
  }
};
