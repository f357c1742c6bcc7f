import { lesions } from '@radwork/contract/reading/lesions';
import type { Routes } from '#core/http/http.ts';
import { add, assess, link, ofStudy, save, unlink } from './service.ts';

export const lesionRoutes = ({ serve }: Routes) => {
  serve(lesions.ofStudy, (scope, { params }) => ofStudy(scope, params.id));
  serve(lesions.add, (scope, { params, body }) => add(scope, params.id, body));
  serve(lesions.link, (scope, { params, body }) => link(scope, params, body.priorMeasurementId));
  serve(lesions.unlink, (scope, { params }) => unlink(scope, params));
  serve(lesions.save, (scope, { params, body }) => save(scope, params, body));
  serve(lesions.assess, (scope, { params, body }) => assess(scope, params, body.state));
};
