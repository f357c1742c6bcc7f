/**
 * Terms of body parts, one part in each line. A heading covers every part from which it contains a term. A finding fits
 * a heading if it contains a word of the heading or a term of a part that the heading covers.
 */
const parts = [
  'lung lungs pulmonary lobe lobes lobar lobular lingula apical apices basal bibasal bases consolidation atelectasis atelectatic emphysema emphysematous nodule nodules ground-glass opacity opacities airspace interstitial reticular honeycombing bronchiectasis rul rml rll lul lll ggo parenchymal',
  'airways airway trachea tracheal bronchus bronchi bronchial carina mucus',
  'pleura pleural effusion effusions pneumothorax empyema hydropneumothorax',
  'heart cardiac cardiomegaly cardiothoracic coronary atrium atrial ventricular pericardial pericardium',
  'mediastinum mediastinal thymus thymic oesophagus esophagus esophageal hiatal hiatus thyroid',
  'hila hilar hilum',
  'vessels vascular aorta aortic aneurysm artery arteries arterial vein veins venous ivc svc embolism embolus emboli thrombus thrombosis dissection stenosis',
  'lymph node nodes lymphadenopathy adenopathy axillary',
  'bones bone osseous skeletal rib ribs clavicle scapula sternum vertebra vertebrae vertebral spine spinal fracture fractures lytic sclerotic',
  'soft tissues subcutaneous muscle muscles swelling emphysema',
  'lines devices catheter tube pacemaker port drain stent tip line',
  'liver hepatic hepatomegaly steatosis cirrhosis segment',
  'gallbladder bile biliary duct ducts cholelithiasis cholecystitis gallstone gallstones cbd choledocholithiasis',
  'pancreas pancreatic pancreatitis',
  'spleen splenic splenomegaly',
  'adrenal adrenals',
  'kidney kidneys renal ureter ureters ureteral hydronephrosis nephrolithiasis calculus calculi pelvicalyceal',
  'stomach bowel colon colonic ileum ileal jejunum duodenum duodenal sigmoid rectum rectal caecum cecum appendix appendicitis diverticula diverticulosis diverticulitis obstruction gastric',
  'peritoneum peritoneal ascites mesentery mesenteric omentum omental retroperitoneum free',
  'bladder vesical urinary',
  'uterus uterine endometrium endometrial myometrium fibroid fibroids cervix',
  'ovary ovaries ovarian adnexa adnexal',
  'prostate prostatic seminal',
  'brain parenchyma cerebral cerebellum cerebellar cortical white grey gray matter infarct infarction ischaemia ischemia ischaemic ischemic gliosis',
  'haemorrhage hemorrhage haematoma hematoma subdural epidural subarachnoid bleed bleeding intracranial',
  'ventricles sulci hydrocephalus cisterns cistern extra-axial',
  'midline shift herniation',
  'sinuses sinus mastoids mastoid orbits orbit orbital maxillary frontal ethmoid sphenoid',
  'skull calvarium calvarial',
  'disc discs disk disks protrusion herniation extrusion bulge annular',
  'alignment listhesis spondylolisthesis lordosis scoliosis kyphosis',
  'joint joints effusion facet facets osteoarthritis arthrosis',
  'meniscus menisci meniscal',
  'ligament ligaments acl pcl mcl lcl cruciate collateral',
  'breast breasts mass calcifications bi-rads',
].map((line) => new Set(line.split(' ')));

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}][\p{L}-]*/gu) ?? [];

/** Recognizes "L4-L5", "L4/5" and "l4-5" as the same level. */
const levelsIn = (text: string): string[] =>
  Array.from(text.toUpperCase().matchAll(/\b([CTL])(\d{1,2})\s*[-/]\s*([CTLS]?)(\d{1,2})\b/g), (level) => {
    const [, region = '', upper = '', lowerRegion = '', lower = ''] = level;
    return `${region}${upper}-${lowerRegion || region}${lower}`.toLowerCase();
  });

const insignificant = new Set('and the of with or in other right left upper lower und der die'.split(' '));

/** Words of a heading: the words of its text and of the body parts that it names, its spinal levels and its side. */
export type HeadingWords = {
  own: ReadonlySet<string>;
  related: ReadonlySet<string>;
  levels: readonly string[];
  side: 'left' | 'right' | undefined;
};

const sideOf = (text: string): HeadingWords['side'] => {
  const isLeft = /\bleft\b/i.test(text);
  const isRight = /\bright\b/i.test(text);
  if (isLeft === isRight) return undefined;
  return isLeft ? 'left' : 'right';
};

const singular = (word: string): string => word.replace(/(?<=..)s$/, '');

export const headingWords = (heading: string): HeadingWords => {
  const own = wordsIn(heading).filter((word) => !insignificant.has(word));
  const matchingParts = parts.filter((part) => own.some((word) => part.has(word)));
  return {
    own: new Set(own.map(singular)),
    related: new Set(matchingParts.flatMap((part) => Array.from(part, singular))),
    levels: levelsIn(heading),
    side: sideOf(heading),
  };
};

/** Returns how well a sentence fits a heading. 0 when the sentence is about the other side. */
export const speaksFor = (sentence: string, { own, related, levels, side }: HeadingWords): number => {
  const words = wordsIn(sentence)
    .filter((word) => !insignificant.has(word))
    .map(singular);
  const other = sideOf(sentence);
  if (side && other && side !== other) return 0;
  const atLevel = levelsIn(sentence).some((level) => levels.includes(level)) ? 6 : 0;
  const ofOwn = words.filter((word) => own.has(word)).length * 3;
  const ofRelated = words.filter((word) => related.has(word) && !own.has(word)).length;
  const count = atLevel + ofOwn + ofRelated;
  return count > 0 && side && side === other ? count + 1 : count;
};
