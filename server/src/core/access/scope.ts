import type { Permission, UserType } from '@radwork/contract/core/access';
import type { SecondFactorState } from '@radwork/contract/identity/sessions';
import { serversName } from '@radwork/contract/identity/users';
import type { Transaction } from 'kysely';
import { type Database, inTransaction, type Schema, type StudyLimit } from '#core/database/database.ts';
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
  /** Groups to whose studies the caller is limited; null for a caller without this limit. */
  studyGroups: readonly string[] | null;
  /** Groups of the studies that arrive from a device. Default: those of the limit. */
  newStudyGroups?: readonly string[];
  roles: { name: string; permissions: Permission[] }[];
  /** The address of the caller, for the audit log. Empty when the server itself acts. */
  address: string;
  /** With NEEDED, the user may call only the endpoints that enroll a second factor (caller.ts). */
  secondFactor?: SecondFactorState;
  /** True when the page made this call automatically, as its header x-poll says. A caller can forge the header. */
  isPoll?: boolean;
  /** True when the page of a reader loads a study in advance, as the prefetchHeader of the contract says. */
  isPrefetch?: boolean;
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

const limitOf = ({ studyGroups, userId }: Session): StudyLimit | undefined =>
  studyGroups === null ? undefined : { groupIds: studyGroups, userId };

/** Returns what a transaction of this caller may see and how its new rows are marked. */
const termsOf = (session: Session) => ({
  tenantId: session.tenantId,
  limit: limitOf(session),
  newStudyGroups: session.newStudyGroups ?? session.studyGroups ?? undefined,
});

/**
 * Features open scopes with `openScopes` (extensions.ts), which adds the listeners of events. In a scope without
 * listeners, emitting an event throws.
 */
export const createScopes = (database: Database, extensions: Extensions<Scope> = noExtensions) => {
  const write = async <T>(
    terms: ReturnType<typeof termsOf>,
    session: Session,
    work: (scope: Scope) => Promise<T>,
  ): Promise<T> => {
    const afterwards: (() => void)[] = [];
    const afterCommit = (next: () => void) => afterwards.push(next);
    const result = await inTransaction(database, terms, (db) => work({ db, session, afterCommit, extensions }));
    for (const next of afterwards) next();
    return result;
  };
  return {
    inTenant: <T>(session: Session, work: (scope: Scope) => Promise<T>): Promise<T> =>
      write(termsOf(session), session, work),
    /**
     * Runs work that sees all rows of the tenant, although the caller may be limited to groups. Only for storing images:
     * it must find patients and UIDs that the caller may not know. The work checks the rights of the caller itself.
     */
    inWholeTenant: <T>(session: Session, work: (scope: Scope) => Promise<T>): Promise<T> =>
      write({ ...termsOf(session), limit: undefined }, session, work),
    /** Runs read-only work. Resolves as soon as the work has a result, before the transaction has ended. */
    reading: <T>(session: Session, work: (scope: ReadingScope) => Promise<T>): Promise<T> => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const terms = { ...termsOf(session), isReading: true };
      inTransaction(database, terms, (db) => work({ db, session }).then(resolve)).catch(reject);
      return promise;
    },
    /**
     * Runs read-only work like `reading`, but sends all statements (statement.ts) to the database before its first reply.
     * A statement sent later throws.
     */
    readingAtOnce: <T>(session: Session, work: (scope: ReadingScope) => Promise<T>): Promise<T> => {
      const terms = { ...termsOf(session), isReading: true, isSentAtOnce: true };
      return inTransaction(database, terms, (db) => work({ db, session }));
    },
    /** Runs work before a tenant is known: sign-in, sessions and links. Row-level security hides all tenant rows. */
    withoutTenant: <T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T> => inTransaction(database, {}, work),
  };
};

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
  studyGroups: null,
  roles: [],
  address,
});
