// The skeleton of a noun, for npm run new-feature.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modules } from '../../server/src/modules.ts';

const singularOf = (plural) => plural.replace(/ies$/, 'y').replace(/(?<![sy])s$/, '');
const camel = (words) => words.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns each form of a name that the skeleton needs. */
const formsOf = (module, plural) => {
  const singular = singularOf(plural);
  return {
    module,
    file: plural,
    many: camel(plural),
    one: camel(singular),
    Many: capital(camel(plural)),
    One: capital(camel(singular)),
    table: plural.replaceAll('-', '_'),
    entity: singular.replaceAll('-', '_'),
    words: plural.replaceAll('-', ' '),
    word: singular.replaceAll('-', ' '),
    Word: capital(singular.replaceAll('-', ' ')),
    Words: capital(plural.replaceAll('-', ' ')),
  };
};

const contract = ({ file, many, one, One, entity, word }) => `import { z } from 'zod';
import { del, get, notAudited, post, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { t } from '../core/translate.ts';

const name = z
  .string({ error: () => t\`Name is required\` })
  .trim()
  .min(1, { error: () => t\`Name is required\` })
  .max(120, { error: () => t\`The name is longer than 120 characters\` });

export const ${one}Form = z.object({ name });

export const ${one} = z.object({ id: z.string(), name: z.string(), revision: z.number() });
export type ${One} = z.infer<typeof ${one}>;

export const ${many} = {
  list: get('/${file}', { can: 'config.manage', audited: notAudited.noPatient, reply: z.array(${one}) }),
  create: post('/${file}', { can: 'config.manage', audited: '${entity}.create', body: ${one}Form, reply: ${one} }),
  update: put('/${file}/:id', {
    can: 'config.manage',
    audited: '${entity}.update',
    body: z.object({ name, revision: z.number().int() }),
    reply: ${one},
  }),
  remove: del('/${file}/:id', { can: 'config.manage', audited: '${entity}.delete' }),
};

export const noun = {
  calls: [${many}],
  entities: ['${entity}'],
  actions: {
    Configuration: {
      '${entity}.create': 'Created ${word}',
      '${entity}.update': 'Changed ${word}',
      '${entity}.delete': 'Deleted ${word}',
    },
  },
} as const satisfies Noun;
`;

const migration = ({ table, words }) => `-- The ${words} of an organization.
create table ${table} (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  revision int not null default 1,
  primary key (tenant_id, id)
);
select confine('${table}');
`;

const feature = ({ module, file, many }) => `import { ${many} } from '@radwork/contract/${module}/${file}';
import { defineFeature } from '#core/feature.ts';
import { create, list, remove, update } from './service.ts';

export const feature = defineFeature({
  name: '${file}',
  routes: ({ serve }) => {
    serve(${many}.list, (scope) => list(scope));
    serve(${many}.create, (scope, { body }) => create(scope, body));
    serve(${many}.update, (scope, { params, body }) => update(scope, params.id, body));
    serve(${many}.remove, (scope, { params }) => remove(scope, params.id));
  },
});
`;

const service = ({
  module,
  file,
  many,
  one,
  One,
  table,
  entity,
  word,
  Word,
  words,
}) => `import type { Body } from '@radwork/contract/core/endpoint';
import type { ${One}, ${many} as endpoints } from '@radwork/contract/${module}/${file}';
import { t } from '@radwork/contract/core/translate';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';

const stored = ({ db }: Scope) => db.selectFrom('${table}').select(['id', 'name', 'revision']);

const ${one}ById = async (scope: Scope, id: string): Promise<${One}> =>
  orNotFound(await stored(scope).where('id', '=', id).executeTakeFirst(), {
    code: '${entity}',
    message: t\`${Word} not found\`,
  });

/** Lists the ${words} by name. */
export const list = (scope: Scope): Promise<${One}[]> => stored(scope).orderBy('name').orderBy('id').execute();

export const create = async (scope: Scope, form: Body<typeof endpoints.create>): Promise<${One}> => {
  const id = newId();
  await scope.db
    .insertInto('${table}')
    .values({ id, ...form })
    .execute();
  await audit(scope, '${entity}.create', { entity: '${entity}', entityId: id });
  return ${one}ById(scope, id);
};

/** Changes a ${word}. Throws 409 when another user changed it since the caller read it. */
export const update = async (
  scope: Scope,
  id: string,
  { revision, ...form }: Body<typeof endpoints.update>,
): Promise<${One}> => {
  await ${one}ById(scope, id);
  const changed = await scope.db
    .updateTable('${table}')
    .set({ ...form, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning('id')
    .executeTakeFirst();
  if (!changed) throw conflict('${entity}.changed', t\`Another user changed the ${word}. Reload it and try again.\`);
  await audit(scope, '${entity}.update', { entity: '${entity}', entityId: id });
  return ${one}ById(scope, id);
};

export const remove = async (scope: Scope, id: string): Promise<void> => {
  await ${one}ById(scope, id);
  await scope.db.deleteFrom('${table}').where('id', '=', id).execute();
  await audit(scope, '${entity}.delete', { entity: '${entity}', entityId: id });
};
`;

