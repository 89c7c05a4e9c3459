/**
 * The palette, once for each mode. The build turns it into CSS variables (`--ink-2`, `--primary-soft` …) and
 * `antd-theme.ts` into Ant Design's tokens, so the two can't drift apart.
 */
export const light = {
  canvas: '#F3F6F6',
  surface: '#FFFFFF',
  raised: '#FFFFFF',
  subtle: '#F8FAFA',
  inset: '#EDF1F2',
  segment: '#FFFFFF',
  line: '#E3E9EA',
  lineStrong: '#CDD7D9',
  ink: '#0E1F26',
  ink2: '#45565D',
  ink3: '#5E7077',
  disabled: '#9AA8AD',
  primary: '#00667D',
  primaryHover: '#005468',
  primaryActive: '#004354',
  onPrimary: '#FFFFFF',
  primarySoft: '#E3F2F5',
  primarySoftHover: '#D3EAEF',
  primaryBorder: '#B4DCE5',
  fill: '#00667D',
  fillHalf: '#7FBFCD',
  pane: '#E9EFF0',
  paneBorder: '#DDE5E7',
  mango: '#FFB11F',
  mangoSoft: '#FFF1D2',
  mangoText: '#8A5300',
  success: '#12744A',
  successSoft: '#E4F4EB',
  successFill: '#2F9E6B',
  warning: '#8A5300',
  warningSoft: '#FFF3DB',
  warningFill: '#E39A1B',
  danger: '#B3261E',
  dangerHover: '#971D16',
  dangerSoft: '#FDEBE9',
  dangerBorder: '#F3C4BF',
  dangerFill: '#D9483E',
  planned: '#4A4FBF',
  plannedSoft: '#ECEDFB',
  plannedFill: '#6D72DB',
  neutral: '#45565D',
  neutralSoft: '#EDF1F2',
  neutralFill: '#9AA8AD',
  chart1: '#00667D',
  chart2: '#C27104',
  chart3: '#764CCB',
  chart4: '#559B52',
  chart5: '#399BE2',
  chart6: '#801D48',
  chart7: '#565515',
  chart8: '#CB71A0',
  focus: 'rgba(0, 102, 125, 0.16)',
  mask: 'rgba(10, 22, 28, 0.38)',
  spotlight: '#0E1F26',
  shadowLow: '0 1px 2px rgba(14, 31, 38, 0.05)',
  shadowMid: '0 1px 2px rgba(14, 31, 38, 0.04), 0 8px 24px -8px rgba(14, 31, 38, 0.16)',
  shadowHigh: '0 2px 6px rgba(14, 31, 38, 0.05), 0 32px 64px -20px rgba(14, 31, 38, 0.28)',
  shellA: '#FFFFFF',
  shellB: '#E4EEF0',
  shellC: '#F6F0E2',
  shellD: '#E6EDF6',
  shellLine: 'rgba(14, 31, 38, 0.055)',
  night: '#0B1B21',
};

export type Palette = typeof light;

export const dark: Palette = {
  canvas: '#0A1216',
  surface: '#101B20',
  raised: '#17242A',
  subtle: '#132027',
  inset: '#1A282E',
  segment: '#2A3C44',
  line: '#1E2E35',
  lineStrong: '#31464E',
  ink: '#E9F1F3',
  ink2: '#A9BAC0',
  ink3: '#8498A0',
  disabled: '#566971',
  primary: '#4FC0DA',
  primaryHover: '#74D2E7',
  primaryActive: '#38A9C4',
  onPrimary: '#04212A',
  primarySoft: '#0E2E38',
  primarySoftHover: '#133945',
  primaryBorder: '#1C5260',
  fill: '#3AA9C4',
  fillHalf: '#1F5F6E',
  pane: '#18262C',
  paneBorder: '#22343B',
  mango: '#FFBF47',
  mangoSoft: '#33240A',
  mangoText: '#F5BD5A',
  success: '#5FD39A',
  successSoft: '#0F2B20',
  successFill: '#3DB981',
  warning: '#F5BD5A',
  warningSoft: '#33240A',
  warningFill: '#E0A23A',
  danger: '#FF8F85',
  dangerHover: '#FFA9A1',
  dangerSoft: '#3A1614',
  dangerBorder: '#6A2A26',
  dangerFill: '#E8695F',
  planned: '#A5ABFF',
  plannedSoft: '#1D2047',
  plannedFill: '#868DF0',
  neutral: '#A9BAC0',
  neutralSoft: '#1A282E',
  neutralFill: '#5E727A',
  chart1: '#4FC0DA',
  chart2: '#FCC03B',
  chart3: '#9180EF',
  chart4: '#6DBA69',
  chart5: '#2275CC',
  chart6: '#D54F6E',
  chart7: '#736630',
  chart8: '#FAC6DF',
  focus: 'rgba(79, 192, 218, 0.22)',
  mask: 'rgba(2, 8, 11, 0.62)',
  spotlight: '#2A3C44',
  shadowLow: 'none',
  shadowMid: '0 12px 32px -8px rgba(0, 0, 0, 0.6)',
  shadowHigh: '0 32px 80px -16px rgba(0, 0, 0, 0.8)',
  shellA: '#142229',
  shellB: '#101C22',
  shellC: '#1B2421',
  shellD: '#16222C',
  shellLine: 'rgba(255, 255, 255, 0.04)',
  night: '#070D10',
};

/** No web font and no `system-ui`: on Chinese Windows that would set Latin text in YaHei. */
export const fontSans =
  '-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", Inter, "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei UI", "Noto Sans SC", "Noto Sans CJK SC", Roboto, "Helvetica Neue", Arial, sans-serif';
export const fontMono =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Milliseconds of the three motions: a press, a change of state, a thing that arrives. */
export const motionMs = { press: 80, change: 160, arrive: 240 } as const;
export const easeOut = 'cubic-bezier(0.2, 0.8, 0.2, 1)';

function variables(palette: Palette): string {
  const kebab = (name: string) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/([a-z])(\d)/g, '$1-$2');
  return Object.entries(palette)
    .map(([name, value]) => `--${kebab(name)}: ${value};`)
    .join('\n  ');
}

/** The style sheet of variables; `data-theme` on the root element chooses the mode. */
export function themeCss(): string {
  return `:root {
  ${variables(light)}
  --font-sans: ${fontSans};
  --font-mono: ${fontMono};
  --ease-out: ${easeOut};
  --press: ${motionMs.press}ms;
  --change: ${motionMs.change}ms;
  --arrive: ${motionMs.arrive}ms;
  color-scheme: light;
}
[data-theme='dark'] {
  ${variables(dark)}
  color-scheme: dark;
}
@media (prefers-reduced-motion: reduce) {
  :root { --press: 0ms; --change: 0ms; --arrive: 0ms; }
}
`;
}
