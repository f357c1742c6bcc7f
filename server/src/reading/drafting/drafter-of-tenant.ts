import { t } from '@radwork/contract/core/translate';
import { aiProviderNames } from '@radwork/contract/reading/reporting-settings';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/http/problem.ts';
import { aiAddress, isDraftingOn, openKey, type StoredSettings } from '#reading/reporting-settings/stored-settings.ts';
import type { Drafter } from './drafter.ts';
import { ruleDrafter } from './rule-drafter.ts';

export type DrafterContext = Pick<Context, 'outgoing' | 'vault'>;

export const notConfigured = () => new Problem(503, 'drafting.off', t`AI service is not configured`);

/** Returns the drafter that the tenant has chosen. Throws 503 when drafting is off. */
export const drafterOf = async (context: DrafterContext, settings: StoredSettings): Promise<Drafter> => {
  if (!isDraftingOn(settings)) throw notConfigured();
  if (settings.ai_provider === 'RULES') return ruleDrafter;
  return remoteDrafter(context, settings, openKey(context.vault, settings));
};

/** Creates the drafter for the configured model. Does not check whether the tenant has agreed to use this model. */
export const remoteDrafter = async ({ outgoing }: DrafterContext, settings: StoredSettings, key: string) => {
  const { ai_provider: provider, ai_model: model } = settings;
  if (provider !== 'GEMINI' && provider !== 'OPENAI') throw notConfigured();
  // Imported only when needed, because the libraries are large and most servers call no model.
  const [{ createModelDrafter }, { outgoingFetch }] = await Promise.all([
    import('./model-drafter.ts'),
    import('#core/outgoing/outgoing-fetch.ts'),
  ]);
  const modelSettings = { provider, model, key, name: aiProviderNames[provider], baseUrl: aiAddress(settings) };
  return createModelDrafter(modelSettings, outgoingFetch(outgoing, settings));
};
