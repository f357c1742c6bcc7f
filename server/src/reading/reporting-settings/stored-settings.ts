import { t } from '@radwork/contract/core/translate';
import {
  aiProviderNames,
  geminiAddress,
  isRemoteProvider,
  type ReportingSettings,
  type WritingSettings,
} from '@radwork/contract/reading/reporting-settings';
import type { Selectable } from 'kysely';
import type { Database } from '#core/database/database.ts';
import { Problem } from '#core/http/problem.ts';
import type { Tenants } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { resealEach, type Vault, VaultError } from '#core/installation/vault.ts';

export type StoredSettings = Selectable<Tenants>;
type AiSettings = Pick<StoredSettings, 'ai_provider' | 'ai_base_url'>;

/** Reads the tenant of the caller with its reporting settings. */
export const settingsOfTenant = ({ db }: Scope): Promise<StoredSettings> =>
  db.selectFrom('tenants').selectAll().executeTakeFirstOrThrow();

/** Reads the settings and locks them until the transaction ends. */
export const settingsToChange = ({ db }: Scope): Promise<StoredSettings> =>
  db.selectFrom('tenants').selectAll().forNoKeyUpdate().executeTakeFirstOrThrow();

/** Columns with the sealed key of a service: of the drafting provider and of the dictation server. */
const keyColumns = ['ai_key', 'dictation_key'] as const;
type KeyColumn = (typeof keyColumns)[number];

const keyPlace = (tenantId: number, column: KeyColumn) => ({
  tenantId,
  table: 'tenants',
  row: String(tenantId),
  column,
});

export const sealKey = (vault: Vault, tenantId: number, key: string, column: KeyColumn = 'ai_key'): string =>
  vault.seal(key, keyPlace(tenantId, column));

const openSealed = (vault: Vault, { id, sealed }: { id: number; sealed: string | null }, column: KeyColumn): string => {
  if (sealed === null) return '';
  try {
    return vault.open(sealed, keyPlace(id, column));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw column === 'ai_key'
      ? new Problem(503, 'drafting.key', t`The stored AI key cannot be decrypted. Enter it again.`)
      : new Problem(
          503,
          'dictation.key',
          t`The stored key of the dictation server cannot be decrypted. Enter it again.`,
        );
  }
};

/** Returns the key of the provider. Empty when none is stored. Throws 503 if the key cannot be opened. */
export const openKey = (vault: Vault, { id, ai_key }: Pick<StoredSettings, 'id' | 'ai_key'>): string =>
  openSealed(vault, { id, sealed: ai_key }, 'ai_key');

/** Returns the key of the dictation server. Empty when none is stored. Throws 503 if the key cannot be opened. */
export const openDictationKey = (
  vault: Vault,
  { id, dictation_key }: Pick<StoredSettings, 'id' | 'dictation_key'>,
): string => openSealed(vault, { id, sealed: dictation_key }, 'dictation_key');

/**
 * Seals the keys of AI providers and dictation servers of all tenants with the current key of the vault. Needs the
 * rights of the database owner. A key that cannot be opened stays unchanged; using it throws an error.
 */
export const resealServiceKeys = async (owner: Database, vault: Vault): Promise<number> => {
  let count = 0;
  for (const column of keyColumns) count += await resealColumn(owner, vault, column);
  return count;
};

const resealColumn = async (owner: Database, vault: Vault, column: KeyColumn): Promise<number> => {
  const rows = await owner
    .selectFrom('tenants')
    .select(['id', `${column} as sealed`])
    .where(column, 'is not', null)
    .execute();
  return resealEach(vault, rows, {
    sealedIn: ({ id, sealed }) => ({ sealed, place: keyPlace(id, column) }),
    keep: ({ id, sealed }, resealed) =>
      owner
        .updateTable('tenants')
        .set({ [column]: resealed })
        .where('id', '=', id)
        .where(column, '=', sealed)
        .executeTakeFirst(),
  });
};

