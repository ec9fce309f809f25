// A paper as a PDF: same session, permission and log as an operation, own transport. For small files; they are drawn one by one.
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { z } from 'zod'
import type { Download } from '#kit/declare/op.ts'
import { type CallContext, type Ctx, identityOf } from '#server/ctx.ts'
import { type Issue, refuseInput } from '#server/refuse.ts'
import { drawingRoom } from '#server/rooms.ts'
import { admitDownload, asAnswer, makeCtx } from '#server/serve.ts'
import { type FileLogged, logDownload } from './export.ts'
import type { Paper } from './pdf-drawing.ts'

export type PdfHandler = {
  download: Download
  paper(ctx: Ctx, input: never): Promise<MadePaper | Unfinished>
}
/** What the log's row is about, where it is more than the file's name. */
export type MadePaper = Paper & { logged?: FileLogged }
/** What is still to come from elsewhere (a logo of the storage), fetched when nothing of the database is held any more. */
export type Unfinished = () => Promise<MadePaper>

/** Ties a download of the contract to the paper that it makes. */
export function servePdf<S extends z.ZodType, P extends MadePaper | Unfinished>(
  download: Download<S>,
  paper: (ctx: Ctx, input: z.infer<S>) => Promise<P>,
): Omit<PdfHandler, 'paper'> & { paper: typeof paper } {
  return { download, paper }
}

/** Checks session, permission and input, writes the log row, and answers the file. Throws refusals as answers. */
export async function openPdf(handler: PdfHandler, context: CallContext, query: unknown): Promise<Buffer> {
  try {
    const actor = await admitDownload(handler.download, context)
    const parsed = handler.download.input.safeParse(query)
    if (!parsed.success) refuseInput(parsed.error.issues as Issue[])
    const { database, walls } = context.services
    return await drawingRoom.run(actor.agentId, async () => {
      const made = await database.read(identityOf(actor, walls, handler.download.scope), lent =>
        handler.paper(makeCtx(lent, context, actor).ctx, parsed.data as never),
      )
      const { logged, ...paper } = typeof made === 'function' ? await made() : made
      await logDownload(handler, context, actor, parsed.data, undefined, logged)
      return drawn(paper)
    })
  } catch (error) {
    throw asAnswer(error)
  }
}

/** Beside this file: its source, or what the build made of it. */
const DRAWING = new URL(`./pdf-drawing${extname(import.meta.url)}`, import.meta.url)

/** Drawn in a thread of its own. */
export async function drawn(paper: Paper): Promise<Buffer> {
  const worker = new Worker(DRAWING, { workerData: paper })
  const [bytes] = (await once(worker, 'message')) as [Uint8Array]
  return Buffer.from(bytes)
}
