import { randomInt } from 'node:crypto';

const syllables =
  'ba be bi bo da de di do fa fe fi ga go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa we za ze zo'.split(
    ' ',
  );

const word = () => Array.from({ length: 3 }, () => syllables[randomInt(syllables.length)]).join('');

/**
 * Returns a password that is easy to read aloud: four groups such as "kimodo-sarepa-wetiga-banilo", about 68 random
 * bits.
 */
export const randomPassword = (): string => [word(), word(), word(), word()].join('-');
