/**
 * PostgreSQL's time zone abbreviations (the set "Default" of version 15), by hours ahead of UTC. They have priority over
 * zone names, so EST, CET and others have the same offset all year.
 */
const byHours: Record<string, string> = {
  '-10': 'HST TAHT',
  '-9.5': 'MART',
  '-9': 'AKST GAMT',
  '-8': 'AKDT PST',
  '-7': 'MST PDT',
  '-6': 'CST GALT MDT',
  '-5': 'ACT CDT COT EST PET',
  '-4': 'AMT AST BOT EDT',
  '-3.5': 'NFT NST',
  '-3': 'ADT BRA BRT CLST GFT PMST PYST UYT WGT',
  '-2.5': 'NDT',
  '-2': 'BRST FNT PMDT UYST WGST',
  '-1': 'AZOT EGT FNST',
  '0': 'AZOST EGST GMT UCT UT UTC WET Z ZULU',
  '1': 'BST CET MET MEZ WAT WETDST',
  '2': 'BDST CEST CETDST EET IST MEST MESZ METDST SAST',
  '3': 'EAT EEST EETDST FET IDT',
  '3.5': 'IRT',
  '4': 'MSD MUT RET SCT',
  '4.5': 'AFT',
  '5': 'MUST MVT PKT TFT TJT UZT',
  '5.75': 'NPT',
  '6': 'ALMT BDT BTT KGST PKST UZST XJT YEKST',
  '6.5': 'MMT',
  '7': 'ALMST CXT ICT WAST',
  '8': 'AWST BNT BORT CCT HKT MYT PHT WADT',
  '8.75': 'ACWST',
  '9': 'AWSST JAYT JST KST PWT ULAST WDT',
  '9.5': 'ACST CAST',
  '10': 'AEST CHUT DDUT KDT LIGT MPT PGT TRUT YAPT',
  '10.5': 'ACDT ACSST CADT LHST SADT',
  '11': 'AEDT AESST PONT VUT',
  '12': 'FJT GILT MHT NZST NZT TVT WAKT WFT',
  '12.75': 'CHAST',
  '13': 'FJST NZDT TOT',
  '13.75': 'CHADT',
};

/** Abbreviations whose offset depends on the date. They are rejected, with a hint to use the zone. */
const byZone: Record<string, string> = {
  'America/Argentina/Buenos_Aires': 'ARST ART',
  'America/Asuncion': 'PYT',
  'America/Caracas': 'VET',
  'America/Guyana': 'GYT',
  'America/Santiago': 'CLT',
  'Antarctica/Davis': 'DAVT',
  'Antarctica/Mawson': 'MAWT',
  'Asia/Anadyr': 'ANAST ANAT',
  'Asia/Ashgabat': 'TMT',
  'Asia/Baku': 'AZST AZT',
  'Asia/Bishkek': 'KGT',
  'Asia/Colombo': 'LKT',
  'Asia/Irkutsk': 'IRKST IRKT',
  'Asia/Kamchatka': 'PETST PETT',
  'Asia/Krasnoyarsk': 'KRAST KRAT',
  'Asia/Magadan': 'MAGST MAGT',
  'Asia/Novosibirsk': 'NOVST NOVT',
  'Asia/Omsk': 'OMSST OMST',
  'Asia/Singapore': 'SGT',
  'Asia/Tbilisi': 'GEST GET',
  'Asia/Ulaanbaatar': 'ULAT',
  'Asia/Vladivostok': 'VLAST VLAT',
  'Asia/Yakutsk': 'YAKST YAKT',
  'Asia/Yekaterinburg': 'YEKT',
  'Asia/Yerevan': 'AMST',
  'Atlantic/Stanley': 'FKST FKT',
  'Australia/Lord_Howe': 'LHDT',
  'Europe/Moscow': 'MSK',
  'Europe/Volgograd': 'VOLT',
  'Indian/Chagos': 'IOT',
  'Pacific/Easter': 'EASST EAST',
  'Pacific/Fakaofo': 'TKT',
  'Pacific/Kiritimati': 'LINT',
  'Pacific/Kosrae': 'KOST',
  'Pacific/Niue': 'NUT',
  'Pacific/Rarotonga': 'CKT',
};

const inverted = (names: Record<string, string>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(names).flatMap(([value, list]) => list.split(' ').map((name) => [name, value] as const)),
  );

/** Seconds ahead of UTC, by abbreviation in upper case. */
export const fixedAbbreviations: ReadonlyMap<string, number> = new Map(
  Array.from(inverted(byHours), ([name, hours]) => [name, Number(hours) * 3600]),
);

/** Zones by abbreviation in upper case. */
export const zoneAbbreviations = inverted(byZone);
