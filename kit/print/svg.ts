// A scene as SVG in true millimetres, with text as outlines.
import { type Glyphs, glyphOf } from './glyphs.ts'
import { movedPath } from './path.ts'
import { isBlack } from './raster.ts'
import type { Bitmap, BitmapMark, Box, Mark, Scene, TextMark } from './scene.ts'
import { mmOfUm } from './units.ts'

/** A filled path in micrometres of the label. */
export type SvgPart = { item: string | null; path: string }

export const svgParts = (scene: Scene, glyphs: Glyphs): SvgPart[] =>
  scene.marks.flatMap(mark => pathsOf(mark, glyphs).map(path => ({ item: mark.item, path })))

/** A whole svg element on white paper. */
export function svgOf(scene: Scene, glyphs: Glyphs): string {
  const { width, height } = scene
  const paths = svgParts(scene, glyphs)
    .filter(({ path }) => path)
    .map(
      ({ item, path }) => `<path${item ? ` data-item="${item.replace(/[^\w-]/g, '')}"` : ''} d="${path}"/>`,
    )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${mmOfUm(width)}mm" height="${mmOfUm(height)}mm"`,
    ` viewBox="0 0 ${width} ${height}"><path fill="#fff" d="M0 0H${width}V${height}H0Z"/>`,
    ...paths,
    '</svg>',
  ].join('')
}

/** Each filled where it winds; a line under letters winds its own way, and is a path of its own. */
function pathsOf(mark: Mark, glyphs: Glyphs): string[] {
  if (mark.kind === 'bars') return [mark.rects.map(boxPath).join('')]
  if (mark.kind === 'bitmap') return [bitmapPath(mark)]
  if (mark.kind === 'shape') return [movedPath(mark.path, mark.unit, mark.box.left, mark.box.top)]
  const letters = textPath(mark, glyphs)
  return mark.underline ? [letters, boxPath(mark.underline)] : [letters]
}

export const boxPath = ({ left, top, width, height }: Box): string =>
  `M${left} ${top}h${width}v${height}h${-width}Z`

function textPath(mark: TextMark, glyphs: Glyphs): string {
  const unit = mark.size / 1_000
  let advance = 0
  let path = ''
  for (const character of mark.text) {
    const glyph = glyphOf(glyphs, character, mark.bold)
    path += movedPath(glyph.outline, unit, mark.left + advance * unit, mark.baseline)
    advance += glyph.advance
  }
  return path
}

/** Runs of black of each row. */
export function bitmapPath({ box, bitmap }: Pick<BitmapMark, 'box' | 'bitmap'>): string {
  const across = (x: number) => Math.round((x * box.width) / bitmap.width)
  const down = (y: number) => Math.round((y * box.height) / bitmap.height)
  let path = ''
  for (let y = 0; y < bitmap.height; y++)
    for (const [from, to] of runsOf(bitmap, y))
      path += boxPath({
        left: box.left + across(from),
        top: box.top + down(y),
        width: across(to) - across(from),
        height: down(y + 1) - down(y),
      })
  return path
}

function runsOf(bitmap: Bitmap, y: number): [from: number, to: number][] {
  const runs: [number, number][] = []
  for (let x = 0; x < bitmap.width; x++) {
    if (!isBlack(bitmap, x, y)) continue
    const from = x
    while (x < bitmap.width && isBlack(bitmap, x, y)) x++
    runs.push([from, x])
  }
  return runs
}
