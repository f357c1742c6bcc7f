import { t } from '@lingui/core/macro';
import type { Permission } from '@radwork/contract/core/access';
import { byArea, permissionAreaLabels, permissionWords } from '@radwork/contract/permission-labels';
import styles from './users.module.css';

/** Lists permissions by area as text. */
export function PermissionSummary({ permissions }: { permissions: readonly Permission[] }) {
  const areas = byArea(permissions);
  if (areas.length === 0) return <p className="muted">{t`The user can only sign in.`}</p>;
  return (
    <dl className={styles.rights}>
      {areas.map(({ area, permissions: names }) => (
        <div key={area}>
          <dt>{permissionAreaLabels[area]}</dt>
          {names.map((name) => (
            <dd key={name}>{permissionWords[name].lets}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
