import { t } from '@radwork/contract/core/translate';
import type { PhraseForm } from '@radwork/contract/reading/dictation';
import type { Session } from '#core/access/scope.ts';
import type { Context } from '#core/context.ts';
import { forbidden } from '#core/http/problem.ts';
import { createTenantShares } from '#core/resources/tenant-shares.ts';
import { openDictationKey, settingsOfTenant } from '#reading/reporting-settings/stored-settings.ts';
import { callServer, type DictationServer, placeOf, usualPatience } from './call-server.ts';
import { ownWords } from './corrections.ts';
import { promptFor, repeatsPrompt } from './prompt.ts';
import { readWave } from './read-wave.ts';
import { noServer, repeatedVocabulary, serverBusy, serverFailure } from './server-failure.ts';

type Services = Pick<Context, 'outgoing' | 'scopes' | 'vault'>;

/**
 * Limits of this server. A tenant has eight connections to other systems in total, and imports need some of them. At
 * most 48 phrases of one tenant wait, each at most 1 MB.
 */
const shares = { most: 32, share: 4, queue: 48 };

/**
 * Creates the function that converts a phrase of the caller to text. The phrase is never written to disk or logged. An
 * answer that comes too late, or an error, names the dictation server.
 */
export const createTranscriber = (services: Services, patience = usualPatience) => {
  const inTurn = createTenantShares(shares);
  return async (session: Session, { audio, language, before }: PhraseForm): Promise<string> => {
    const wave = readWave(audio);
    const { server, tenant, words } = await prepare(services, session);
    const place = placeOf(server, patience);
    // The time limit begins when the whole phrase has arrived, so a slow caller does not count.
    const signal = AbortSignal.timeout(patience);
    const prompt = promptFor(language, words, before);
    const text = await inTurn(
      tenant.id,
      async () => {
        if (signal.aborted) throw serverFailure(signal.reason, place);
        return callServer(services.outgoing, tenant, server, { wave, language, prompt }, { signal, patience });
      },
      serverBusy,
    );
    if (repeatsPrompt(text, language, words)) throw repeatedVocabulary(place);
    return text;
  };
};

/** Reads the server of the organization. Throws 403 when dictation is forbidden, and 409 without a server. */
const prepare = ({ scopes, vault }: Services, session: Session) =>
  scopes.inTenant(session, async (scope) => {
    const settings = await settingsOfTenant(scope);
    if (!settings.is_dictation_allowed) throw forbidden(t`Your organization has turned off dictation.`);
    if (settings.dictation_url === '') throw noServer();
    const server: DictationServer = {
      url: settings.dictation_url,
      model: settings.dictation_model,
      key: openDictationKey(vault, settings),
    };
    const tenant = { id: settings.id, subdomain: settings.subdomain };
    return { server, tenant, words: await ownWords(scope) };
  });
