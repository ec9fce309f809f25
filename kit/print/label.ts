// The model of a label template (D3 §3 Label template and Label item): lengths in micrometres.
import { type Um, umOfMm } from './units.ts'
import type { WashingKey } from './washing.ts'

/** 0 plain, 1 bold, 4 underlined, 5 both. */
export type FontStyle = 0 | 1 | 4 | 5
/** 1 text, 2 date, 3 date and time, 4 barcode or item number, 5 and 6 price-like, 7 QR code, 9 custom or member price text, 12 washing method. */
export type LabelKind = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 9 | 12
export const LABEL_GROUP_KEYS = ['basic', 'price', 'code', 'washing', 'other'] as const
export type LabelGroup = (typeof LABEL_GROUP_KEYS)[number]

export type LabelItem = {
  /** A uuid. */
  id: string
  /** Of LABEL_ITEMS; also the field of the data. */
  key: string
  name: string
  /** Before the content; the whole text of an item of custom text (≤ 100). */
  title: string
  group: LabelGroup
  kind: LabelKind
  left: Um
  top: Um
  /** Points, 5 to 30. */
  fontSize: number
  fontStyle: FontStyle
  /** 1 title and content, 2 content alone. */
  displayModel: 1 | 2
  /** 1 2026-01-31, 2 2026年01月31日, 3 2026/01/31. */
  dateModel: 1 | 2 | 3
  /** Kind 3: 1 to the second, 2 to the minute, 3 the day alone. */
  dateTimeModel: 1 | 2 | 3
  /** Prices: 元 and the unit of the goods behind the number. */
  showUnit: boolean
  /** Kind 4: 1 bars and digits, 2 bars alone, 3 digits alone. */
  codeDisplay: 1 | 2 | 3
  barWidth: 1 | 2
  barHeight: Um
  /** 1 WeChat mall of the shop, 2 its mini-program, 3 qrUrl. */
  qrKind: 1 | 2 | 3
  qrUrl: string
  qrSize: Um
  memberLevel: string | null
  washing: readonly WashingKey[]
  /** 1 icons and words, 2 icons, 3 words. */
  washingDisplay: 1 | 2 | 3
  iconSize: Um
  /** Where text ends; null: at the edge of the label. */
  width: Um | null
  /** What text does that is longer: runs on, shrinks (to 5 points), wraps, or is cut with an ellipsis. */
  fit: 'run' | 'shrink' | 'wrap' | 'cut'
  locked: boolean
  /** What the documents' payloads held, by kit/print/legacy.ts; given back as it was. */
  kept?: { template?: Record<string, unknown>; layout?: Record<string, unknown> }
}

export type Label = {
  width: Um
  height: Um
  items: readonly LabelItem[]
  /** The file that lies under the designer's drawing; never printed. */
  background: string | null
}

/** Of one article, by field; absent is empty. */
export type LabelData = Readonly<Record<string, string>>

export const LABEL_LIMITS = {
  fontSize: { least: 5, most: 30 },
  customText: 100,
  name: 50,
  title: 50,
  qrUrl: 500,
  items: 200,
  side: { least: umOfMm(10), most: umOfMm(300) },
} as const

export const LABEL_SIZE = { width: umOfMm(80), height: umOfMm(40) } as const

export const emptyLabel = (): Label => ({ ...LABEL_SIZE, items: [], background: null })
