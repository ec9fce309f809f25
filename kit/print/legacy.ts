// The documents' payload of a label (D3 §3, §9) to our model and back; the only file that knows its numbers.
import type { Label } from './label.ts'

export type LegacyLabel = {
  templateId: string
  templateName: string
  isCustom: boolean
  industryIds: string[]
  label: Label
}

export function readLegacyLabel(_payload: unknown): LegacyLabel {
  throw new Error('not yet')
}

/** Capitalised, with WidthPx and HeightPx, as the documents save it. */
export function writeLegacyLabel(_label: LegacyLabel): Record<string, unknown> {
  throw new Error('not yet')
}
