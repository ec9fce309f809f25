// A scene as a printer must be sent it, so that what it gets wrong comes out right.
import type { Calibration } from './bridge/bridge.ts'
import { stepsOf } from './path.ts'
import type { Box, Mark, Scene } from './scene.ts'

/**
 * Grown, then moved, on paper of the same size. Codes are moved alone: their modules stay whole dots, and a scanner does not measure
 * them.
 */
export function calibrated(scene: Scene, calibration: Calibration): Scene {
  const { offsetX, offsetY, scaleX, scaleY } = calibration
  if (offsetX === 0 && offsetY === 0 && scaleX === 10_000 && scaleY === 10_000) return scene
  const x = (at: number) => Math.round((at * scaleX) / 10_000) + offsetX
  const y = (at: number) => Math.round((at * scaleY) / 10_000) + offsetY
  const wide = (length: number) => Math.round((length * scaleX) / 10_000)
  const high = (length: number) => Math.round((length * scaleY) / 10_000)
  const grown = (box: Box): Box => ({
    ...{ left: x(box.left), top: y(box.top) },
    ...{ width: wide(box.width), height: high(box.height) },
  })
  const moved = (mark: Mark): Mark => {
    if (mark.kind === 'text') {
      const { left, baseline, size, width, underline } = mark
      return {
        ...{ ...mark, left: x(left), baseline: y(baseline), size: high(size), width: wide(width) },
        underline: underline && grown(underline),
      }
    }
    if (mark.kind === 'bitmap') return { ...mark, box: grown(mark.box) }
    if (mark.kind === 'shape')
      return { ...mark, box: grown(mark.box), path: grownPath(mark.path, scaleX / 10_000, scaleY / 10_000) }
    const [right, down] = [x(mark.box.left) - mark.box.left, y(mark.box.top) - mark.box.top]
    const shifted = (box: Box): Box => ({ ...box, left: box.left + right, top: box.top + down })
    return { ...mark, box: shifted(mark.box), rects: mark.rects.map(shifted) }
  }
  return { ...scene, marks: scene.marks.map(moved) }
}

/** To thousandths of a unit. */
function grownPath(path: string, across: number, down: number): string {
  return stepsOf(path)
    .map(([command, ...at]) => {
      const numbers = at.map(
        (one, index) => Math.round(one * (index % 2 === 0 ? across : down) * 1_000) / 1_000,
      )
      return `${command}${numbers.join(' ')}`
    })
    .join('')
}
