import * as z from '#kit/declare/z.ts'
import { DOCUMENT_KIND_KEYS } from './rules.ts'

/** What a document says of itself under one name, in people's words. */
export const Fact = z.object({ label: z.string(), text: z.string() })

export const DetailTable = z.object({
  title: z.string(),
  heads: z.array(z.object({ label: z.string(), isNumber: z.boolean() })),
  rows: z.array(
    z.object({
      cells: z.array(z.string()),
      /** The order or the shop that the row is about; the first cell opens it. */
      orderNo: z.string().nullable(),
      merchantId: z.number().nullable(),
    }),
  ),
})

/** A document that money moved by, whichever feature's it is, as its drawer, page and paper show it. */
export const DocumentDetails = z.object({
  kind: z.enum(DOCUMENT_KIND_KEYS),
  orderNo: z.string(),
  agentId: z.number(),
  merchantId: z.number().nullable(),
  /** What was bought, in one line. */
  title: z.string(),
  state: z.object({ text: z.string(), tone: z.enum(['neutral', 'done', 'attention', 'problem']) }),
  bought: z.array(Fact),
  amounts: z.array(Fact),
  /** By whom, when, and how far it came. */
  made: z.array(Fact),
  tables: z.array(DetailTable),
  remark: z.string(),
  batchNo: z.string().nullable(),
  /** Who took it back, when and why. */
  undone: z.object({ at: z.string(), byName: z.string(), reason: z.string() }).nullable(),
  /** As what it can be undone, while it stands. */
  undoKind: z.enum(['version', 'batch', 'service', 'sms']).nullable(),
})
