import { patients } from '@radwork/contract/patients';
import type { Routes } from '#core/http.ts';
import { create, get, list, remove, reports, update } from './service.ts';

export const patientRoutes = ({ serve }: Routes) => {
  serve(patients.list, (scope, { query }) => list(scope, query));
  serve(patients.get, (scope, { params }) => get(scope, params.id));
  serve(patients.reports, (scope, { params }) => reports(scope, params.id));
  serve(patients.create, (scope, { body }) => create(scope, body));
  serve(patients.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(patients.remove, (scope, { params }) => remove(scope, params.id));
};
