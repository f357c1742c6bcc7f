import { reports } from '@radwork/contract/reports';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { afterChange, get, list, ofStudy, reviewers, version } from './describe-report.ts';
import { link, revoke, share } from './links.ts';
import { addCriticalFinding, create, finalize, requestReview, save, submitReview } from './service.ts';

export const reportRoutes = ({ serve }: Routes, { secretKey }: Context) => {
  serve(reports.list, (scope, { query }) => list(scope, query));
  serve(reports.get, (scope, { params }) => get(scope, secretKey, params.id));
  serve(reports.version, (scope, { params }) => version(scope, params.id, params.version));
  serve(reports.ofStudy, (scope, { params }) => ofStudy(scope, secretKey, params.id));
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
  serve(reports.submitReview, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await submitReview(scope, params.id, body)),
  );
  serve(reports.finalize, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await finalize(scope, params.id, body)),
  );
  serve(reports.addCriticalFinding, async (scope, { params, body }) =>
    afterChange(scope, secretKey, await addCriticalFinding(scope, params.id, body)),
  );

  serve(reports.link, (scope, { params }) => link(scope, secretKey, params.id));
  serve(reports.share, (scope, { params }) => share(scope, secretKey, params.id));
  serve(reports.revoke, (scope, { params }) => revoke(scope, params.id));
};
