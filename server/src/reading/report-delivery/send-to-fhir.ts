import type { Context } from '#core/context.ts';
import type { Session } from '#core/access/scope.ts';
import { tenantOf } from '#imaging/remote-archives/open-remote.ts';
import { settingsOf, usableConfiguration } from '#imaging/remote-archives/stored-configuration.ts';
import { openFhirServer } from './fhir/fhir-server.ts';
import type { SeriesFacts } from './fhir/resources.ts';
import { sendResources } from './fhir/send-resources.ts';
import { makePdf } from './pdf/make-pdf.ts';
import type { ReportDocument } from './report-document.ts';
import type { CreatedResource } from './store-report.ts';

type FhirContext = Pick<Context, 'scopes' | 'vault' | 'outgoing' | 'config'>;

/** A report gets this many times the usual time limit of an archive, because sending a report takes longer. */
const patience = 4;

/**
 * Sends a signed report to the FHIR server of a configuration. Returns the created resources. Throws a FhirError, and a
 * Problem when the configuration is missing.
 */
export const sendToFhir = async (
  { scopes, vault, outgoing, config }: FhirContext,
  session: Session,
  { document, configId }: { document: ReportDocument; configId: string },
  signal: AbortSignal,
): Promise<CreatedResource[]> => {
  const { settings, tenant, series } = await scopes.inTenant(session, async (scope) => ({
    settings: settingsOf(vault, await usableConfiguration(scope, configId)),
    tenant: await tenantOf(scope),
    series: await scope.db
      .selectFrom('series')
      .select(['series_instance_uid as uid', 'series_number as number', 'modality'])
      .select(['series_description as description', 'instance_count as instances'])
      .where('study_id', '=', document.studyId)
      .orderBy('series_number')
      .orderBy('series_instance_uid')
      .execute()
      .then((rows): SeriesFacts[] => rows),
  }));
  const pdf = await makePdf(document);
  const deadline = AbortSignal.timeout(config.remoteTimeoutSeconds * patience * 1000);
  const server = openFhirServer(outgoing, tenant, settings, AbortSignal.any([signal, deadline]));
  return sendResources(server, { document, series, pdf });
};
