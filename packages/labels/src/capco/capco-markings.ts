import { countryCodes } from './capco-countries.ts';

/** The classifications, lowest first: who is cleared for one is cleared for those before it. */
export const classifications = [
  { marks: ['UNCLASSIFIED', 'U'], attribute: 'CLASS:U' },
  { marks: ['CONFIDENTIAL', 'C'], attribute: 'CLASS:C' },
  { marks: ['SECRET', 'S'], attribute: 'CLASS:S' },
  { marks: ['TOP SECRET', 'TS'], attribute: 'CLASS:TS' },
] as const;

/** Where a mark may stand: with which classifications, as places in the list above. */
export interface AllowedClassifications {
  readonly lowest: number;
  readonly highest: number;
}

/** One mark, in all its spellings: the banner's first. A reader has to hold all of its attributes. */
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

/** Sensitive compartmented information: a compartment asks for its control system, too. */
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

/** The mark that says so, after a classification. Alone, in the place of one, it means unclassified as well. */
export const cuiMarking: CapcoMarking = { marks: ['CUI'], attributes: ['CUI'], allowed: everywhere };
/** What a banner or portion of controlled unclassified information begins with. */
export const cuiBanners: readonly string[] = ['CONTROLLED', 'CUI'];

/** Categories of controlled unclassified information: they stand after CUI; `SP-` marks the specified ones. */
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

/** What REL TO may name: any of these attributes will do. Groups of fixed members are spelled out. */
export const releasableTo: ReadonlyMap<string, readonly string[]> = new Map<string, string[]>([
  ...countryCodes.map((code): [string, string[]] => [code, [`REL:${code}`]]),
  ['ACGU', ['REL:AUS', 'REL:CAN', 'REL:GBR', 'REL:USA']],
  ['FVEY', ['REL:AUS', 'REL:CAN', 'REL:GBR', 'REL:NZL', 'REL:USA']],
  ['NATO', ['REL:NATO']],
]);

/** Whose information FGI may name: a reader has to hold all of these attributes. */
export const foreignGovernmentSources: ReadonlyMap<string, string> = new Map(
  [...countryCodes.filter((code) => code !== 'USA'), 'NATO'].map((code) => [code, `FGI:${code}`] as const),
);
/** What FGI alone asks for, where the source is concealed. */
export const concealedForeignSource = 'FGI:CONCEALED';
