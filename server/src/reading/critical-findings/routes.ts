import { criticalFindingExport, criticalFindings } from '@radwork/contract/reading/critical-findings';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { contacts, saveContacts } from '#reading/critical-contacts/contacts.ts';
import { communicate } from './communicate.ts';
import { exportFindings } from './export-findings.ts';
import { acknowledge, acknowledgeInReport, get, list, ofStudy, recipients, withdraw } from './service.ts';

export const criticalFindingRoutes = ({ serve, serveStream }: Routes, { scopes }: Context) => {
  serve(criticalFindings.list, (scope, { query }) => list(scope, query));
  serveStream('', criticalFindingExport, (call) => exportFindings(scopes, call));
  serve(criticalFindings.get, (scope, { params }) => get(scope, params.id));
  serve(criticalFindings.ofStudy, (scope, { params }) => ofStudy(scope, params.id));
  serve(criticalFindings.recipients, (scope, { params }) => recipients(scope, params.id));
  serve(criticalFindings.communicate, (scope, { params, body }) => communicate(scope, params.id, body));
  serve(criticalFindings.acknowledge, (scope, { params }) => acknowledge(scope, params.id));
  serve(criticalFindings.acknowledgeInReport, (scope, { params, body }) => acknowledgeInReport(scope, params.id, body));
  serve(criticalFindings.withdraw, (scope, { params, body }) => withdraw(scope, params.id, body));
  serve(criticalFindings.contacts, (scope) => contacts(scope));
  serve(criticalFindings.saveContacts, (scope, { body }) => saveContacts(scope, body));
};