const serverTest = ({ module, file, many, word }) => `import { ${many} } from '@radwork/contract/${module}/${file}';
import { expect, test } from 'vitest';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

test('a ${word} is created, changed and deleted', async () => {
  const { send } = await world.signIn('ADMIN');

  const { data: made } = await send(${many}.create, { body: { name: 'First' } });
  const params = { id: made.id };
  const { data: changed } = await send(${many}.update, { params, body: { name: 'Second', revision: 1 } });

  expect(changed).toEqual({ id: made.id, name: 'Second', revision: 2 });
  expect((await send(${many}.list)).data).toEqual([changed]);
  await send(${many}.remove, { params });
  expect((await send(${many}.list)).data).toEqual([]);
});

test('refuses a change of an older revision', async () => {
  const { send } = await world.signIn('ADMIN');
  const { data: made } = await send(${many}.create, { body: { name: 'First' } });
  const params = { id: made.id };
  await send(${many}.update, { params, body: { name: 'Second', revision: 1 } });

  const late = await send(${many}.update, { params, body: { name: 'Third', revision: 1 } });

  expect(late.code).toBe(409);
  expect((await send(${many}.list)).data).toMatchObject([{ name: 'Second' }]);
});
`;

const samples = ({ module, file, many, one }) => `import { ${many} } from '@radwork/contract/${module}/${file}';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  // The failing test of src/access-matrix.test.ts prints the lines. Judge each of them before you copy it.
  access: '',
  unaudited: [${many}.list],
  ids: { '/${file}/': '${one}Id' },
  bodies: [
    [${many}.create, { name: 'x' }],
    [${many}.update, { name: 'x', revision: 1 }],
  ],
  fill: async ({ personOf, mark }) => {
    const { data } = await personOf('ADMIN').send(${many}.create, { body: { name: mark } });
    return { ${one}Id: data.id };
  },
});
`;

const webScreen = ({
  module,
  file,
  many,
  one,
  One,
  Many,
  word,
  Word,
  words,
  Words,
}) => `import { type ${One}, ${one}Form, ${many} } from '@radwork/contract/${module}/${file}';
import { t } from '@lingui/core/macro';
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconListDetails, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { fieldErrorsOf, focusFirstInvalid } from '#ui/forms/field-errors.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import { RowActions } from '#ui/tables/row-actions.tsx';

/** The ${words} of the organization. */
export function ${Many}Screen() {
  const result = useQuery(query(${many}.list, {}));
  const [edited, setEdited] = useState<${One} | 'new'>();
  const { mutate: remove } = useAction(${many}.remove, {
    done: t\`${Word} deleted\`,
    failed: t\`Failed to delete the ${word}\`,
  });
  const columns = useMemo(() => {
    const askToRemove = async (${one}: ${One}) => {
      const name = isolateText(${one}.name);
      const agreed = await confirm({
        question: t\`Delete the ${word} \${name}?\`,
        consequence: t\`A deleted ${word} cannot be restored.\`,
        verb: t\`Delete ${word}\`,
      });
      if (agreed) remove({ params: { id: ${one}.id } });
    };
    return columnsOf(setEdited, (${one}) => void askToRemove(${one}));
  }, [remove]);
  return (
    <>
      <ScreenTitle
        title={t\`${Words}\`}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            {t\`Create ${word}\`}
          </Button>
        }
      />
      <DataTable
        label={t\`${words}\`}
        items={result.data}
        idOf={({ id }) => id}
        columns={columns}
        onOpen={setEdited}
        isRefreshing={result.isFetching}
      >
        {result.data?.length === 0 && <EmptyState icon={IconListDetails} title={t\`No ${words}\`} />}
        {result.isLoadingError && (
          <ErrorState failed={t\`Failed to load ${words}\`} error={result.error} onRetry={() => void result.refetch()} />
        )}
      </DataTable>
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === 'new' ? t\`Create ${word}\` : t\`Edit ${word}\`}
      >
        {edited && (
          <${One}Fields ${one}={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
        )}
      </Dialog>
    </>
  );
}

function ${One}Fields({ ${one}, onClose }: { ${one}: ${One} | undefined; onClose: () => void }) {
  const failed = t\`Failed to save the ${word}\`;
  const create = useAction(${many}.create, { done: t\`${Word} created\`, failed });
  const update = useAction(${many}.update, { done: t\`${Word} saved\`, failed });
  const form = useForm({
    initialValues: { name: ${one}?.name ?? '' },
    validate: schemaResolver(${one}Form, { sync: true }),
  });
  const after = { onSuccess: onClose, onError: (error: Error) => form.setErrors(fieldErrorsOf(error)) };
  const submit = form.onSubmit(
    (body) =>
      ${one}
        ? update.mutate({ params: { id: ${one}.id }, body: { ...body, revision: ${one}.revision } }, after)
        : create.mutate({ body }, after),
    (faults) => focusFirstInvalid(form.getInputNode, faults),
  );
  return (
    <DialogForm
      verb={${one} ? t\`Save\` : t\`Create ${word}\`}
      action={${one} ? update : create}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextInput label={t\`Name\`} withAsterisk data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  );
}

const icon = { size: 16, stroke: 1.6 } as const;

const columnsOf = (onOpen: (${one}: ${One}) => void, onRemove: (${one}: ${One}) => void): Column<${One}>[] => [
  { id: 'name', header: t\`Name\`, meta: { isRowName: true, takesRest: true }, cell: ({ row }) => row.original.name },
  {
    id: 'actions',
    header: t\`Actions\`,
    meta: { isTitleHidden: true, card: { order: 1 } },
    cell: ({ row: { original } }) => <${One}Actions ${one}={original} onOpen={onOpen} onRemove={onRemove} />,
  },
];

type ActionProps = { ${one}: ${One}; onOpen: (${one}: ${One}) => void; onRemove: (${one}: ${One}) => void };

function ${One}Actions({ ${one}, onOpen, onRemove }: ActionProps) {
  const { name } = ${one};
  return (
    <RowActions>
      <Tooltip label={t\`Edit\`}>
        <ActionIcon aria-label={t\`Edit \${name}\`} onClick={() => onOpen(${one})}>
          <IconPencil {...icon} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t\`Delete\`}>
        <ActionIcon aria-label={t\`Delete \${name}\`} onClick={() => onRemove(${one})}>
          <IconTrash {...icon} />
        </ActionIcon>
      </Tooltip>
    </RowActions>
  );
}
`;

