import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHeader } from '@radwork/dicom/header';
import type { ExpectedImage } from './expected-pixels.ts';

/** True if the DCMTK tools are installed. */
export const hasDcmtk = spawnSync('dcmj2pnm', ['--version']).error === undefined;

const inFolder = <T>(work: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-dcmtk-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Gives a file new UIDs. Files of collections are often copies of each other with the same UIDs. */
export const renamed = (file: Buffer): Buffer =>
  inFolder((folder) => {
    const path = join(folder, 'file.dcm');
    writeFileSync(path, file);
    execFileSync('dcmodify', ['--no-backup', '-gst', '-gse', '-gin', path], { stdio: 'pipe' });
    return readFileSync(path);
  });

/** Returns the DCMTK tools for a transfer syntax: one tool renders a file, the other tool decompresses it. */
const toolsFor = (transferSyntaxUID: string): readonly [shows: string, decompresses: string] => {
  if (/\.4\.8[01]$/.test(transferSyntaxUID)) return ['dcml2pnm', 'dcmdjpls'];
  return [
    'dcmj2pnm',
    /\.4\.\d+$/.test(transferSyntaxUID) ? 'dcmdjpeg' : transferSyntaxUID.endsWith('.1.2.5') ? 'dcmdrle' : 'dcmconv',
  ];
};

/** The same image, uncompressed, little endian. */
export const decompressedByDcmtk = (file: Buffer): Buffer =>
  inFolder((folder) => {
    const [, decompresses] = toolsFor(readHeader(file).transferSyntaxUID);
    const [input, output] = [join(folder, 'file.dcm'), join(folder, 'plain.dcm')];
    writeFileSync(input, file);
    execFileSync(decompresses, ['+te', input, output], { stdio: 'pipe' });
    return readFileSync(output);
  });

/** The first frame of a file, in color, as DCMTK renders it. */
export const shownByDcmtk = (file: Buffer): ExpectedImage =>
  inFolder((folder) => {
    const [shows] = toolsFor(readHeader(file).transferSyntaxUID);
    const [input, output] = [join(folder, 'file.dcm'), join(folder, 'file.pnm')];
    writeFileSync(input, file);
    execFileSync(shows, ['--write-raw-pnm', input, output], { stdio: 'pipe' });
    return imageIn(readFileSync(output));
  });

/** Reads a binary Netpbm image: P5 is gray, P6 is color. */
const imageIn = (pnm: Buffer): ExpectedImage => {
  const head = /^P([56])\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+255\s/.exec(pnm.subarray(0, 400).toString('latin1'));
  if (!head) throw new Error('DCMTK wrote something else than an image');
  const [columns, rows, samples] = [Number(head[2]), Number(head[3]), head[1] === '6' ? 3 : 1];
  const values = pnm.subarray(head[0].length);
  const value = (row: number, column: number, sample: number) =>
    values[(Math.min(rows - 1, row) * columns + Math.min(columns - 1, column)) * samples + sample] ?? Number.NaN;
  return {
    rows,
    columns,
    at: ({ row, column }) => {
      const [top, left] = [Math.floor(row), Math.floor(column)];
      const [down, right] = [row - top, column - left];
      const between = (sample: number) =>
        (value(top, left, sample) * (1 - right) + value(top, left + 1, sample) * right) * (1 - down) +
        (value(top + 1, left, sample) * (1 - right) + value(top + 1, left + 1, sample) * right) * down;
      return samples === 3 ? [between(0), between(1), between(2)] : [between(0), between(0), between(0)];
    },
  };
};
