import type { Permission, UserType } from '@radwork/contract/access';
import type { SecondFactorState } from '@radwork/contract/sessions';
import { serversName } from '@radwork/contract/users';
import type { Transaction } from 'kysely';
import { type Database, inTransaction, type Schema } from './database.ts';

/** Who is asking, and in which tenant. */
export type Session = {
  id: string;
  userId: string;
  username: string;
  name: string;
  email: string;
  userType: UserType;
  tenantId: number;
  /** Whose user this is, while they visit another tenant. */
  homeTenantId?: number;
  tenantName: string;
  subdomain: string;
  timeZone: string;
  /** Whether a referring physician sees every study of the tenant, and not only those that concern them (C78). */
  seesAllStudies?: boolean;
  roles: { name: string; permissions: Permission[] }[];
  /** Where the call came from, for the audit; empty when the server itself acts. */
  address: string;
  /** NEEDED: nothing but enrolling one is let through (caller.ts). */
  secondFactor?: SecondFactorState;
  /** A page asks again by itself for what it shows; so says the caller (x-poll), who need not be believed. */
  isPoll?: boolean;
};

/**
 * One transaction confined to the caller's tenant, and the caller. There is no tenant to name in a query; the database
 * adds it, and without one there are no rows.
 */
export type ReadingScope = {
  db: Transaction<Schema>;
  session: Session;
};

/** All that a service may touch. */
export type Scope = ReadingScope & {
  /** Runs after the transaction is committed, and never if it is not. */
  afterCommit: (work: () => void) => void;
};

export type Scopes = ReturnType<typeof createScopes>;

export const createScopes = (database: Database) => ({
  inTenant: async <T>(session: Session, work: (scope: Scope) => Promise<T>): Promise<T> => {
    const afterwards: (() => void)[] = [];
    const afterCommit = (next: () => void) => afterwards.push(next);
    const result = await inTransaction(database, { tenantId: session.tenantId }, (db) =>
      work({ db, session, afterCommit }),
    );
    for (const next of afterwards) next();
    return result;
  },
  /** For work that only reads and could not write: its result is there while the transaction is still being ended. */
  reading: <T>(session: Session, work: (scope: ReadingScope) => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const terms = { tenantId: session.tenantId, isReading: true };
    inTransaction(database, terms, (db) => work({ db, session }).then(resolve)).catch(reject);
    return promise;
  },
  /** As `reading`, for statements (statement.ts) that are all asked for before any is answered: what comes later is refused. */
  readingAtOnce: <T>(session: Session, work: (scope: ReadingScope) => Promise<T>): Promise<T> => {
    const terms = { tenantId: session.tenantId, isReading: true, isAskedAtOnce: true };
    return inTransaction(database, terms, (db) => work({ db, session }));
  },
  /** Before a tenant is known: sign-in, sessions and links. Row-level security hides every tenant's rows here. */
  withoutTenant: <T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> => inTransaction(database, {}, work),
});

/** Whether the caller's roles allow something. */
export const holds = (session: Session, permission: Permission): boolean =>
  session.roles.some((role) => role.permissions.includes(permission));

/** Whether somebody may go into tenants that are not their own. */
export const mayVisit = (session: Session): boolean =>
  session.userType === 'SUPER_ADMIN' && holds(session, 'tenant.manage');

/** The server acting by itself in a tenant: for sign-in, links and jobs. It holds no permission and is no user. */
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
