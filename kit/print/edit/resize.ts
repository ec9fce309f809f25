// Owns what of an item can be pulled larger: the height of bars, the side of a QR code or icon, where text ends.
import type { LabelItem } from '#kit/print/label.ts'
import type { Box } from '#kit/print/scene.ts'
import { umOfMm } from '#kit/print/units.ts'

/** At the right, at the foot, or at the corner between. */
export type Handle = 'e' | 's' | 'se'

export const SIZE_LIMITS = {
  /** D3 §5: at least 1. */
  barHeight: { least: umOfMm(1), most: umOfMm(100) },
  qrSize: { least: umOfMm(5), most: umOfMm(100) },
  iconSize: { least: umOfMm(2), most: umOfMm(30) },
  width: { least: umOfMm(3), most: umOfMm(300) },
} as const

export const within = (value: number, { least, most }: { least: number; most: number }) =>
  Math.min(Math.max(value, least), most)

export function handleOf(item: LabelItem): Handle | null {
  if (item.locked) return null
  if (item.kind === 7) return 'se'
  if (item.kind === 4) return item.codeDisplay === 3 ? null : 's'
  if (item.kind === 12) return item.washingDisplay === 3 ? 'e' : 'se'
  return 'e'
}

/** The item as its handle was pulled from one point to another; `box` is what it took before. */
export function resized(
  item: LabelItem,
  handle: Handle,
  box: Box,
  by: { dx: number; dy: number },
): LabelItem {
  const tenth = (um: number) => Math.round(um / 100) * 100
  if (item.kind === 4)
    return { ...item, barHeight: within(tenth(item.barHeight + by.dy), SIZE_LIMITS.barHeight) }
  if (item.kind === 7)
    return { ...item, qrSize: within(tenth(item.qrSize + Math.max(by.dx, by.dy)), SIZE_LIMITS.qrSize) }
  if (handle === 'se')
    return { ...item, iconSize: within(tenth(item.iconSize + by.dy), SIZE_LIMITS.iconSize) }
  const width = within(Math.round((item.width ?? box.width) + by.dx), SIZE_LIMITS.width)
  return { ...item, width, fit: item.fit === 'run' ? 'wrap' : item.fit }
}
