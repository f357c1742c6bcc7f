import { globalTemplates, templateFacts, templates } from '@radwork/contract/reading/templates';
import type { Routes } from '#core/http/http.ts';
import * as globals from './global-templates.ts';
import { readMrrt } from './mrrt.ts';
import { create, get, list, recordUse, ofModality, remove, update, versions } from './service.ts';
import { factsOfStudy } from './study-facts.ts';
import { chooseTemplate } from './choose-template.ts';

export const templateRoutes = ({ serve }: Routes) => {
  serve(globalTemplates.list, (scope) => globals.list(scope));
  serve(globalTemplates.create, (scope, { body }) => globals.create(scope, body));
  serve(globalTemplates.update, (scope, { params, body }) => globals.update(scope, params.id, body));
  serve(globalTemplates.remove, (scope, { params }) => globals.remove(scope, params.id));
  serve(globalTemplates.copy, (scope, { params }) => globals.copy(scope, params.id));

  serve(templates.list, (scope, { query }) => list(scope, query));
  serve(templates.ofModality, (scope, { params }) => ofModality(scope, params.modality));
  serve(templates.get, (scope, { params }) => get(scope, params.id));
  serve(templates.versions, (scope, { params }) => versions(scope, params.id));
  serve(templates.create, (scope, { body }) => create(scope, body));
  serve(templates.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(templates.remove, (scope, { params }) => remove(scope, params.id));
  serve(templates.noteUse, (scope, { params }) => recordUse(scope, params.id));
  serve(templates.readMrrt, async (_scope, { body }) => readMrrt(body.html));

  serve(templateFacts.choose, (scope, { params, body }) => chooseTemplate(scope, params.id, body.templateId));
  serve(templateFacts.ofStudy, (scope, { params }) => factsOfStudy(scope, params.id));
};