/** Returns the URL to which texts are sent, without a slash at its end. Empty if texts stay on this server. */
export const aiAddress = ({ ai_provider, ai_base_url }: AiSettings): string => {
  if (!isRemoteProvider(ai_provider)) return '';
  const address = ai_base_url === '' && ai_provider === 'GEMINI' ? geminiAddress : ai_base_url;
  return address.replace(/(?<!\/)\/+$/, '');
};

/** Returns provider, scheme, host and port. A consent and a key are valid only for one such destination. */
export const aiDestination = (settings: AiSettings): string => {
  const address = aiAddress(settings);
  if (!URL.canParse(address)) return settings.ai_provider;
  const { protocol, host } = new URL(address);
  return `${settings.ai_provider} ${protocol}//${host}`;
};

/** Returns scheme, host and port of the dictation server. A key is valid only there. Empty without a server. */
export const dictationOrigin = ({ dictation_url }: Pick<StoredSettings, 'dictation_url'>): string =>
  URL.canParse(dictation_url) ? new URL(dictation_url).origin : '';

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

/**
 * Returns whether drafting is on. A remote provider must be configured, and a user must have agreed that texts leave
 * this server.
 */
export const isDraftingOn = (settings: StoredSettings): boolean => {
  const { ai_provider, ai_model, ai_key, ai_agreed_at } = settings;
  if (ai_provider === 'NONE') return false;
  if (!isRemoteProvider(ai_provider)) return true;
  const hasKey = ai_key !== null || ai_provider === 'OPENAI';
  return hasKey && ai_agreed_at !== null && ai_model !== '' && aiAddress(settings) !== '';
};

export const toWritingSettings = (settings: StoredSettings): WritingSettings => ({
  isDictationAllowed: settings.is_dictation_allowed,
  dictation: {
    server: hostOf(settings.dictation_url),
    isBrowserAllowed: settings.is_browser_dictation_allowed,
  },
  drafting: {
    isOn: isDraftingOn(settings),
    provider: settings.ai_provider,
    providerName: aiProviderNames[settings.ai_provider],
    model: isRemoteProvider(settings.ai_provider) ? settings.ai_model : '',
    whereTextGoes: hostOf(aiAddress(settings)),
    isRuleBased: settings.ai_provider === 'RULES',
  },
  clocks: {
    CRITICAL: settings.critical_minutes,
    URGENT: settings.urgent_minutes,
    SIGNIFICANT: settings.significant_minutes,
  },
  isSignatureRequired: settings.is_signature_required,
  isReviewRequired: settings.is_review_required,
  isLinkCodeRequired: settings.is_link_code_required,
  linkDays: settings.link_days,
  showsPreliminary: settings.shows_preliminary,
});

export const toReportingSettings = (settings: StoredSettings): ReportingSettings => ({
  revision: settings.reporting_revision,
  isDictationAllowed: settings.is_dictation_allowed,
  isBrowserDictationAllowed: settings.is_browser_dictation_allowed,
  dictationUrl: settings.dictation_url,
  dictationModel: settings.dictation_model,
  hasDictationKey: settings.dictation_key !== null,
  aiProvider: settings.ai_provider,
  aiModel: settings.ai_model,
  aiBaseUrl: settings.ai_base_url,
  hasAiKey: settings.ai_key !== null,
  aiAgreedBy: settings.ai_agreed_by,
  aiAgreedAt: settings.ai_agreed_at,
  criticalMinutes: settings.critical_minutes,
  urgentMinutes: settings.urgent_minutes,
  significantMinutes: settings.significant_minutes,
  isLinkCodeRequired: settings.is_link_code_required,
  readingClaimMinutes: settings.reading_claim_minutes,
  linkDays: settings.link_days,
  isReviewRequired: settings.is_review_required,
  isSignatureRequired: settings.is_signature_required,
  signingProof: settings.signing_proof,
  letterhead: settings.letterhead,
  letterheadFooter: settings.letterhead_footer,
  reportContact: settings.report_contact,
  reportIdentifier: settings.report_identifier,
  letterheadLogo: settings.letterhead_logo,
  isReportStoredAsDicom: settings.is_report_stored_as_dicom,
  showsPreliminary: settings.shows_preliminary,
});
