import { op } from '#kit/declare/op.ts'
import { madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { GLYPHS_MOST } from '#kit/print/glyphs.ts'

const glyphs = z.record(z.string(), z.object({ advance: z.number(), outline: z.string() }))

export const fonts = {
  /** What the font lacks is not in the answer. */
  glyphs: op(
    { permission: 'session', detached: true },
    { method: 'GET', path: '/fonts/glyphs', summary: 'Outlines of characters, regular and bold' },
  )
    .input(
      z.object({
        characters: madeText
          .min(1)
          .max(GLYPHS_MOST * 2)
          .refine(text => [...text].length <= GLYPHS_MOST),
      }),
    )
    .output(z.object({ regular: glyphs, bold: glyphs })),
}
