import { assignmentRules } from '@radwork/contract/reading/assignment-rules';
import type { Routes } from '#core/http/http.ts';
import { dryRun } from './dry-run.ts';
import { read, save } from './service.ts';

export const assignmentRuleRoutes = ({ serve }: Routes) => {
  serve(assignmentRules.read, (scope) => read(scope));
  serve(assignmentRules.save, (scope, { body }) => save(scope, body));
  serve(assignmentRules.dryRun, (scope, { body }) => dryRun(scope, body));
};
