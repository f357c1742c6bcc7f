import { historyExport, workflow } from '@radwork/contract/reading/workflow';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { assign } from './assign.ts';
import { assignable } from './assignable.ts';
import { complete, extend, removeAssignment, takeAccess } from './assignments.ts';
import { removeGroupAssignment } from './group-assignments.ts';
import { exportHistory } from './history-export.ts';
import { history } from './history.ts';
import { changeStatus, reinstate } from './status.ts';
import { workOn } from './work.ts';

export const workflowRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(workflow.read, (scope, { params }) => workOn(scope, params.id));
  serve(workflow.changeStatus, (scope, { params, query }) => changeStatus(scope, params.id, query));
  serve(workflow.reinstate, (scope, { params, body }) => reinstate(scope, params.id, body));
  serve(workflow.assign, (scope, { params, body }) => assign(scope, params.id, body));
  serve(workflow.removeAssignment, (scope, { params, query }) =>
    (query.state === 'ENDED' ? takeAccess : removeAssignment)(scope, params.id, params.userId),
  );
  serve(workflow.removeGroupAssignment, (scope, { params }) => removeGroupAssignment(scope, params.id, params.groupId));
  serve(workflow.extend, (scope, { params, body }) =>
    extend(scope, { studyId: params.id, userId: params.userId }, body),
  );
  serve(workflow.complete, (scope, { params, body }) =>
    complete(scope, { studyId: params.id, userId: params.userId }, body),
  );
  serve(workflow.history, (scope, { params, query }) => history(scope, params.id, query));
  serve(workflow.assignable, (scope, { query }) => assignable(scope, query));
  serveStream('', historyExport, (call) => exportHistory(scopes, call));
};
