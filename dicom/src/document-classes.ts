/** Media types of encapsulated documents that declare none, by SOP class (PS3.3 sections A.45 and A.85). */
export const documentTypeOfClass: Readonly<Record<string, string>> = {
  '1.2.840.10008.5.1.4.1.1.104.1': 'application/pdf',
  '1.2.840.10008.5.1.4.1.1.104.2': 'text/xml',
  '1.2.840.10008.5.1.4.1.1.104.3': 'model/stl',
  '1.2.840.10008.5.1.4.1.1.104.4': 'model/obj',
  '1.2.840.10008.5.1.4.1.1.104.5': 'model/mtl',
};
