// Every template that comes with the program, laid out for a resolution: a new one is read back because it is there.
import { SYSTEM_LABELS } from '#features/print/labels/reference.ts'
import { RECEIPT_SAMPLES } from '#features/print/receipts/reference.ts'
import type { Glyphs } from '#kit/print/glyphs.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { type Paper, type ReceiptContent, sheetOf } from '#kit/print/receipt.ts'
import { linesOf } from '#kit/print/receipt-lines.ts'
import { sampleOf } from '#kit/print/receipt-samples.ts'
import { charactersOn, sceneOfReceipt } from '#kit/print/receipt-scene.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import type { Mark, Scene } from '#kit/print/scene.ts'
import type { Dots } from '#kit/print/units.ts'
import { glyphsOf } from '#server/print/fonts.ts'

export type Laid = { glyphs: Glyphs; scenes: readonly Scene[] }
export type SystemTemplate = {
  name: string
  kind: 'label' | 'receipt'
  /** As it is on paper, in micrometres across. */
  width: number
  laidOut(dots: Dots): Promise<Laid>
}

export const SYSTEM_TEMPLATES: readonly SystemTemplate[] = [
  ...SYSTEM_LABELS.map(({ name, label }): SystemTemplate => {
    const data = SAMPLES.typical
    return {
      ...{ name, kind: 'label', width: label.width },
      async laidOut(dots) {
        const glyphs = await glyphsOf(labelCharacters(label, data))
        return { glyphs, scenes: [sceneOf(label, data, { dots, glyphs })] }
      },
    }
  }),
  ...RECEIPT_SAMPLES.flatMap(({ name, content }) =>
    papersOf(content).map((paper): SystemTemplate => {
      const lines = linesOf(content, sampleOf('sale'), paper)
      return {
        ...{ name: `${name} on ${paper} mm`, kind: 'receipt', width: paper * 1_000 },
        async laidOut() {
          const glyphs = await glyphsOf(charactersOn(lines))
          return { glyphs, scenes: sceneOfReceipt(lines, { paper, glyphs }).map(({ scene }) => scene) }
        },
      }
    }),
  ),
]

/** The usual roll, and A4 where it has something for it. */
function papersOf(content: ReceiptContent): Paper[] {
  return ([80, 210] as const).filter(paper => content[sheetOf(paper)].length > 0)
}

export const codesOn = (scene: Scene): string[] =>
  scene.marks.flatMap(mark => (mark.kind === 'bars' ? [`${mark.symbology} ${mark.content}`] : [])).sort()

/** All that is written, in its order and without white. */
export const writtenOn = (marks: readonly Mark[]): string =>
  marks
    .map(mark => (mark.kind === 'text' ? mark.text : ''))
    .join('')
    .replaceAll(/\s/g, '')
