// What is wrong with a label before it is printed, and what would help.
import type { Label, LabelData } from './label.ts'
import type { Press } from './text-marks.ts'
import type { Dots } from './units.ts'

export const FAULTS = {
  codeWide: '条码超出标签',
  codeFine: '条码太细，扫描枪难以识读',
  codeEmpty: '条码没有内容',
  quiet: '条码四周留白不足',
  textOut: '文字超出标签',
  textCut: '文字被截断',
  below: '在标签下边缘之外，保存时会被去掉',
  outside: '超出标签边缘',
  glyph: '有字体没有的字',
} as const
export type FaultKind = keyof typeof FAULTS

export type Fault = {
  /** Null: of the whole label. */
  item: string | null
  kind: FaultKind
  /** Stops publishing, or is said alone. */
  stops: boolean
  /** What is wrong, with the item's name. */
  words: string
  /** What would help. */
  help: string
  /** Millimetres the label, or the height, needs at least. */
  leastMm?: number
  /** A finer printer that would do. */
  dots?: Dots
}

/** With these data, at this resolution. */
export function faultsOf(_label: Label, _data: LabelData, _press: Press): Fault[] {
  throw new Error('not yet')
}
