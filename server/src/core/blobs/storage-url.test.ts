import { expect, test } from 'vitest';
import { readStorageUrl } from './storage-url.ts';

const noKeys = { accessKey: undefined, secretKey: undefined };
const keys = { accessKey: 'the key', secretKey: 'the secret' };

test('reads the folder from a file URL', () => {
  expect(readStorageUrl('file:///var/lib/radwork', noKeys)).toEqual({ kind: 'local', folder: '/var/lib/radwork' });
});

test('reads host, bucket and prefix of an object store from the URL, with TLS and path style by default', () => {
  expect(readStorageUrl('s3://s3.example.org/archive', keys)).toEqual({
    kind: 's3',
    endpoint: 'https://s3.example.org',
    region: 'us-east-1',
    bucket: 'archive',
    prefix: '',
    usesPathStyle: true,
    keys,
  });
  expect(readStorageUrl('s3://minio:9000/archive/clinic/images/?tls=0&pathStyle=0&region=garage', keys)).toMatchObject({
    endpoint: 'http://minio:9000',
    prefix: 'clinic/images',
    usesPathStyle: false,
    region: 'garage',
  });
});

test('keys in the storage URL take precedence over keys in the environment', () => {
  const storage = readStorageUrl('s3://AKIA:a%2Fb%2Bc@s3.example.org/archive', keys);

  expect(storage).toMatchObject({ keys: { accessKey: 'AKIA', secretKey: 'a/b+c' } });
});

test('credentials=aws in the storage URL excludes other keys', () => {
  expect(readStorageUrl('s3://s3.example.org/archive?credentials=aws', noKeys)).toMatchObject({ keys: undefined });
  expect(() => readStorageUrl('s3://s3.example.org/archive?credentials=aws', keys)).toThrow('remove all other keys');
});

test.for([
  ['ftp://example.org/archive', 'must look like'],
  ['not an address', 'must look like'],
  ['file://another-machine/folder', 'must name a folder on this machine'],
  ['s3://AKIA:hidden@s3.example.org', 'must name a host and a bucket'],
  ['s3://AKIA:hidden@s3.example.org/Archive', 'must name a host and a bucket'],
  ['s3://AKIA:hidden@s3.example.org/archive/a%20b', 'may contain only letters'],
  [
    's3://AKIA:hidden@s3.example.org/archive?pathstyle=1',
    'supports only the options region, tls, pathStyle, credentials',
  ],
  ['s3://AKIA:hidden@s3.example.org/archive?tls=yes', 'needs 0 or 1 for the option tls'],
  ['s3://AKIA:hidden@s3.example.org/archive?credentials=aws', 'has credentials=aws'],
  ['s3://s3.example.org/archive?credentials=mine', 'supports only aws for the option credentials'],
  ['s3://AKIA:hid%zzden@s3.example.org/archive', 'must have a percent-encoded key and secret'],
  ['s3://hidden@s3.example.org/archive', 'needs STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY'],
] as const)('refuses the storage URL %s with a message that contains no secret', ([address, words]) => {
  expect(() => readStorageUrl(address, noKeys)).toThrow(words);
  expect(() => readStorageUrl(address, noKeys)).not.toThrow(/hidden|AKIA/);
});
