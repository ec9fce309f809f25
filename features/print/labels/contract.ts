import { templateOps } from '#features/print/print-templates/contract-of-kind.ts'
import { op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { linesText, lineText, madeText, writtenText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { CalibrationShape } from '#kit/print/bridge/bridge-messages.ts'
import { SIZE_LIMITS } from '#kit/print/edit/resize.ts'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { LABEL_GROUPS, LABEL_ITEMS } from '#kit/print/label-items.ts'
import { WASHING, type WashingKey } from '#kit/print/washing.ts'

const between = ({ least, most }: { least: number; most: number }) => z.int().min(least).max(most)
const oneToThree = z.union([z.literal(1), z.literal(2), z.literal(3)])
const keysOf = <K extends string>(words: Readonly<Record<K, string>>) =>
  z.enum(Object.keys(words) as [K, ...K[]])

const KEYS = new Set(LABEL_ITEMS.map(({ key }) => key))
/** Farther than any label is large. */
const place = z
  .int()
  .min(-LABEL_LIMITS.side.most)
  .max(2 * LABEL_LIMITS.side.most)

/** One thing on a label (D3 §3, §5). */
const LabelItem = z.strictObject({
  id: z.uuid(),
  key: madeText.refine(key => KEYS.has(key)),
  name: lineText.max(LABEL_LIMITS.name),
  title: writtenText.max(LABEL_LIMITS.customText),
  group: keysOf(LABEL_GROUPS),
  kind: z.union(
    [1, 2, 3, 4, 5, 6, 7, 9, 12].map(kind => z.literal(kind as 1 | 2 | 3 | 4 | 5 | 6 | 7 | 9 | 12)),
  ),
  left: place,
  top: place,
  fontSize: z.number().min(LABEL_LIMITS.fontSize.least).max(LABEL_LIMITS.fontSize.most),
  fontStyle: z.union([z.literal(0), z.literal(1), z.literal(4), z.literal(5)]),
  displayModel: z.union([z.literal(1), z.literal(2)]),
  dateModel: oneToThree,
  dateTimeModel: oneToThree,
  showUnit: z.boolean(),
  codeDisplay: oneToThree,
  barWidth: z.union([z.literal(1), z.literal(2)]),
  barHeight: between(SIZE_LIMITS.barHeight),
  qrKind: oneToThree,
  qrUrl: lineText.max(LABEL_LIMITS.qrUrl),
  qrSize: between(SIZE_LIMITS.qrSize),
  memberLevel: lineText.max(50).nullable(),
  washing: z.array(keysOf<WashingKey>(WASHING)).max(15),
  washingDisplay: oneToThree,
  iconSize: between(SIZE_LIMITS.iconSize),
  width: between(SIZE_LIMITS.width).nullable(),
  fit: z.enum(['run', 'shrink', 'wrap', 'cut']),
  locked: z.boolean(),
  kept: z.record(z.string().max(50), z.unknown()).optional(),
})

export const LabelContent = z.strictObject({
  width: between(LABEL_LIMITS.side),
  height: between(LABEL_LIMITS.side),
  items: z.array(LabelItem).max(LABEL_LIMITS.items),
  background: z.uuid().nullable(),
})

const data = z.record(z.string().max(50), linesText.max(500))

export const labels = {
  ...templateOps('label', LabelContent),
  /** What of a shop stands on its labels; null: no shop's number. */
  shopSample: op(
    { permission: 'labels.list' },
    { method: 'GET', path: '/label-templates-sample', summary: "A shop's own name, phone and address" },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({ shop: z.object({ id: z.number(), data: z.record(z.string(), z.string()) }).nullable() }),
    ),
  /** The label as a page of its very size, for printers that take papers. */
  paper: op(
    { permission: 'labels.list', ephemeral: true, detached: true, bodyMost: 320 * 1_024 },
    { method: 'POST', path: '/label-templates-paper', summary: 'A label as a PDF, in base64' },
  )
    .input(z.object({ content: LabelContent, data, calibration: CalibrationShape.default(UNCALIBRATED) }))
    .output(z.object({ base64: z.string() })),
}
