import { countryCodes } from './capco-countries.ts';

/** The classifications, lowest first. A clearance for one includes all the lower ones. */
export const classifications = [
  { marks: ['UNCLASSIFIED', 'U'], attribute: 'CLASS:U' },
  { marks: ['CONFIDENTIAL', 'C'], attribute: 'CLASS:C' },
  { marks: ['SECRET', 'S'], attribute: 'CLASS:S' },
  { marks: ['TOP SECRET', 'TS'], attribute: 'CLASS:TS' },
] as const;

/** The range of classifications that a marking may be combined with, as indexes into `classifications`. */
export interface AllowedClassifications {
  readonly lowest: number;
  readonly highest: number;
}

/** One marking. `marks` are its spellings, of which banners use the first. A reader must hold all of its attributes. */
export interface CapcoMarking {
  readonly marks: readonly string[];
  readonly attributes: readonly string[];
  readonly allowed: AllowedClassifications;
}

const everywhere: AllowedClassifications = { lowest: 0, highest: 3 };
export const classified: AllowedClassifications = { lowest: 1, highest: 3 };
const secretAndUp: AllowedClassifications = { lowest: 2, highest: 3 };
const topSecret: AllowedClassifications = { lowest: 3, highest: 3 };
const unclassified: AllowedClassifications = { lowest: 0, highest: 0 };

/** Sensitive compartmented information. A compartment also requires the attribute of its control system. */
export const sciMarkings: readonly CapcoMarking[] = [
  { marks: ['HCS'], attributes: ['SCI:HCS'], allowed: secretAndUp },
  { marks: ['HCS-O'], attributes: ['SCI:HCS', 'SCI:HCS-O'], allowed: secretAndUp },
  { marks: ['HCS-P'], attributes: ['SCI:HCS', 'SCI:HCS-P'], allowed: secretAndUp },
  { marks: ['SI'], attributes: ['SCI:SI'], allowed: classified },
  { marks: ['SI-GAMMA', 'SI-G'], attributes: ['SCI:SI', 'SCI:SI-G'], allowed: topSecret },
  { marks: ['TALENT KEYHOLE', 'TK'], attributes: ['SCI:TK'], allowed: secretAndUp },
  { marks: ['TK-BLUEFISH', 'TK-BLFH'], attributes: ['SCI:TK', 'SCI:TK-BLFH'], allowed: topSecret },
  { marks: ['TK-IDITAROD', 'TK-IDIT'], attributes: ['SCI:TK', 'SCI:TK-IDIT'], allowed: topSecret },
  { marks: ['TK-KANDIK', 'TK-KAND'], attributes: ['SCI:TK', 'SCI:TK-KAND'], allowed: topSecret },
];

/**
 * Controlled unclassified information (CUI). The marking follows a classification; without one, it means unclassified
 * CUI.
 */
export const cuiMarking: CapcoMarking = { marks: ['CUI'], attributes: ['CUI'], allowed: everywhere };
/** The words that may take the place of the classification in a CUI banner or portion. */
export const cuiBanners: readonly string[] = ['CONTROLLED', 'CUI'];

/** Categories of controlled unclassified information. They follow CUI; the prefix `SP-` means CUI Specified. */
export const cuiCategories: readonly CapcoMarking[] = [
  'CTI',
  'EXPT',
  'HLTH',
  'ISVI',
  'NNPI',
  'OPSEC',
  'PROCURE',
  'PROPIN',
  'PRVCY',
  'TAX',
].map((code) => ({ marks: [code, `SP-${code}`], attributes: [`CUI:${code}`], allowed: everywhere }));

export const noforn: CapcoMarking = { marks: ['NOFORN', 'NF'], attributes: ['REL:USA'], allowed: everywhere };

/** Dissemination controls beside REL TO. */
export const disseminationMarkings: readonly CapcoMarking[] = [
  noforn,
  { marks: ['ORCON', 'OC'], attributes: ['DISSEM:ORCON'], allowed: classified },
  {
    marks: ['FOR OFFICIAL USE ONLY', 'FOUO'],
    attributes: ['DISSEM:FOUO'],
    allowed: unclassified,
  },
];

/**
 * The countries and groups that REL TO may name. A reader needs any one of the attributes. A group with fixed members
 * is expanded to them.
 */
export const releasableTo: ReadonlyMap<string, readonly string[]> = new Map<string, string[]>([
  ...countryCodes.map((code): [string, string[]] => [code, [`REL:${code}`]]),
  ['ACGU', ['REL:AUS', 'REL:CAN', 'REL:GBR', 'REL:USA']],
  ['FVEY', ['REL:AUS', 'REL:CAN', 'REL:GBR', 'REL:NZL', 'REL:USA']],
  ['NATO', ['REL:NATO']],
]);

/** The sources that FGI may name, with their attributes. A reader must hold the attributes of all named sources. */
export const foreignGovernmentSources: ReadonlyMap<string, string> = new Map(
  [...countryCodes.filter((code) => code !== 'USA'), 'NATO'].map((code) => [code, `FGI:${code}`] as const),
);
/** The attribute that FGI without a source requires: the source is concealed. */
export const concealedForeignSource = 'FGI:CONCEALED';
