/** The colours of one colour scheme. `palette.test.ts` checks their contrast ratios. */
export interface SchemeColors {
  readonly background: string;
  readonly paper: string;
  readonly sunken: string;
  readonly divider: string;
  readonly border: string;
  readonly text: { readonly primary: string; readonly secondary: string; readonly tertiary: string };
  readonly primary: { readonly main: string; readonly hover: string; readonly contrast: string };
  readonly selected: string;
  readonly error: { readonly main: string; readonly tint: string };
  readonly warning: { readonly main: string; readonly tint: string };
  readonly success: { readonly main: string; readonly tint: string };
  readonly info: { readonly main: string; readonly tint: string };
  readonly chip: string;
  /** Behind the text that a search matched. */
  readonly match: string;
}

export const lightColors: SchemeColors = {
  background: '#F7F8F8',
  paper: '#FFFFFF',
  sunken: '#F1F3F4',
  divider: '#DDE1E3',
  border: '#858D93',
  text: { primary: '#14191D', secondary: '#4A545B', tertiary: '#656E76' },
  primary: { main: '#0B6477', hover: '#084C5B', contrast: '#FFFFFF' },
  selected: '#E3F1F4',
  error: { main: '#B42318', tint: '#FDECEA' },
  warning: { main: '#8A5A00', tint: '#FFF3D6' },
  success: { main: '#2F6F1E', tint: '#E8F4E3' },
  info: { main: '#3D4FB5', tint: '#ECEEFB' },
  chip: '#E9ECEE',
  match: '#FFE08A',
};

export const darkColors: SchemeColors = {
  background: '#0F1315',
  paper: '#161B1E',
  sunken: '#1E2529',
  divider: '#2C353A',
  border: '#717D85',
  text: { primary: '#E8ECEE', secondary: '#AEB8BE', tertiary: '#8B969D' },
  primary: { main: '#5FC3D6', hover: '#8AD5E3', contrast: '#06262D' },
  selected: '#12333B',
  error: { main: '#FF8F85', tint: '#3A1714' },
  warning: { main: '#F2B84B', tint: '#35270B' },
  success: { main: '#8CCB74', tint: '#182B12' },
  info: { main: '#A9B4FF', tint: '#1F2547' },
  chip: '#262F34',
  match: '#5A4300',
};
