import { t } from '@radwork/contract/core/translate';
import {
  isRemoteProvider,
  type ReportingSettings,
  type ReportingSettingsForm,
  type WritingSettings,
} from '@radwork/contract/reading/reporting-settings';
import { type RawBuilder, sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { Vault } from '#core/installation/vault.ts';
import { acceptLogo } from './letterhead-logo.ts';
import {
  aiDestination,
  dictationOrigin,
  sealKey,
  settingsOfTenant,
  settingsToChange,
  type StoredSettings,
  toReportingSettings,
  toWritingSettings,
} from './stored-settings.ts';

/** Returns the settings that a writer of reports needs. */
export const readForWriting = async (scope: Scope): Promise<WritingSettings> =>
  toWritingSettings(await settingsOfTenant(scope));

export const read = async (scope: Scope): Promise<ReportingSettings> =>
  toReportingSettings(await settingsOfTenant(scope));

/**
 * Replaces the settings with a form. Throws 409 when another user has saved since the form was opened, and 422 by
 * field.
 */
export const save = async (scope: Scope, vault: Vault, form: ReportingSettingsForm): Promise<ReportingSettings> => {
  const stored = await settingsToChange(scope);
  if (stored.reporting_revision !== form.revision) {
    throw conflict('reporting_settings.changed', t`Another user changed the settings. Nothing was saved. Reload them.`);
  }
  const columns = {
    ...columnsOf(form),
    ...aiColumnsOf(scope, vault, stored, form),
    ...dictationColumnsOf(vault, stored, form),
    ...(await logoOf(stored, form)),
  };
  const saved = await scope.db
    .updateTable('tenants')
    .set({ ...columns, reporting_revision: form.revision + 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
  const changed = changesBetween(stored, saved);
  if (Object.keys(changed).length > 0) {
    await audit(scope, 'reporting_settings.update', {
      entity: 'reporting_settings',
      entityId: String(saved.id),
      detail: changed,
    });
    // Every screen depends on these settings: rights to finalize, buttons and time limits.
    await announce(scope, { kind: 'everything' });
  }
  return toReportingSettings(saved);
};

const columnsOf = (form: ReportingSettingsForm) => ({
  is_dictation_allowed: form.isDictationAllowed,
  critical_minutes: form.criticalMinutes,
  urgent_minutes: form.urgentMinutes,
  significant_minutes: form.significantMinutes,
  is_link_code_required: form.isLinkCodeRequired,
  link_days: form.linkDays,
  is_review_required: form.isReviewRequired,
  is_signature_required: form.isSignatureRequired,
  ...(form.signingProof && { signing_proof: form.signingProof }),
  ...(form.readingClaimMinutes && { reading_claim_minutes: form.readingClaimMinutes }),
  ...(form.showsPreliminary !== undefined && { shows_preliminary: form.showsPreliminary }),
  letterhead: form.letterhead,
  letterhead_footer: form.letterheadFooter,
  report_contact: form.reportContact,
  report_identifier: form.reportIdentifier,
  is_report_stored_as_dicom: form.isReportStoredAsDicom,
});

/** Returns the stored key of the dictation server, if the address in a form belongs to the same server. */
export const unchangedDictationKey = (stored: StoredSettings, form: Pick<StoredSettings, 'dictation_url'>) =>
  dictationOrigin(stored) === dictationOrigin(form) ? stored.dictation_key : null;

/** Returns the columns of dictation. Fields that are missing in the form keep their values. */
const dictationColumnsOf = (vault: Vault, stored: StoredSettings, form: ReportingSettingsForm) => {
  const url = (form.dictationUrl ?? stored.dictation_url).replace(/(?<!\/)\/+$/, '');
  const key = form.dictationKey
    ? sealKey(vault, stored.id, form.dictationKey, 'dictation_key')
    : unchangedDictationKey(stored, { dictation_url: url });
  return {
    is_browser_dictation_allowed: form.isBrowserDictationAllowed ?? stored.is_browser_dictation_allowed,
    dictation_url: url,
    dictation_model: form.dictationModel ?? stored.dictation_model,
    dictation_key: url === '' ? null : key,
  };
};

/**
 * Returns the stored key if it is for the same destination. Otherwise a user who edits the URL could send the key to
 * another server.
 */
export const unchangedKey = (stored: StoredSettings, form: Pick<StoredSettings, 'ai_provider' | 'ai_base_url'>) =>
  aiDestination(stored) === aiDestination(form) ? stored.ai_key : null;

type AiColumns = Pick<StoredSettings, 'ai_provider' | 'ai_model' | 'ai_base_url' | 'ai_key'> & {
  ai_agreed_by?: string;
  ai_agreed_at?: RawBuilder<string> | null;
};

const aiColumnsOf = (
  { session }: Scope,
  vault: Vault,
  stored: StoredSettings,
  form: ReportingSettingsForm,
): AiColumns => {
  const destination = { ai_provider: form.aiProvider, ai_model: form.aiModel, ai_base_url: form.aiBaseUrl };
  const isRemote = isRemoteProvider(form.aiProvider);
  const key = form.aiKey === '' ? unchangedKey(stored, destination) : sealKey(vault, stored.id, form.aiKey);
  if (form.aiProvider === 'GEMINI' && key === null) throw invalid({ aiKey: t`API key is required` });
  const isSamePlace = aiDestination(stored) === aiDestination(destination);
  const hasAgreed = isSamePlace && stored.ai_agreed_at !== null;
  if (form.isAiAgreed && isRemote && hasAgreed) return { ...destination, ai_key: key };
  const agreed = form.isAiAgreed && isRemote;
  return {
    ...destination,
    ai_key: isRemote ? key : null,
    ai_agreed_by: agreed ? session.name : '',
    ai_agreed_at: agreed ? sql<string>`now()` : null,
  };
};

const logoOf = async (stored: StoredSettings, { letterheadLogo }: ReportingSettingsForm) =>
  letterheadLogo === null || letterheadLogo === stored.letterhead_logo
    ? { letterhead_logo: letterheadLogo }
    : { letterhead_logo: await acceptLogo(letterheadLogo) };

/** Columns whose values are not written to the audit log: texts, images and the key. */
const unloggedColumns: readonly string[] = [
  'letterhead',
  'letterhead_footer',
  'letterhead_logo',
  'report_contact',
  'ai_key',
  'dictation_key',
  'ai_agreed_at',
];
const uninteresting: readonly string[] = ['reporting_revision'];

/** Returns the changes for the audit log. Leaves out secrets and texts. */
const changesBetween = (before: StoredSettings, after: StoredSettings) => {
  const earlier = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([column, value]) => !uninteresting.includes(column) && String(earlier.get(column)) !== String(value),
  );
  return Object.fromEntries(
    changed.map(([column, value]) => [column, unloggedColumns.includes(column) ? 'changed' : plain(value)]),
  );
};

const plain = (value: unknown): string | number | boolean =>
  typeof value === 'boolean' || typeof value === 'number' ? value : String(value);
