import { op } from '#kit/declare/op.ts'
import * as z from '#kit/declare/z.ts'

export const regions = {
  /** Of the divisions, what differs from the table that comes with the page. */
  changes: op(
    { permission: 'public', forKeys: false },
    { method: 'GET', path: '/regions', summary: 'What was imported of the administrative divisions' },
  ).output(
    z.object({
      source: z.string(),
      changes: z.array(z.object({ code: z.string(), name: z.string(), retiredAt: z.string().nullable() })),
    }),
  ),
}
