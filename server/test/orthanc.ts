import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.ts';

const program = '/usr/sbin/Orthanc';
const plugins = '/usr/share/orthanc/plugins';

/** Username and password for HTTP. Without them, HTTP needs no sign-in. */
export const hasOrthanc = existsSync(program) && existsSync(join(plugins, 'libOrthancDicomWeb.so'));

export type OrthancOptions = {
  /** Username and password for HTTP; without them HTTP is open. */
  user?: { name: string; password: string };
  /** Added to its configuration, such as DicomModalities or DicomWeb servers. */
  configuration?: Record<string, unknown>;
};

export type Orthanc = Awaited<ReturnType<typeof startOrthanc>>;

/** Starts an Orthanc on free local ports, with DICOMweb at `url`. The caller must stop it. */
export const startOrthanc = async ({ user, configuration = {} }: OrthancOptions = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-orthanc-'));
  const [port, dicomPort] = [await freePort(), await freePort()];
  const config = join(folder, 'orthanc.json');
  await mkdir(join(folder, 'data'));
  await writeFile(config, JSON.stringify({ ...settings(folder, port, dicomPort, user), ...configuration }));
  const process = spawn(program, [config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const origin = `http://127.0.0.1:${port}`;
  const headers: Record<string, string> = user
    ? { authorization: `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}` }
    : {};
  await answering(process, `${origin}/system`, headers);

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`Orthanc answered ${answer.status} to ${path}`);
    return answer;
  };

  return {
    origin,
    port,
    /** The DICOMweb URL, without a final slash. */
    url: `${origin}/dicom-web`,
    dicomPort,
    aeTitle: 'ORTHANC',
    /** Calls its REST API. Throws unless it succeeds. */
    ask,
    upload: async (files: Iterable<Uint8Array<ArrayBuffer>>): Promise<void> => {
      for (const body of files) await ask('/instances', { method: 'POST', body });
    },
    stop: async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
      await ended(process, signal);
      await rm(folder, { recursive: true, force: true });
    },
    /** Kills it like a crash. Its files remain until `stop`. */
    kill: () => ended(process, 'SIGKILL'),
  };
};

const settings = (folder: string, port: number, dicomPort: number, user: OrthancOptions['user']) => ({
  Name: 'radwork-test',
  StorageDirectory: join(folder, 'data'),
  IndexDirectory: join(folder, 'data'),
  TemporaryDirectory: folder,
  RemoteAccessAllowed: false,
  AuthenticationEnabled: user !== undefined,
  ...(user && { RegisteredUsers: { [user.name]: user.password } }),
  HttpPort: port,
  DicomServerEnabled: true,
  DicomPort: dicomPort,
  DicomAet: 'ORTHANC',
  DicomCheckCalledAet: false,
  DicomAlwaysAllowStore: true,
  DicomAlwaysAllowFind: true,
  DicomAlwaysAllowGet: true,
  DicomAlwaysAllowMove: true,
  SynchronousCMove: true,
  StorageCompression: false,
  SyncStorageArea: false,
  DefaultEncoding: 'Utf8',
  LoadPrivateDictionary: false,
  ExecuteLuaEnabled: false,
  // Loads only the DICOMweb plugin: with GDCM, Debian's build crashes on JPEG-LS.
  Plugins: [join(plugins, 'libOrthancDicomWeb.so')],
  DicomWeb: { Enable: true, Root: '/dicom-web/', EnableWado: false, Ssl: false },
});

/** Waits until it responds. Throws with its last output when it ends before. */
const answering = async (process: ChildProcess, url: string, headers: Record<string, string>): Promise<void> => {
  let output = '';
  process.stderr?.on('data', (text: Buffer) => {
    output = `${output}${text.toString()}`.slice(-4000);
  });
  for (;;) {
    if (process.exitCode !== null) throw new Error(`Orthanc ended: ${output}`);
    const isUp = await fetch(url, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await pause(50);
  }
};

const ended = async (process: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = new Promise((resolve) => process.once('exit', resolve));
  process.kill(signal);
  await exit;
};
