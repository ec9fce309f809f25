// Owns every colour, size and shadow, light and dark. CSS variables and Ant Design's tokens are both made from here.

export const MODES = ['light', 'dark'] as const
export type Mode = (typeof MODES)[number]

const COLORS = {
  page: ['#ffffff', '#15181d'],
  sunken: ['#f6f7f9', '#101317'],
  raised: ['#ffffff', '#1d2128'],
  hover: ['#f1f3f6', '#22272f'],
  line: ['#e5e8ed', '#2b313a'],
  border: ['#cfd5dd', '#434b57'],
  text: ['#1a1f27', '#e5e9ef'],
  muted: ['#5a6472', '#a3acb9'],
  faint: ['#6b7583', '#8d97a5'],
  accent: ['#1f5fd6', '#7aa9ff'],
  'accent-fill': ['#1f5fd6', '#2f68d8'],
  'accent-fill-hover': ['#184fb8', '#386fde'],
  'accent-soft': ['#eaf1fe', '#1c2b47'],
  'on-fill': ['#ffffff', '#ffffff'],
  /** Under pictures that were drawn for white paper. */
  paper: ['#ffffff', '#f6f7f9'],
  danger: ['#c5282f', '#ff8a85'],
  'danger-fill': ['#c5282f', '#c93a3f'],
  'danger-fill-hover': ['#b3242a', '#d14348'],
  'danger-soft': ['#fdeced', '#3d2021'],
  warning: ['#9a5600', '#f0b35a'],
  'warning-soft': ['#fff3df', '#38290f'],
  success: ['#19713a', '#63c98a'],
  'success-soft': ['#e6f5eb', '#16301f'],
  'neutral-soft': ['#eef0f3', '#282e37'],
  mask: ['rgba(15, 20, 28, 0.45)', 'rgba(0, 0, 0, 0.6)'],
  /** The text's own colour, thin: what is written does not change under it, but surfaces do, so that the mark stands behind the text. */
  mark: ['rgba(26, 31, 39, 0.07)', 'rgba(229, 233, 239, 0.06)'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

const SHADOWS = {
  float: ['0 8px 28px rgba(20, 28, 40, 0.16)', '0 8px 28px rgba(0, 0, 0, 0.6)'],
  edge: ['6px 0 8px -6px rgba(20, 28, 40, 0.14)', '6px 0 8px -6px rgba(0, 0, 0, 0.5)'],
  'edge-end': ['-6px 0 8px -6px rgba(20, 28, 40, 0.14)', '-6px 0 8px -6px rgba(0, 0, 0, 0.5)'],
} as const

/** A picture that was drawn for white paper, as it stands on the page: in the dark its light is turned over, its colours stay. */
const PICTURES = {
  'logo-filter': ['none', 'invert(1) hue-rotate(180deg)'],
  'logo-blend': ['normal', 'screen'],
} as const

const FONT =
  '"PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", system-ui, sans-serif'

const SIZES = {
  font: FONT,
  'font-mono': 'ui-monospace, "SF Mono", Consolas, "Noto Sans Mono", monospace',
  'size-body': '14px',
  'size-small': '12px',
  'size-section': '16px',
  'size-title': '20px',
  'space-1': '4px',
  'space-2': '8px',
  'space-3': '12px',
  'space-4': '16px',
  'space-6': '24px',
  'space-8': '32px',
  radius: '6px',
  'radius-small': '4px',
  control: '32px',
  touch: '44px',
  row: '40px',
  'row-compact': '32px',
  'row-two': '56px',
  'row-two-compact': '44px',
  header: '48px',
  bar: '56px',
  tabs: '36px',
  side: '216px',
  'side-folded': '56px',
  /** How wide a page grows: lines of text, a form, a page of facts and tables, one of figures and charts. A list takes what there is. */
  'width-narrow': '560px',
  'width-form': '720px',
  'width-page': '1080px',
  'width-wide': '1440px',
  quick: '120ms',
  motion: '180ms',
} as const

type ColorName = keyof typeof COLORS

export function colorOf(name: ColorName, mode: Mode): string {
  return COLORS[name][MODES.indexOf(mode)] as string
}

function declarations(mode: Mode): string {
  const at = MODES.indexOf(mode)
  const colors = Object.entries(COLORS).map(([name, pair]) => `--${name}: ${pair[at]};`)
  const shadows = Object.entries(SHADOWS).map(([name, pair]) => `--shadow-${name}: ${pair[at]};`)
  const pictures = Object.entries(PICTURES).map(([name, pair]) => `--${name}: ${pair[at]};`)
  return [`color-scheme: ${mode};`, ...colors, ...shadows, ...pictures].join(' ')
}

/** The theme as a style sheet: the system's choice, unless <html data-theme> names one. */
export function themeCss(): string {
  const sizes = Object.entries(SIZES).map(([name, value]) => `--${name}: ${value};`)
  // Paper is white, whatever the screen is.
  return [
    `:root { ${sizes.join(' ')} ${declarations('light')} }`,
    `@media screen and (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${declarations('dark')} } }`,
    `@media screen { :root[data-theme='dark'] { ${declarations('dark')} } }`,
    `@media (prefers-reduced-motion: reduce) { :root { --quick: 0ms; --motion: 0ms; } }`,
  ].join('\n')
}

/** Ant Design's tokens for a mode; on a phone controls are big enough for a thumb. */
export function antTokens(mode: Mode, phone: boolean) {
  const color = (name: ColorName) => colorOf(name, mode)
  return {
    colorPrimary: color('accent-fill'),
    colorPrimaryHover: color('accent-fill-hover'),
    colorInfo: color('accent-fill'),
    colorLink: color('accent'),
    colorError: color('danger'),
    colorErrorText: color('danger'),
    colorWarning: color('warning'),
    colorSuccess: color('success'),
    colorBgBase: color('page'),
    colorBgContainer: color('page'),
    colorBgElevated: color('raised'),
    colorBgLayout: color('sunken'),
    colorTextBase: color('text'),
    colorText: color('text'),
    colorTextSecondary: color('muted'),
    colorTextTertiary: color('faint'),
    colorTextDescription: color('muted'),
    colorTextPlaceholder: color('faint'),
    colorBorder: color('border'),
    colorBorderSecondary: color('line'),
    colorSplit: color('line'),
    colorBgMask: color('mask'),
    fontFamily: FONT,
    fontSize: 14,
    lineHeight: 20 / 14,
    borderRadius: 6,
    borderRadiusLG: 6,
    borderRadiusSM: 4,
    controlHeight: phone ? 44 : 32,
    motionDurationFast: '0.08s',
    motionDurationMid: '0.12s',
    motionDurationSlow: '0.18s',
    boxShadowTertiary: 'none',
    wireframe: false,
  }
}

/** Ant Design fills its danger button with the colour of danger text, which white cannot be read on in the dark. */
export function dangerButton(mode: Mode) {
  const fill = colorOf('danger-fill', mode)
  return { colorError: fill, colorErrorHover: colorOf('danger-fill-hover', mode), colorErrorActive: fill }
}
