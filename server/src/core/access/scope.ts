import type { Permission, UserType } from '@radwork/contract/core/access';
import type { SecondFactorState } from '@radwork/contract/identity/sessions';
import { serversName } from '@radwork/contract/identity/users';
import type { Transaction } from 'kysely';
import { type Database, inTransaction, type Schema } from '#core/database/database.ts';
import { type Extensions, noExtensions } from '#core/events/extensions.ts';

/** The caller and the tenant of a call. */
export type Session = {
  id: string;
  userId: string;
  username: string;
  name: string;
  email: string;
  userType: UserType;
  tenantId: number;
  /** The home tenant of a user who visits another tenant. */
  homeTenantId?: number;
  tenantName: string;
  subdomain: string;
  timeZone: string;
  /** The language of the tenant (BCP 47). Sessions of jobs have none. */
  locale?: string;
  /** True when a referring physician sees every study of the tenant. */
  seesAllStudies?: boolean;
  roles: { name: string; permissions: Permission[] }[];
  /** The address of the caller, for the audit log. Empty when the server itself acts. */
  address: string;
  /** With NEEDED, the user may call only the endpoints that enroll a second factor (caller.ts). */
  secondFactor?: SecondFactorState;
  /** True when the page made this call automatically, as its header x-poll says. A caller can forge the header. */
  isPoll?: boolean;
};

/**
 * The caller, and a transaction restricted to the caller's tenant. The database adds the tenant to each query; without
 * a tenant, queries find no rows.
 */
export type ReadingScope = {
  db: Transaction<Schema>;
  session: Session;
};

/** The functions and data that a service may use. */
export type Scope = ReadingScope & {
  /** Runs work after the commit. It does not run after a rollback. */
  afterCommit: (work: () => void) => void;
  /** Listeners of events, and marks of studies, that upper modules add (extensions.ts). */
  extensions: Extensions<Scope>;
};

export type Scopes = ReturnType<typeof createScopes>;

/**
 * Features open scopes with `openScopes` (extensions.ts), which adds the listeners of events. In a scope without
 * listeners, emitting an event throws.
 */
export const createScopes = (database: Database, extensions: Extensions<Scope> = noExtensions) => ({
  inTenant: async <T>(session: Session, work: (scope: Scope) => Promise<T>): Promise<T> => {
    const afterwards: (() => void)[] = [];
    const afterCommit = (next: () => void) => afterwards.push(next);
    const result = await inTransaction(database, { tenantId: session.tenantId }, (db) =>
      work({ db, session, afterCommit, extensions }),
    );
    for (const next of afterwards) next();
    return result;
  },
  /** Runs read-only work. Resolves as soon as the work has a result, before the transaction has ended. */
  reading: <T>(session: Session, work: (scope: ReadingScope) => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const terms = { tenantId: session.tenantId, isReading: true };
    inTransaction(database, terms, (db) => work({ db, session }).then(resolve)).catch(reject);
    return promise;
  },
  /**
   * Runs read-only work like `reading`, but sends all statements (statement.ts) to the database before its first reply.
   * A statement sent later throws.
   */
  readingAtOnce: <T>(session: Session, work: (scope: ReadingScope) => Promise<T>): Promise<T> => {
    const terms = { tenantId: session.tenantId, isReading: true, isSentAtOnce: true };
    return inTransaction(database, terms, (db) => work({ db, session }));
  },
  /** Runs work before a tenant is known: sign-in, sessions and links. Row-level security hides all tenant rows. */
  withoutTenant: <T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> => inTransaction(database, {}, work),
});

/** True when the roles of the caller include a permission. */
export const hasPermission = (session: Session, permission: Permission): boolean =>
  session.roles.some((role) => role.permissions.includes(permission));

/** True when the caller may visit other tenants. */
export const mayVisit = (session: Session): boolean =>
  session.userType === 'SUPER_ADMIN' && hasPermission(session, 'tenant.manage');

/**
 * Returns the session of the server itself in a tenant, for sign-in, links and jobs. The session has no user and no
 * permission.
 */
export const systemSession = (tenantId: number, address = ''): Session => ({
  id: '',
  userId: '',
  username: serversName,
  name: 'System',
  email: '',
  userType: 'PATIENT',
  tenantId,
  tenantName: '',
  subdomain: '',
  timeZone: 'UTC',
  roles: [],
  address,
});
