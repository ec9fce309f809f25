// What the calibration of a printer asks for, as it is typed: millimetres and percent with a point. Words stand in rules.ts.
import type { Fields } from '#kit/declare/fields.ts'
import { EXPECTED, MEASURED_LABELS, type Measured } from './rules.ts'

const measured = (key: keyof Measured) =>
  ({
    kind: 'text',
    label: MEASURED_LABELS[key],
    control: { as: 'text', inputMode: 'decimal', hint: `应为 ${EXPECTED[key]}` },
  }) as const

export const CALIBRATION = {
  left: measured('left'),
  top: measured('top'),
  across: measured('across'),
  down: measured('down'),
  offsetX: {
    kind: 'text',
    label: '横向偏移',
    control: { as: 'text', inputMode: 'decimal', hint: '向右为正' },
  },
  offsetY: {
    kind: 'text',
    label: '纵向偏移',
    control: { as: 'text', inputMode: 'decimal', hint: '向下为正' },
  },
  scaleX: { kind: 'text', label: '横向缩放', control: { as: 'text', inputMode: 'decimal' } },
  scaleY: { kind: 'text', label: '纵向缩放', control: { as: 'text', inputMode: 'decimal' } },
} as const satisfies Fields
