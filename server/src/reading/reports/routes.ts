import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { addCriticalFinding } from '#reading/critical-findings/service.ts';
import { readSigning } from '#identity/signing-means/signed-with.ts';
import { beginAddendum, discardAddendum, saveAddendum, signAddendum } from './addenda.ts';
import { afterChange, get, ofStudy, reviewers, version } from './describe-report.ts';
import { issuePreliminary } from './preliminary.ts';
import { priors } from './priors.ts';
import { list, views } from './report-list.ts';
import { reportsOfPatient } from './reports-of-patient.ts';
import { finalize } from './finalize.ts';
import { create, requestReview, rerouteReview, save, submitReview } from './service.ts';

export const reportRoutes = ({ serve, serveWaiting }: Routes, context: Context) => {
  const { scopes, secretKey } = context;

  serve(reports.list, (scope, { query }) => list(scope, query));
  serve(reports.views, (scope) => views(scope));
  serve(reports.get, (scope, { params }) => get(scope, secretKey, params.id));
  serve(reports.version, (scope, { params }) => version(scope, params.id, params.version));
  serve(reports.ofStudy, (scope, { params }) => ofStudy(scope, secretKey, params.id));
  serve(reports.ofPatient, (scope, { params }) => reportsOfPatient(scope, params.id));
  serve(studies.priors, (scope, { params, query }) => priors(scope, params.id, query));
  serve(reports.reviewers, (scope, { params }) => reviewers(scope, params.id));

  serve(reports.create, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await create(scope, params.id, body)),
  );
  serve(reports.save, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await save(scope, params.id, body)),
  );
  serve(reports.requestReview, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await requestReview(scope, params.id, body)),
  );
  serve(reports.issuePreliminary, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await issuePreliminary(scope, params.id, body)),
  );
  serve(reports.submitReview, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await submitReview(scope, params.id, body)),
  );
  serve(reports.rerouteReview, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await rerouteReview(scope, params.id, body)),
  );
  serve(reports.addCriticalFinding, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await addCriticalFinding(scope, params.id, body)),
  );
  // Checks the password and draws the signature before the transaction, because both take long.
  serveWaiting(reports.finalize, async (session, { params, body }) => {
    const signed = await readSigning(context, session, body);
    return scopes.inTenant(session, async (scope) =>
      afterChange(scope, secretKey, await finalize(scope, params.id, body, signed)),
    );
  });

  serve(reportAddenda.begin, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await beginAddendum(scope, params.id, body)),
  );
  serve(reportAddenda.save, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await saveAddendum(scope, params, body)),
  );
  serve(reportAddenda.discard, async (scope, { params, query }) =>
    afterChange(scope, secretKey, await discardAddendum(scope, params, query)),
  );
  serveWaiting(reportAddenda.sign, async (session, { params, body }) => {
    const signed = await readSigning(context, session, body);
    return scopes.inTenant(session, async (scope) =>
      afterChange(scope, secretKey, await signAddendum(scope, params, body, signed)),
    );
  });
};
