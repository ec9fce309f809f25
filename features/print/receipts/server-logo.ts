// The logo of a template as printers draw it: the same dots for the preview, for documents and for printers.
import { and, eq, inArray } from 'drizzle-orm'
import type { Out } from '#kit/declare/op.ts'
import { dithered } from '#kit/print/input/dither.ts'
import { LOGO_DOTS } from '#kit/print/receipt.ts'
import type { Logos } from '#kit/print/receipt-scene.ts'
import type { Bitmap } from '#kit/print/scene.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { pictureBytes } from '#server/files.ts'
import { greysOf } from '#server/pictures.ts'
import { staffAlone } from '#server/refuse.ts'
import { readAsSystem } from '#server/system.ts'
import { files } from '#server/tables.ts'
import type { receipts as contract } from './contract.ts'
import { RECEIPT_LOGO } from './rules.ts'

/** Of those that are logos of receipts; one that is gone is left out. To be called while no connection is held. */
export async function logosOf({ services }: Pick<Ctx, 'services'>, ids: readonly string[]): Promise<Logos> {
  if (ids.length === 0) return new Map()
  const rows = await readAsSystem(services, ({ db }) =>
    db
      .select({ id: files.id })
      .from(files)
      .where(and(inArray(files.id, [...ids]), eq(files.purpose, RECEIPT_LOGO))),
  )
  const logos = new Map<string, Bitmap>()
  for (const { id } of rows) {
    const bytes = await pictureBytes(services, id)
    if (bytes) logos.set(id, dithered(await greysOf(bytes, LOGO_DOTS)))
  }
  return logos
}

export const readLogos: Verb<typeof contract.logos> = async (
  ctx,
  { ids },
): Promise<Out<typeof contract.logos>> => {
  staffAlone(ctx)
  const logos = await logosOf(ctx, ids.split(','))
  return {
    rows: [...logos].map(([id, { width, height, rows }]) => ({
      ...{ id, width, height },
      base64: Buffer.from(rows).toString('base64'),
    })),
  }
}
