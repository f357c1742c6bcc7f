import { t } from '@lingui/core/macro';
import { schemaResolver, useForm } from '@mantine/form';
import type { UserType } from '@radwork/contract/core/access';
import { type RoleChoice, type User, userForm, userFormOf } from '@radwork/contract/identity/users';
import { z } from 'zod';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

const more = {
  roles: z.array(z.string()).min(1, t`Choose at least one role`),
  isInvited: z.boolean(),
};
const fieldsOf = (stored: User | undefined) => (stored ? userFormOf(stored).extend(more) : userForm.extend(more));
export type UserFields = z.output<ReturnType<typeof fieldsOf>>;

const builtIn = (choices: readonly RoleChoice[], type: UserType) =>
  choices.find(({ builtInFor }) => builtInFor === type);

const initial = (stored: User | undefined, choices: readonly RoleChoice[]): UserFields => {
  const userType = stored?.userType ?? 'RADIOLOGIST';
  return {
    username: stored?.username ?? '',
    name: stored?.name ?? '',
    email: stored?.email ?? '',
    userType,
    specialization: stored?.specialization ?? '',
    department: stored?.department ?? '',
    credentials: stored?.credentials ?? '',
    roles: stored ? stored.roles.map(({ id }) => id) : [builtIn(choices, userType)?.id ?? ''].filter(Boolean),
    isInvited: true,
  };
};

/** Form of a user. A change of the user type also replaces the built-in role of the old type. */
export const useUserForm = (stored: User | undefined, choices: readonly RoleChoice[]) => {
  const form = useForm<UserFields>({
    initialValues: initial(stored, choices),
    validate: schemaResolver(fieldsOf(stored), { sync: true }),
  });
  return {
    ...form,
    toFirstFault: (faults: object) => focusFirstInvalid(form.getInputNode, faults),
    chooseType: (userType: UserType) => {
      const [before, after] = [builtIn(choices, form.values.userType), builtIn(choices, userType)];
      const others = form.values.roles.filter((id) => id !== before?.id);
      const hadIt = others.length < form.values.roles.length;
      form.setValues({ userType, roles: hadIt && after ? [after.id, ...others] : form.values.roles });
    },
  };
};
export type UserFormState = ReturnType<typeof useUserForm>;
