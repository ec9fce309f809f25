import { op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import * as z from '#kit/declare/z.ts'
import { TEMPLATE_KIND_KEYS } from './rules.ts'

const id = whole(1)
const reads = { permission: 'pos.read', forKeys: 'only', unlogged: true, tagged: true } as const
const instant = z.string().describe('ISO 8601, UTC')

/** What a shop is served of a template: the version that is meant for it. */
const Served = z.object({
  id: z.number(),
  kind: z.enum(TEMPLATE_KIND_KEYS),
  version: z.number(),
  name: z.string(),
  publishedAt: instant,
})

export const printTemplatesAtPos = {
  templates: op(reads, {
    method: 'GET',
    path: '/v1/shops/{id}/print-templates',
    summary: 'Published label and receipt templates that are meant for a shop, each with its version',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ templates: z.array(Served) })),
  template: op(reads, {
    method: 'GET',
    path: '/v1/shops/{id}/print-templates/{templateId}/{version}',
    summary: 'One version of a template with its content, which never changes',
  })
    .input(z.strictObject({ id, templateId: id, version: whole(1, 2_147_483_647) }))
    .output(
      Served.extend({
        content: z.record(z.string(), z.unknown()).describe('A label or a receipt: docs/POS.md'),
      }),
    ),
}
