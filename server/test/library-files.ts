import { crc32 } from 'node:zlib';
import { form, type TestFile } from './multipart-upload.ts';
import type { Person } from './world.ts';

/** Creates an uncompressed ZIP archive, as a base for Office documents. */
const zip = (files: Record<string, string>): Buffer => {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, path, bytes]);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), facts, place, path]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006'), end]);
};

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** The first bytes of each kind of file, enough to recognize it. */
export const bytesOf = {
  png: Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40)]),
  jpg: Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  pdf: Buffer.from('%PDF-1.7\n%âãÏÓ\n'),
  /** The container of old Office files without a Word document. */
  container: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]),
  doc: Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1016),
    Buffer.from('Root Entry', 'utf16le'),
    Buffer.alloc(108),
    Buffer.from('WordDocument', 'utf16le'),
    Buffer.alloc(600),
  ]),
  docx: zip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="${wordType}"/></Types>`,
    'word/document.xml': '<w/>',
  }),
  zip: zip({ 'a.exe': 'MZ' }),
  txt: Buffer.from('Hellö'),
  /**
   * A Windows Media stream whose header declares no content. Some programs read such a stream forever (CVE-2026-31808).
   */
  asf: Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.alloc(64)]),
};

/** Sends a form with files and an optional JSON body. */
export const sendForm = async (
  { request }: Pick<Person, 'request'>,
  method: 'POST' | 'PUT',
  path: string,
  { part, body, files = [] }: { part: string; body?: object; files?: readonly TestFile[] },
) => {
  const fields = body ? [{ field: part, value: JSON.stringify(body) }] : [];
  const answer = await request({ method, url: `/api${path}`, ...form(...fields, ...files) });
  return { status: answer.statusCode, ...answer.json() };
};