const webTest = ({
  module,
  file,
  many,
  One,
  one,
  Words,
  words,
  word,
}) => `import { type ${One}, ${many} } from '@radwork/contract/${module}/${file}';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, bodiesOf, refuse, signIn, visit } from '#test/screen.tsx';
import { testScreenAccess } from '#test/screen-access.tsx';

const ${one}: ${One} = { id: '0193d4a0-0000-7000-8000-0000000000bb', name: 'First', revision: 1 };

testScreenAccess(
  '/${file}',
  { openTo: ['SUPER_ADMIN', 'ADMIN'], entry: '${Words}' },
  answer(${many}.list, () => [${one}]),
);

const open = (...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  return visit('/${file}', ...answers, answer(${many}.list, () => [${one}]));
};

test('the list shows each ${word} by its name', async () => {
  open();

  expect(await screen.findByRole('row', { name: /First/ })).toBeDefined();
});

test('a ${word} is created with its name', async () => {
  const { calls } = open(answer(${many}.create, () => ({ ...${one}, name: 'Second' })));

  await userEvent.click(await screen.findByRole('button', { name: 'Create ${word}' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create ${word}' }));
  await userEvent.type(dialog.getByRole('textbox', { name: /Name/ }), 'Second');
  await userEvent.click(dialog.getByRole('button', { name: 'Create ${word}' }));

  await waitFor(() => expect(bodiesOf(calls, ${many}.create)).toEqual([{ name: 'Second' }]));
});

test('a ${word} cannot be saved without a name', async () => {
  const { calls } = open();

  await userEvent.click(await screen.findByRole('button', { name: 'Edit First' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit ${word}' }));
  await userEvent.clear(dialog.getByRole('textbox', { name: /Name/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));

  expect(await dialog.findByText('Name is required')).toBeDefined();
  expect(bodiesOf(calls, ${many}.update)).toEqual([]);
});

test('a change by another user is reported in the dialog', async () => {
  const { calls } = open(refuse(${many}.update, 409, 'Another user changed the ${word}.'));

  await userEvent.click(await screen.findByRole('button', { name: 'Edit First' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit ${word}' }));
  await userEvent.type(dialog.getByRole('textbox', { name: /Name/ }), ' 2');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));

  expect(await dialog.findByText('Another user changed the ${word}.')).toBeDefined();
  expect(bodiesOf(calls, ${many}.update)).toEqual([{ name: 'First 2', revision: 1 }]);
});

test('deleting a ${word} asks first', async () => {
  const { calls } = open(answer(${many}.remove, () => undefined));

  await userEvent.click(await screen.findByRole('button', { name: 'Delete First' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete the ${word} First?' }));
  expect(bodiesOf(calls, ${many}.remove)).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Delete ${word}' }));

  await waitFor(() => expect(bodiesOf(calls, ${many}.remove)).toHaveLength(1));
});

test('a list that failed to load can be loaded again', async () => {
  signIn('ADMIN');

  visit('/${file}', refuse(${many}.list, 503, 'The database cannot be reached.'));

  expect(await screen.findByText('Failed to load ${words}')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
`;

