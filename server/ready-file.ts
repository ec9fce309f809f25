// Files that were made before they are asked for: same session, permission and log as an operation.
import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Download } from '#kit/declare/op.ts'
import { type FileLogged, logDownload, refuseStolen } from '#server/documents/export.ts'
import { type AskedPart, type Asking, askedPart, type Whole, wantsNone } from './callers/parts.ts'
import { type CallContext, type Ctx, identityOf } from './ctx.ts'
import { type Issue, refuseInput } from './refuse.ts'
import { admitDownload, asAnswer, makeCtx } from './serve.ts'
import type { Part } from './storage/storage.ts'

/**
 * What the file is called, with its ending, and how many rows it holds. Its bytes are opened when nothing of the database is held any
 * more: they may come from elsewhere. `open` refuses where they are gone.
 */
export type ReadyFile = {
  name: string
  type: string
  rows: number
  /** What the log's row is about, where it is more than the file's name. */
  logged?: FileLogged
  /** Without a size where nobody knows it yet: it is written while it is sent. */
  open(part: Part | null): Promise<{ byteSize?: number; bytes: Readable }>
  /** Where it can be taken in parts. */
  whole?: Whole
}
export type OpenedFile = Pick<ReadyFile, 'name' | 'type' | 'whole'> & {
  byteSize?: number
  bytes: Readable
  asked?: AskedPart
}

export type ReadyFileHandler = {
  download: Download
  find(ctx: Ctx, input: never): Promise<ReadyFile>
  begins?: Begins<never> | undefined
}

/** Within the transaction of the log's row: whether who asks for the file's beginning has not begun before. Only then it is logged. */
type Begins<Input> = (ctx: Ctx, input: Input) => Promise<boolean>

/**
 * Ties a download of the contract to files that lie ready. What it does is read-only; `begins`, of one that is declared to count and
 * that can be taken in parts, may write.
 */
export function serveReadyFile<S extends z.ZodType>(
  download: Download<S>,
  find: (ctx: Ctx, input: z.infer<S>) => Promise<ReadyFile>,
  begins?: Begins<z.infer<S>>,
): ReadyFileHandler {
  if ((begins !== undefined) !== (download.counts === true))
    throw new Error(`${download.path} counts what is taken if, and only if, it is declared to`)
  return { download, find, begins }
}

/** Checks session, permission and input, finds the file and writes the log row. Throws refusals as answers. */
export async function openReadyFile(
  handler: ReadyFileHandler,
  context: CallContext,
  query: unknown,
  asking: Asking = {},
): Promise<OpenedFile> {
  try {
    const actor = await admitDownload(handler.download, context)
    const parsed = handler.download.input.safeParse(query)
    if (!parsed.success) refuseInput(parsed.error.issues as Issue[])
    const { database, walls } = context.services
    const { name, type, rows, logged, open, whole } = await database.read(identityOf(actor, walls), lent =>
      handler.find(makeCtx(lent, context, actor).ctx, parsed.data as never),
    )
    await refuseStolen(context, actor, rows)
    const asked = whole ? askedPart(asking, whole) : null
    const told = { name, type, ...(whole && { whole, asked }) }
    if (asked === 'beyond' || (whole && wantsNone(asking, whole)))
      return { ...told, bytes: Readable.from([]) }
    const opened = await open(asked)
    if (asked && asked.from > 0) return { ...told, ...opened }
    try {
      const { begins } = handler
      await logDownload(handler, context, actor, parsed.data, undefined, {
        ...logged,
        ...(begins && { begins: ctx => begins(ctx, parsed.data as never) }),
      })
    } catch (error) {
      opened.bytes.destroy()
      throw error
    }
    return { ...told, ...opened }
  } catch (error) {
    throw asAnswer(error)
  }
}
