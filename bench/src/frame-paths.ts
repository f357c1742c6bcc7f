import { z } from 'zod';

const instances = z.array(z.record(z.string(), z.object({ Value: z.array(z.unknown()).optional() })));

/** Returns the paths of the first frames of `count` stored instances. */
export const framePaths = async (address: string, token: string, count: number): Promise<string[]> => {
  const response = await fetch(`${address}/dicom-web/instances?limit=${count}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/dicom+json' },
  });
  return instances.parse(await response.json()).map((instance) => {
    const [study, series, image] = ['0020000D', '0020000E', '00080018'].map((tag) => instance[tag]?.Value?.[0]);
    return `/dicom-web/studies/${String(study)}/series/${String(series)}/instances/${String(image)}/frames/1`;
  });
};
