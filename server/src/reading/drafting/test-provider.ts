import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import { isRemoteProvider, type reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { remoteDrafter } from './drafter-of-tenant.ts';
import { testPrompt } from './prompts.ts';
import { unchangedKey } from '#reading/reporting-settings/service.ts';
import { openKey, settingsOfTenant, type StoredSettings } from '#reading/reporting-settings/stored-settings.ts';

type TestContext = Pick<Context, 'outgoing' | 'scopes' | 'vault'>;
type Form = Body<typeof reportingSettings.test>;

/**
 * Tests the provider of a form that was not saved, with a prompt without patient data. Returns a failure as a result,
 * because an error of the provider is not an error of this server. An empty key stands for the stored key, if that key
 * may be sent to this URL.
 */
export const testProvider = async (context: TestContext, session: Session, form: Form): Promise<ConnectionTest> => {
  const stored = await context.scopes.inTenant(session, settingsOfTenant);
  const result = isRemoteProvider(form.aiProvider) ? await testModel(context, stored, form) : nothingToTest();
  await context.scopes.inTenant(session, (scope) =>
    audit(scope, 'reporting_settings.test', {
      entity: 'reporting_settings',
      entityId: String(stored.id),
      outcome: result.isOk ? 'SUCCESS' : 'FAILURE',
      detail: { provider: form.aiProvider },
    }),
  );
  return result;
};

const nothingToTest = (): ConnectionTest => ({
  isOk: true,
  milliseconds: 0,
  server: '',
  cause: null,
  message: t`This drafter runs on this server. There is no connection to test.`,
});

const testModel = async (context: TestContext, stored: StoredSettings, form: Form): Promise<ConnectionTest> => {
  const settings = { ai_provider: form.aiProvider, ai_model: form.aiModel, ai_base_url: form.aiBaseUrl };
  const began = performance.now();
  const milliseconds = () => Math.round(performance.now() - began);
  try {
    const key = form.aiKey || openKey(context.vault, { id: stored.id, ai_key: unchangedKey(stored, settings) });
    const model = await remoteDrafter(context, { ...stored, ...settings }, key);
    await model.ask(testPrompt, new AbortController().signal);
    return {
      isOk: true,
      milliseconds: milliseconds(),
      server: form.aiModel,
      cause: null,
      message: t`The model answered`,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const cause = error.status === 504 ? 'TIMEOUT' : 'OTHER';
    return { isOk: false, milliseconds: milliseconds(), server: '', cause, message: error.message };
  }
};
