import { useMemo } from 'react'
import type { Glyphs } from '#kit/print/glyphs.ts'
import type { Paper, ReceiptContent, ReceiptData } from '#kit/print/receipt.ts'
import { type Line, linesOf } from '#kit/print/receipt-lines.ts'
import { charactersOn, type Logos, type ReceiptPage, sceneOfReceipt } from '#kit/print/receipt-scene.ts'
import { useGlyphs } from '#web/print/useGlyphs.ts'
import { useLogos } from './useLogos.tsx'

export type Laid = { paper: Paper; lines: Line[]; pages: ReceiptPage[]; glyphs: Glyphs; logos: Logos }

/** The receipt on each paper; null until its letters are here. */
export function useReceiptPages(
  content: ReceiptContent,
  data: ReceiptData,
  papers: readonly Paper[],
): readonly Laid[] | null {
  const lines = useMemo(
    () => papers.map(paper => ({ paper, lines: linesOf(content, data, paper) })),
    [content, data, papers],
  )
  const characters = useMemo(() => charactersOn(lines.flatMap(one => one.lines)), [lines])
  const glyphs = useGlyphs(characters)
  const logos = useLogos(content)
  return useMemo(
    () =>
      glyphs &&
      logos &&
      lines.map(one => ({
        ...{ ...one, glyphs, logos },
        pages: sceneOfReceipt(one.lines, { paper: one.paper, glyphs, logos }),
      })),
    [lines, glyphs, logos],
  )
}
