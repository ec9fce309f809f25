// Files that are written as they are sent: Excel and PDF, and those that lie ready.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { formatDay } from '#kit/time.ts'
import { seenIn } from '#kit/words/cleaned.ts'
import type { CallContext, Services } from '#server/ctx.ts'
import { type DownloadHandler, openDownload } from '#server/documents/export.ts'
import { openPdf, type PdfHandler } from '#server/documents/pdf.ts'
import { XLSX_TYPE } from '#server/documents/xlsx.ts'
import { openReadyFile, type ReadyFileHandler } from '../ready-file.ts'
import { addressOf, withKeyRow } from './api-keys.ts'
import { callRequest } from './call-request.ts'
import { type AskedPart, type Asking, askingOf, inParts, type Whole } from './parts.ts'

export type AnyDownload = DownloadHandler | PdfHandler | ReadyFileHandler

export function addDownload(app: FastifyInstance, services: Services, handler: AnyDownload): void {
  app.get(`/api${handler.download.path.replace(/\{(\w+)\}/g, ':$1')}`, async (request, reply) => {
    const context = { services, request: callRequest(request, reply, services) }
    const query = seenIn({ ...(request.query as object), ...(request.params as object) })
    const { path: operation, log: title } = handler.download
    const called = { operation, title, reads: true, address: addressOf(request) }
    const opened = await withKeyRow(context, called, () =>
      openFile(handler, context, query, askingOf(request)),
    )
    const { name, type, bytes, byteSize, whole, asked = null } = opened
    if (byteSize !== undefined) reply.header('content-length', byteSize)
    const ending = name.slice(name.lastIndexOf('.'))
    reply
      .header('cache-control', 'no-store')
      .header(
        'content-disposition',
        `attachment; filename="export${ending}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      )
      .type(type)
    return reply.send(
      whole && bytes instanceof Readable ? inParts(request, reply, whole, { asked, bytes }) : bytes,
    )
  })
}

type OpenedFile = {
  name: string
  type: string
  bytes: Readable | Buffer
  byteSize?: number
  whole?: Whole
  asked?: AskedPart
}

/** A file that lies ready has its own name; others are called after the download and the day, or a field of the query. */
async function openFile(
  handler: AnyDownload,
  context: CallContext,
  query: object,
  asking: Asking,
): Promise<OpenedFile> {
  if ('find' in handler) return openReadyFile(handler, context, query, asking)
  const { fileName, calledAfter } = handler.download
  const asked = calledAfter === undefined ? undefined : (query as Record<string, unknown>)[calledAfter]
  const name = `${fileName}-${typeof asked === 'string' ? asked : formatDay(context.services.clock.now())}`
  if ('paper' in handler)
    return {
      name: `${name}.pdf`,
      type: 'application/pdf',
      bytes: await openPdf(handler, context, query),
    }
  return { name: `${name}.xlsx`, type: XLSX_TYPE, bytes: await openDownload(handler, context, query) }
}
