/**
 * What abbreviations of time zones mean in PostgreSQL: its set of names "Default" (version 15). They stand before the names of zones,
 * so that EST, CET and the like are always the same distance from UTC, in summer too.
 */
const byOffset: Record<string, string> = {
  '-10:00': 'HST TAHT',
  '-09:30': 'MART',
  '-09:00': 'AKST GAMT',
  '-08:00': 'AKDT PST',
  '-07:00': 'MST PDT',
  '-06:00': 'CST GALT MDT',
  '-05:00': 'ACT CDT COT EST PET',
  '-04:00': 'AMT AST BOT EDT',
  '-03:30': 'NFT NST',
  '-03:00': 'ADT BRA BRT CLST GFT PMST PYST UYT WGT',
  '-02:30': 'NDT',
  '-02:00': 'BRST FNT PMDT UYST WGST',
  '-01:00': 'AZOT EGT FNST',
  '+00:00': 'AZOST EGST GMT UCT UT UTC WET Z ZULU',
  '+01:00': 'BST CET MET MEZ WAT WETDST',
  '+02:00': 'BDST CEST CETDST EET IST MEST MESZ METDST SAST',
  '+03:00': 'EAT EEST EETDST FET IDT',
  '+03:30': 'IRT',
  '+04:00': 'MSD MUT RET SCT',
  '+04:30': 'AFT',
  '+05:00': 'MUST MVT PKT TFT TJT UZT',
  '+05:45': 'NPT',
  '+06:00': 'ALMT BDT BTT KGST PKST UZST XJT YEKST',
  '+06:30': 'MMT',
  '+07:00': 'ALMST CXT ICT WAST',
  '+08:00': 'AWST BNT BORT CCT HKT MYT PHT WADT',
  '+08:45': 'ACWST',
  '+09:00': 'AWSST JAYT JST KST PWT ULAST WDT',
  '+09:30': 'ACST CAST',
  '+10:00': 'AEST CHUT DDUT KDT LIGT MPT PGT TRUT YAPT',
  '+10:30': 'ACDT ACSST CADT LHST SADT',
  '+11:00': 'AEDT AESST PONT VUT',
  '+12:00': 'FJT GILT MHT NZST NZT TVT WAKT WFT',
  '+12:45': 'CHAST',
  '+13:00': 'FJST NZDT TOT',
  '+13:45': 'CHADT',
};

/** Abbreviations that mean what they meant in a zone at the time; each is refused, naming the zone. */
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

/** Offsets as `+01:00` by abbreviation, in capitals. */
export const fixedAbbreviations = inverted(byOffset);

/** Zones by abbreviation, in capitals. */
export const zoneAbbreviations = inverted(byZone);
