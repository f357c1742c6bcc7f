import { expect, test } from 'vitest';
import { contentDisposition } from './download-name.ts';

test.each([
  ['Übersicht (2).pdf', `filename="Ubersicht (2).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%282%29.pdf`],
  ['胸部.png', `filename="__.png"; filename*=UTF-8''%E8%83%B8%E9%83%A8.png`],
  ['../../etc/passwd.txt', `filename="_.._etc_passwd.txt"; filename*=UTF-8''_.._etc_passwd.txt`],
  ['a\r\nset-cookie: x=1.pdf', `filename="aset-cookie_ x=1.pdf"; filename*=UTF-8''aset-cookie_%20x%3D1.pdf`],
  ['a"b\\c%d.pdf', `filename="a_b_c_d.pdf"; filename*=UTF-8''a_b_c%25d.pdf`],
  ['a\u202efdp.png', `filename="afdp.png"; filename*=UTF-8''afdp.png`],
  ['a\u2028\u2029\u061c\u200e\u200f\u2066\u2067\u2068\u2069.pdf', `filename="a.pdf"; filename*=UTF-8''a.pdf`],
  ['a*b<c>d?e|f.pdf', `filename="a_b_c_d_e_f.pdf"; filename*=UTF-8''a_b_c_d_e_f.pdf`],
  ['U\u0308bersicht.pdf', `filename="Ubersicht.pdf"; filename*=UTF-8''%C3%9Cbersicht.pdf`],
  ['half \ud800 a letter.pdf', `filename="half _ a letter.pdf"; filename*=UTF-8''half%20%EF%BF%BD%20a%20letter.pdf`],
  ["it's 50!.pdf", `filename="it's 50!.pdf"; filename*=UTF-8''it%27s%2050%21.pdf`],
  ['CON.txt', `filename="_CON.txt"; filename*=UTF-8''_CON.txt`],
  ['prn', `filename="_prn"; filename*=UTF-8''_prn`],
  ['aux.tar.pdf', `filename="_aux.tar.pdf"; filename*=UTF-8''_aux.tar.pdf`],
  ['Nul.pdf', `filename="_Nul.pdf"; filename*=UTF-8''_Nul.pdf`],
  ['com1.png', `filename="_com1.png"; filename*=UTF-8''_com1.png`],
  ['LPT9.doc', `filename="_LPT9.doc"; filename*=UTF-8''_LPT9.doc`],
  ['contrast.pdf', `filename="contrast.pdf"; filename*=UTF-8''contrast.pdf`],
  ['name. ', `filename="name"; filename*=UTF-8''name`],
  ['\u0000', `filename="file"; filename*=UTF-8''file`],
])('a file named %j downloads under a harmless name', (name, header) => {
  expect(contentDisposition('attachment', name)).toBe(`attachment; ${header}`);
});
