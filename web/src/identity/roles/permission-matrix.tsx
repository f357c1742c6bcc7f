import { Checkbox } from '@mantine/core';
import { type Permission, permissions } from '@radwork/contract/core/access';
import { byArea, permissionAreaLabels, permissionWords } from '@radwork/contract/permission-labels';
import styles from './roles.module.css';

type Props = {
  chosen: readonly Permission[];
  /** Called with the chosen permissions. Absent if the list is read-only. */
  onChange?: (chosen: Permission[]) => void;
  /** Returns the reason why a permission cannot be chosen; undefined if it can. */
  whyNot?: (permission: Permission) => string | undefined;
};

/** Shows all permissions by area, each with its description. */
export function PermissionMatrix({ chosen, onChange, whyNot }: Props) {
  const toggle = (name: Permission, isOn: boolean) =>
    onChange?.(permissions.filter((permission) => (permission === name ? isOn : chosen.includes(permission))));
  return (
    <div className={styles.matrix}>
      {byArea(permissions).map(({ area, permissions: names }) => (
        <fieldset key={area} className={styles.area}>
          <legend>{permissionAreaLabels[area]}</legend>
          {names.map((name) => {
            const refusal = whyNot?.(name);
            const isOn = chosen.includes(name);
            return (
              <Checkbox
                key={name}
                label={permissionWords[name].label}
                description={refusal ?? permissionWords[name].lets}
                checked={isOn}
                disabled={!onChange || (refusal !== undefined && !isOn)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
            );
          })}
        </fieldset>
      ))}
    </div>
  );
}
