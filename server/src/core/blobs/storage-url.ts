import { fileURLToPath } from 'node:url';

/** The place of the stored images, from STORAGE_URL. */
export type Storage = { kind: 'local'; folder: string } | ObjectStorage;

export type ObjectStorage = {
  kind: 's3';
  /** Scheme, host and port, without secrets. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The beginning of every key, without slashes at its ends. May be empty. */
  prefix: string;
  /** True when the path names the bucket. Otherwise the host names it. */
  usesPathStyle: boolean;
  /** Undefined when the library finds the keys itself. The library then also renews the keys before they expire. */
  keys: { accessKey: string; secretKey: string } | undefined;
};

type Keys = { accessKey: string | undefined; secretKey: string | undefined };

const options = ['region', 'tls', 'pathStyle', 'credentials'];
const shape = 's3://host:port/bucket/prefix?region=us-east-1&tls=1&pathStyle=1';

/** An error in STORAGE_URL. The message quotes no part of the URL, because the URL may contain a secret. */
export class StorageUrlError extends Error {}

/**
 * Reads file:///folder or s3://key:secret@host:port/bucket/prefix. `keys` apply when the URL contains no keys. With
 * ?credentials=aws the library looks for keys as the AWS tools do. Throws StorageUrlError.
 */
export const readStorageUrl = (text: string, keys: Keys): Storage => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'file:') return { kind: 'local', folder: folderOf(url) };
  if (url?.protocol === 's3:') return objectStorage(url, keys);
  throw new StorageUrlError(`must look like file:///folder or ${shape}`);
};

const folderOf = (url: URL): string => {
  try {
    return fileURLToPath(url);
  } catch {
    throw new StorageUrlError('must name a folder on this machine, such as file:///var/lib/radwork/archive');
  }
};

const objectStorage = (url: URL, keys: Keys): ObjectStorage => {
  const [, bucket = '', ...prefix] = url.pathname.split('/');
  if (url.host === '' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new StorageUrlError(`must name a host and a bucket: ${shape}`);
  }
  if (!prefix.every((part) => /^[\w.-]*$/.test(part))) {
    throw new StorageUrlError('may contain only letters, digits and . - _ in the prefix after the bucket');
  }
  if ([...url.searchParams.keys()].some((name) => !options.includes(name))) {
    throw new StorageUrlError(`supports only the options ${options.join(', ')}`);
  }
  return {
    kind: 's3',
    endpoint: `${flagOf(url, 'tls') ? 'https' : 'http'}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket,
    prefix: prefix.filter((part) => part !== '').join('/'),
    usesPathStyle: flagOf(url, 'pathStyle'),
    keys: keysOf(url, keys),
  };
};

const keysOf = (url: URL, { accessKey, secretKey }: Keys): ObjectStorage['keys'] => {
  const source = url.searchParams.get('credentials');
  if (source === null) return { accessKey: keyOf(url.username, accessKey), secretKey: keyOf(url.password, secretKey) };
  if (source !== 'aws') throw new StorageUrlError('supports only aws for the option credentials');
  if (url.username || url.password || accessKey || secretKey) {
    throw new StorageUrlError(
      'has credentials=aws: remove all other keys, such as STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY',
    );
  }
  return undefined;
};

const flagOf = (url: URL, name: string): boolean => {
  const value = url.searchParams.get(name) ?? '1';
  if (value !== '0' && value !== '1') throw new StorageUrlError(`needs 0 or 1 for the option ${name}`);
  return value === '1';
};

const keyOf = (inAddress: string, configured: string | undefined): string => {
  const key = inAddress === '' ? configured : decoded(inAddress);
  if (!key)
    throw new StorageUrlError('needs STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY, or key:secret@ before the host');
  return key;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageUrlError('must have a percent-encoded key and secret');
  }
};
