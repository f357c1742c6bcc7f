import { macroForm } from '@radwork/contract/reading/macros';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { create as createMacro } from '#reading/macros/service.ts';
import { copy, list } from '#reading/templates/global-templates.ts';

/** Global templates that the demo organizations have copied. */
const copied = ['CT chest', 'MR brain', 'Chest radiograph', 'Ultrasound abdomen'];

const shared = [
  {
    abbreviation: 'nocomp',
    name: 'No comparison',
    text: 'No prior study is available for comparison.',
  },
  {
    abbreviation: 'comp',
    name: 'Comparison',
    text: 'Comparison: {{comparison.description}}, {{comparison.date}}.',
  },
  {
    abbreviation: 'nod',
    name: 'Pulmonary nodule',
    text: '[Solid / part-solid / ground-glass] nodule in the [lobe], [size] mm, series [series], image [image].',
  },
];

const own = [
  { abbreviation: 'nad', name: 'No acute disease', text: 'No acute disease in the chest.' },
  { abbreviation: 'fleisch', name: 'Nodule follow-up', text: 'Follow-up CT in [months] months is recommended.' },
];

/** Creates copies of global templates, shared macros, and macros of one radiologist. Does nothing when they exist. */
export const writeTemplates = async (scope: Scope, people: readonly Session[]): Promise<void> => {
  const known = await scope.db.selectFrom('macros').select('id').limit(1).executeTakeFirst();
  if (known) return;
  const administrator = people.find(({ userType }) => userType === 'ADMIN' || userType === 'SUPER_ADMIN');
  if (administrator) {
    const asAdministrator = { ...scope, session: administrator };
    const globals = await list(asAdministrator);
    for (const name of copied) {
      const { id } = orNotFound(
        globals.find((global) => global.isStarter && global.name === name),
        'template',
      );
      await copy(asAdministrator, id);
    }
    for (const macro of shared) await createMacro(asAdministrator, macroForm.parse({ ...macro, isShared: true }));
  }
  const radiologist = people.find(({ userType }) => userType === 'RADIOLOGIST');
  if (!radiologist) return;
  for (const macro of own) await createMacro({ ...scope, session: radiologist }, macroForm.parse(macro));
};
