import type { UserType } from '@radwork/contract/core/access';
import type { Endpoint, StreamEndpoint } from '@radwork/contract/core/endpoint';
import type { Scope } from '#core/access/scope.ts';
import type { Person, Tenant, World } from './world.ts';

/** Records by name, such as `macroId`. Tests fill URLs and bodies with them. */
export type Ids = Record<string, string | number>;

/** A tenant that is being filled. Every text from its users contains `mark`. */
export type Filling = {
  world: World;
  tenant: Tenant;
  mark: string;
  people: ReadonlyMap<UserType, Person>;
  /** The radiologist, who acts wherever no other user must. */
  author: Person;
  personOf: (type: UserType) => Person;
  /** Returns an id that a feature named in `after` wrote. */
  id: (name: string) => string;
};

/** Samples of one feature for the tests over all calls and tables. `all-samples.ts` collects them. */
export type FeatureSamples = {
  /** Lines of the access matrix, written by hand. `access-matrix.ts` explains the columns. */
  access?: string;
  /** GET calls that write no audit entry. The contract says why; each addition needs a review here. */
  unaudited?: readonly (Endpoint | StreamEndpoint)[];
  /** The record that `:id` names in paths that begin so. The longest beginning decides. */
  ids?: Readonly<Record<string, string>>;
  /** The record that another parameter of a path names. */
  parameters?: Readonly<Record<string, string>>;
  /** The value of a parameter that names no record. */
  values?: Readonly<Record<string, string>>;
  /** The record that a field of a body names. A call with the sample body uses an id that belongs to no record. */
  fields?: Readonly<Record<string, string>>;
  /** Ids that name no record and are no UUID. */
  unknown?: () => Ids;
  /** A valid body of each call that takes a body. */
  bodies?: readonly (readonly [Endpoint, object])[];
  /** The query of a call that names data in its query. */
  queries?: readonly (readonly [Endpoint | StreamEndpoint, string])[];
  /** Folders of the features that are filled before this feature. */
  after?: readonly string[];
  /** Fills the tables of the feature over HTTP or with services. Returns its ids. */
  fill?: (filling: Filling) => Promise<Ids | void>;
  /** Inserts further rows. All features share one transaction, which begins after the last `fill`. */
  insert?: (scope: Scope, filling: Filling) => Promise<Ids | void>;
};

export const defineSamples = (samples: FeatureSamples): FeatureSamples => samples;

/** The id of no record. */
export const nobody = '00000000-0000-7000-8000-000000000000';
