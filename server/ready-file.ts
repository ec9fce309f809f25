// Files that were made before they are asked for: same session, permission and log as an operation.
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Download } from '#kit/op.ts'
import { logDownload, refuseStolen } from '#server/documents/export.ts'
import { type Ctx, identityOf } from './ctx.ts'
import { refuseCommon } from './refuse.ts'
import { admit, asAnswer, type CallContext, makeCtx } from './serve.ts'

/** What the file is called, with its ending, its bytes, and how many rows it holds. */
export type ReadyFile = { name: string; type: string; byteSize: number; bytes: Readable; rows: number }

export type ReadyFileHandler = {
  download: Download
  find(ctx: Ctx, input: never): Promise<ReadyFile>
}

/** Ties a download of the contract to files that lie ready. */
export function serveReadyFile<S extends z.ZodType>(
  download: Download<S>,
  find: (ctx: Ctx, input: z.infer<S>) => Promise<ReadyFile>,
): ReadyFileHandler {
  return { download, find }
}

/** Checks session, permission and input, finds the file and writes the log row. Throws refusals as answers. */
export async function openReadyFile(
  handler: ReadyFileHandler,
  context: CallContext,
  query: unknown,
): Promise<ReadyFile> {
  try {
    const actor = await admit({ ...handler.download, whileSuspended: 'file' }, context, true)
    if (!actor) throw new Error('a download needs a session')
    const parsed = handler.download.input.safeParse(query)
    if (!parsed.success)
      refuseCommon('INPUT_INVALID', { issues: parsed.error.issues.map(issue => issue.message) })
    const { database, walls } = context.services
    const file = await database.read(identityOf(actor, walls), lent =>
      handler.find(makeCtx(lent, context, actor).ctx, parsed.data as never),
    )
    try {
      await refuseStolen(context, actor, file.rows)
      await logDownload(handler, context, actor, parsed.data)
    } catch (error) {
      file.bytes.destroy()
      throw error
    }
    return file
  } catch (error) {
    throw asAnswer(error)
  }
}