/** Inserts a line before the first line that `isNext` accepts, after the line that matches `begins`. */
const insertLine = (text, line, begins, isNext) => {
  const lines = text.split('\n');
  const from = lines.findIndex((one) => begins.test(one));
  const at = lines.findIndex((one, index) => index > from && isNext(one));
  if (from === -1 || at === -1) throw new Error(`Found no place for "${line}"`);
  return lines.toSpliced(at, 0, line).join('\n');
};

const collect = (text, { many }, { imported, list }) => {
  const withImport = insertLine(text, imported, /^import /, (line) => !line.startsWith('import '));
  return insertLine(withImport, `  ${many},`, list, (line) => line.startsWith(']'));
};

const inContract = (text, forms) =>
  collect(text, forms, {
    imported: `import { noun as ${forms.many} } from './${forms.module}/${forms.file}.ts';`,
    list: /^const collected = \[/,
  });

const inFeatures = (text, forms) =>
  collect(text, forms, {
    imported: `import { feature as ${forms.many} } from './${forms.module}/${forms.file}/feature.ts';`,
    list: /^export const features/,
  });

/** Adds a name to the import of a package, which the file already has. */
const withImported = (text, name, specifier) =>
  text.replace(new RegExp(`^import \\{ ([^}]+) \\} from '${specifier}';$`, 'm'), (line, list) => {
    const names = list.split(', ');
    const all = [...new Set([...names, name])].toSorted((first, other) => first.localeCompare(other, 'en'));
    return line.replace(list, all.join(', '));
  });

const inRoutes = (text, { module, file, Many, Words }) => {
  const withIcon = withImported(text, 'IconListDetails', '@tabler/icons-react');
  const route = `  createRoute({
    getParentRoute: () => shell,
    path: '/${file}',
    staticData: {
      can: 'config.manage',
      title: t\`${Words}\`,
      entry: { group: 'tools', label: t\`${Words}\`, icon: IconListDetails },
    },
    component: lazyRouteComponent(() => import('#${module}/${file}/${file}-screen.tsx'), '${Many}Screen'),
  }),`;
  return insertLine(withIcon, route, /^export const screens = \[/, (line) => line.startsWith('] as const'));
};

const nextMigration = (folder) => {
  const numbers = readdirSync(folder).flatMap((name) => /^\d{4}(?=_)/.exec(name) ?? []);
  return String(Math.max(0, ...numbers.map(Number)) + 1).padStart(4, '0');
};

/** Writes the skeleton of a noun in a module, below a folder. Returns the new and the changed files. */
export const writeFeature = (folder, module, plural) => {
  const names = modules.map(({ name }) => name);
  if (!names.includes(module)) throw new Error(`Give a module first: ${names.join(', ')}`);
  if (!/^[a-z]+(-[a-z]+)*s$/.test(plural)) throw new Error('Give a plural name in kebab-case, such as scanners');
  const forms = formsOf(module, plural);
  const { file, table } = forms;
  const on = (path) => join(folder, path);
  const made = {
    [`contract/src/${module}/${file}.ts`]: contract,
    [`server/migrations/${nextMigration(on('server/migrations'))}_${table}.sql`]: migration,
    [`server/src/${module}/${file}/feature.ts`]: feature,
    [`server/src/${module}/${file}/service.ts`]: service,
    [`server/src/${module}/${file}/${file}.test.ts`]: serverTest,
    [`server/src/${module}/${file}/feature.samples.ts`]: samples,
    [`web/src/${module}/${file}/${file}-screen.tsx`]: webScreen,
    [`web/src/${module}/${file}/${file}-screen.test.tsx`]: webTest,
  };
  const changed = {
    'contract/src/all.ts': inContract,
    'server/src/features.ts': inFeatures,
    'web/src/app/routing/screen-routes.tsx': inRoutes,
  };
  const taken = Object.keys(made).find((path) => existsSync(on(path)));
  if (taken) throw new Error(`There is already ${taken}`);
  for (const [path, textOf] of Object.entries(made)) {
    mkdirSync(dirname(on(path)), { recursive: true });
    writeFileSync(on(path), textOf(forms));
  }
  for (const [path, change] of Object.entries(changed)) {
    writeFileSync(on(path), change(readFileSync(on(path), 'utf8'), forms));
  }
  return { made: Object.keys(made), changed: Object.keys(changed) };
};

/** The file that `npm run schema` writes from the migrations. */
export const generated = 'server/src/core/database/schema.ts';
