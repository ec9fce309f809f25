// Owns how a printer's misses are measured and put right.
// Must never read a clock or the outside.
import { CALIBRATION_LIMITS, type Calibration } from '#kit/print/bridge/bridge.ts'
import { SHEET } from '#kit/print/bridge/bridge-sheet.ts'

/** As typed: millimetres and percent with a point. */
export type CalibrationDraft = {
  dots: Calibration['dots']
  offsetX: string
  offsetY: string
  scaleX: string
  scaleY: string
}
export type CalibrationField = Exclude<keyof CalibrationDraft, 'dots'>

/** What a ruler says of the printed sheet, in millimetres. */
export type Measured = { left: string; top: string; across: string; down: string }
export const MEASURED_LABELS: Record<keyof Measured, string> = {
  left: '左边到竖线',
  top: '上边到横线',
  across: '横尺总长',
  down: '竖尺总长',
}
/** What a printer that misses nothing would give. */
export const EXPECTED: Record<keyof Measured, number> = {
  left: SHEET.left / 1_000,
  top: SHEET.top / 1_000,
  across: SHEET.across / 1_000,
  down: SHEET.down / 1_000,
}

export const CALIBRATION_REFUSALS = {
  OFFSET_INVALID: `偏移为 -${CALIBRATION_LIMITS.offset / 1_000} 到 ${CALIBRATION_LIMITS.offset / 1_000} 毫米，最多 2 位小数`,
  SCALE_INVALID: `缩放为 ${CALIBRATION_LIMITS.scaleLeast / 100} 到 ${CALIBRATION_LIMITS.scaleMost / 100}，最多 2 位小数`,
  // No limit: decimals of a millimetre.
  MEASURED_INVALID: '请输入量得的毫米数，最多 2 位小数',
} as const

const NUMBER = /^-?\d{1,3}(\.\d{1,2})?$/

/** Hundredths of what is typed; null where that is no number. */
function hundredths(text: string): number | null {
  const plain = text.trim().replace('。', '.')
  return NUMBER.test(plain) ? Math.round(Number(plain) * 100) : null
}

export const draftOf = (calibration: Calibration): CalibrationDraft => ({
  dots: calibration.dots,
  offsetX: String(calibration.offsetX / 1_000),
  offsetY: String(calibration.offsetY / 1_000),
  scaleX: String(calibration.scaleX / 100),
  scaleY: String(calibration.scaleY / 100),
})

type Broken = { field: CalibrationField; code: keyof typeof CALIBRATION_REFUSALS }

/** Broken rules in the order of the form. */
export function brokenIn(draft: CalibrationDraft): Broken[] {
  const { offset, scaleLeast, scaleMost } = CALIBRATION_LIMITS
  const isOffset = (text: string) => {
    const value = hundredths(text)
    return value !== null && Math.abs(value * 10) <= offset
  }
  const isScale = (text: string) => {
    const value = hundredths(text)
    return value !== null && value >= scaleLeast && value <= scaleMost
  }
  const broken: (Broken | false)[] = [
    !isOffset(draft.offsetX) && { field: 'offsetX', code: 'OFFSET_INVALID' },
    !isOffset(draft.offsetY) && { field: 'offsetY', code: 'OFFSET_INVALID' },
    !isScale(draft.scaleX) && { field: 'scaleX', code: 'SCALE_INVALID' },
    !isScale(draft.scaleY) && { field: 'scaleY', code: 'SCALE_INVALID' },
  ]
  return broken.filter(one => one !== false)
}

/** Of a draft without broken rules. */
export const calibrationOf = (draft: CalibrationDraft): Calibration => ({
  dots: draft.dots,
  offsetX: (hundredths(draft.offsetX) ?? 0) * 10,
  offsetY: (hundredths(draft.offsetY) ?? 0) * 10,
  scaleX: hundredths(draft.scaleX) ?? 10_000,
  scaleY: hundredths(draft.scaleY) ?? 10_000,
})

/**
 * What puts right a printer that printed the sheet with `current` and measured so; null where something is no number. First it is
 * grown, then moved: the line at the left lies where growing has put it.
 */
export function correctionOf(current: Calibration, measured: Measured): Calibration | null {
  const [left, top, across, down] = (['left', 'top', 'across', 'down'] as const).map(key =>
    hundredths(measured[key]),
  )
  if (left == null || top == null || !across || !down) return null
  const scaleX = limited((current.scaleX * EXPECTED.across * 100) / across)
  const scaleY = limited((current.scaleY * EXPECTED.down * 100) / down)
  return {
    dots: current.dots,
    ...{ scaleX, scaleY },
    offsetX: moved(current.offsetX, left * 10, SHEET.left, scaleX, current.scaleX),
    offsetY: moved(current.offsetY, top * 10, SHEET.top, scaleY, current.scaleY),
  }
}

function moved(offset: number, measured: number, expected: number, scale: number, before: number): number {
  const grown = (expected * (scale - before)) / 10_000
  const most = CALIBRATION_LIMITS.offset
  // Never -0.
  return Math.max(-most, Math.min(most, Math.round((offset + expected - measured - grown) / 10) * 10)) || 0
}

const limited = (scale: number) =>
  Math.round(Math.max(CALIBRATION_LIMITS.scaleLeast, Math.min(CALIBRATION_LIMITS.scaleMost, scale)))

/** In words; empty where nothing is put right. */
export function wordsOf({ offsetX, offsetY, scaleX, scaleY }: Calibration): string {
  const words = [
    offsetX !== 0 && `${offsetX > 0 ? '右' : '左'}移 ${Math.abs(offsetX) / 1_000} 毫米`,
    offsetY !== 0 && `${offsetY > 0 ? '下' : '上'}移 ${Math.abs(offsetY) / 1_000} 毫米`,
    scaleX !== 10_000 && `横向 ${scaleX / 100}%`,
    scaleY !== 10_000 && `纵向 ${scaleY / 100}%`,
  ]
  return words.filter(Boolean).join('，')
}
