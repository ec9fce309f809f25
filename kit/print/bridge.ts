// Owns what the page and the desk's print program say to each other: messages, limits, version, words of every state
// (issue 15 §5). Pure; must never know how it is carried.
import { z } from 'zod'

/** What is printed decides the printer that is offered first. */
export const PRINT_KINDS = { label: '标签', receipt: '小票' } as const
export type PrintKind = keyof typeof PRINT_KINDS

/** What a printer understands. */
export const PRINT_LANGUAGES = {
  tspl: 'TSPL（标签机）',
  zpl: 'ZPL（标签机）',
  escpos: 'ESC/POS（小票机）',
  pdf: 'PDF（普通打印机）',
} as const
export type PrintLanguage = keyof typeof PRINT_LANGUAGES

/**
 * How a printer misses: what it prints is moved by so many micrometres and grown to so many ten-thousandths (10,000 = as
 * drawn). `dots` a millimetre is its resolution.
 */
export const CalibrationShape = z.object({
  dots: z.union([z.literal(8), z.literal(12), z.literal(24)]),
  offsetX: z.int().min(-20_000).max(20_000),
  offsetY: z.int().min(-20_000).max(20_000),
  scaleX: z.int().min(9_000).max(11_000),
  scaleY: z.int().min(9_000).max(11_000),
})
export type Calibration = z.infer<typeof CalibrationShape>
export const UNCALIBRATED: Calibration = { dots: 8, offsetX: 0, offsetY: 0, scaleX: 10_000, scaleY: 10_000 }
