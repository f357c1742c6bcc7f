import { aiProviderNames } from '@radwork/contract/reporting-settings';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/problem.ts';
import { aiAddress, isDraftingOn, openKey, type StoredSettings } from '#features/reporting-settings/stored-settings.ts';
import type { Drafter } from './drafter.ts';
import { ruleDrafter } from './rule-drafter.ts';

export type Ways = Pick<Context, 'outgoing' | 'vault'>;

export const notConfigured = () => new Problem(503, 'drafting.off', 'AI service is not configured');

/** What drafts for a tenant. Throws a 503 where nothing does (C67). */
export const drafterOf = async (ways: Ways, settings: StoredSettings): Promise<Drafter> => {
  if (!isDraftingOn(settings)) throw notConfigured();
  if (settings.ai_provider === 'RULES') return ruleDrafter;
  return remoteDrafter(ways, settings, openKey(ways.vault, settings));
};

/** The model that settings describe, whether or not anybody has agreed to use it. */
export const remoteDrafter = async ({ outgoing }: Ways, settings: StoredSettings, key: string) => {
  const { ai_provider: provider, ai_model: model } = settings;
  if (provider !== 'GEMINI' && provider !== 'OPENAI') throw notConfigured();
  // The libraries are large, and most servers never ask a model.
  const [{ createModelDrafter }, { outgoingFetch }] = await Promise.all([
    import('./model-drafter.ts'),
    import('#core/outgoing/outgoing-fetch.ts'),
  ]);
  const named = { provider, model, key, name: aiProviderNames[provider], baseUrl: aiAddress(settings) };
  return createModelDrafter(named, outgoingFetch(outgoing, settings));
};
