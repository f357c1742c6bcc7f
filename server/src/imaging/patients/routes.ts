import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import type { Routes } from '#core/http/http.ts';
import { acceptDifference, differences, dismissDifference } from './differences.ts';
import { duplicates } from './duplicates.ts';
import { history } from './merge-rows.ts';
import { merge, previewMerge } from './merge-patients.ts';
import { move, previewMove } from './move-study.ts';
import { create, get, list, releaseFormerId, remove, update } from './service.ts';
import { undo } from './undo-merge.ts';

export const patientRoutes = ({ serve }: Routes) => {
  serve(patients.list, (scope, { query }) => list(scope, query));
  serve(patients.get, (scope, { params }) => get(scope, params.id));
  serve(patients.create, (scope, { body }) => create(scope, body));
  serve(patients.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(patients.releaseFormerId, (scope, { params, body }) => releaseFormerId(scope, params.id, body));
  serve(patients.remove, (scope, { params }) => remove(scope, params.id));
  serve(patientMerges.previewMerge, (scope, { params }) => previewMerge(scope, params.id, params.sourceId));
  serve(patientMerges.merge, (scope, { params, body }) => merge(scope, params.id, body));
  serve(patientMerges.previewMove, (scope, { params }) => previewMove(scope, params.patientId, params.id));
  serve(patientMerges.move, (scope, { params, body }) => move(scope, params.id, body));
  serve(patientMerges.history, (scope, { params }) => history(scope, params.id));
  serve(patientMerges.undo, (scope, { params }) => undo(scope, params.id, params.mergeId));
  serve(patientMerges.duplicates, (scope, { params }) => duplicates(scope, params.id));
  serve(patientMerges.differences, (scope, { params }) => differences(scope, params.id));
  serve(patientMerges.acceptDifference, (scope, { params, body }) => acceptDifference(scope, params.id, body));
  serve(patientMerges.dismissDifference, (scope, { params, body }) => dismissDifference(scope, params.id, body));
};
