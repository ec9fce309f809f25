// The outlines that pages draw labels and receipts with.
import type { In } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { glyphsOf } from '#server/print/fonts.ts'
import { serve } from '#server/serve.ts'
import { fonts as contract } from './contract.ts'

const glyphs = (_: Ctx, { characters }: In<typeof contract.glyphs>) => glyphsOf(characters)

export const fontsRouter = serve(contract, { glyphs })
