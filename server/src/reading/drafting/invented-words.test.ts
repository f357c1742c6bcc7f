import { expect, test } from 'vitest';
import { inventedWords } from './invented-words.ts';

test.each<[string, string, string[]]>([
  ['Nodule in the left upper lobe.', 'Nodule in the right upper lobe.', ['right']],
  ['Nodule in the left upper lobe.', 'Left upper lobe nodule.', []],
  ['No pneumothorax. Small effusion.', 'Small effusion and pneumothorax.', ['pneumothorax']],
  ['Consolidation of the lower lobe.', 'Pneumonia of the lower lobe.', []],
  ['Filling defect in the lower lobe artery of the lung.', 'Pulmonary embolism.', []],
  ['The lungs are clear and the heart is normal.', 'Rib fracture.', ['fracture']],
  ['Effusions on the left and on the right.', 'Bilateral effusions.', []],
  ['Bilateral effusions of the pleura.', 'Left effusion.', []],
  ['Effusion of the pleura on the left side.', 'No pneumothorax. Left effusion.', []],
  ['Rundherd im rechten Oberlappen, sonst ist die Lunge frei.', 'Fraktur links.', []],
])('of "%s", the impression "%s" invents %j', (source, answer, invented) => {
  expect(inventedWords(answer, source)).toEqual(invented);
});
