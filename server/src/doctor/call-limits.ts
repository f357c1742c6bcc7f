import type { Config } from '#core/config/config.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Calls that one busy reader may need in a minute. A lower limit would slow readers down. */
const callsOfReader = 300;
const imagesOfReader = 10_000;

/** Checks whether the call limits stop a flood of calls without blocking users. */
export const examineCallLimits = (config: Config): Finding[] => {
  const faults = [...tooLow(config), ...togetherTooLow(config), ...allAsOne(config)];
  if (faults.length > 0) return faults;
  const isAnyOff = Object.values(limitsOf(config)).includes(0);
  return [ok('call limits', isAnyOff ? 'The limits are suitable. Limits of 0 are off.' : 'The limits are suitable.')];
};

const limitsOf = ({ callsPerSession, callsPerTenant, callsPerAddress, imagesPerSession, imagesPerTenant }: Config) => ({
  CALLS_PER_SESSION: callsPerSession,
  CALLS_PER_TENANT: callsPerTenant,
  CALLS_PER_ADDRESS: callsPerAddress,
  IMAGES_PER_SESSION: imagesPerSession,
  IMAGES_PER_TENANT: imagesPerTenant,
});

const isBelow = (limit: number, least: number): boolean => limit > 0 && limit < least;

const tooLow = (config: Config): Finding[] =>
  Object.entries(limitsOf(config)).flatMap(([name, limit]) => {
    const least = name.startsWith('IMAGES') ? imagesOfReader : callsOfReader;
    if (!isBelow(limit, least)) return [];
    return [warning(name, `A busy reader may need more than ${limit} per minute. Set ${least} or more.`)];
  });

const togetherTooLow = ({ callsPerSession, callsPerTenant, imagesPerSession, imagesPerTenant }: Config): Finding[] =>
  [
    { name: 'CALLS_PER_TENANT', limit: callsPerTenant, ofOne: callsPerSession },
    { name: 'IMAGES_PER_TENANT', limit: imagesPerTenant, ofOne: imagesPerSession },
  ].flatMap(({ name, limit, ofOne }) => {
    if (!isBelow(limit, ofOne * 2)) return [];
    return [
      warning(name, 'Two users can exhaust the limit of an organization. Set it to a multiple of the session limit.'),
    ];
  });

const allAsOne = ({ callsPerAddress, publicUrl, trustProxy }: Config): Finding[] =>
  callsPerAddress > 0 && publicUrl?.startsWith('https:') && !trustProxy
    ? [
        warning(
          'TRUST_PROXY',
          'PUBLIC_URL is https, so a proxy is in use, and all callers count as one address. Set TRUST_PROXY=1.',
        ),
      ]
    : [];
