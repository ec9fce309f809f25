// The operations of the templates of one kind. Each kind spreads them into its own contract: `{ ...templateOps('label', Label) }`.

import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText, soughtText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { TEMPLATE_FIELDS, templateList } from './fields.ts'
import {
  TEMPLATE_EVENTS,
  TEMPLATE_FEATURES,
  TEMPLATE_KINDS,
  TEMPLATE_LIMITS,
  TEMPLATE_REFUSALS,
  type TemplateEventKind,
  type TemplateKind,
} from './rules.ts'

const id = whole(1)
const revision = whole(1)
const number = whole(1)
const ofTemplate = z.object({ id })
const done = z.object({ id: z.number(), revision: z.number() })
const errors = errorsOf(TEMPLATE_REFUSALS)
/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(500)
const industryIds = z.array(whole(1)).max(TEMPLATE_LIMITS.industries).default([])

const AudienceInput = z.object({
  all: z.boolean(),
  industryIds,
  shopIds: z.array(whole(1)).max(TEMPLATE_LIMITS.shops).default([]),
})
const Named = z.object({ id: z.number(), name: z.string() })
const AudienceTold = z.object({ all: z.boolean(), industries: z.array(Named), shops: z.array(Named) })

/** A content leaves as it was checked when it came: old ones too, which the schema of today may not know. */
function told<C extends z.ZodType>(_content: C) {
  return z.unknown() as unknown as z.ZodType<z.output<C>, z.output<C>>
}

const sizeOf = (content: unknown) => new TextEncoder().encode(JSON.stringify(content)).length

export function templateOps<C extends z.ZodType>(kind: TemplateKind, contentSchema: C) {
  const feature = TEMPLATE_FEATURES[kind]
  const noun = TEMPLATE_KINDS[kind]
  const at = (rest: string) => `/${kind}-templates${rest}` as `/${string}`
  const read = `${feature}.list`
  const edits = { permission: `${feature}.edit`, stale: [feature] }
  const publishes = { permission: `${feature}.publish`, stale: [feature] }
  const content = contentSchema.refine(
    value => sizeOf(value) <= TEMPLATE_LIMITS.content,
    TEMPLATE_REFUSALS.CONTENT_TOO_LARGE,
  ) as C
  const toldContent = told(contentSchema)
  const Row = z.object({
    ...outputShape(TEMPLATE_FIELDS, 'row'),
    industryIds: z.array(z.number()),
    revision: z.number(),
    /** The draft. */
    content: toldContent,
  })
  return {
    list: op(
      { permission: read },
      { method: 'GET', path: at(''), summary: `System ${kind} templates with their drafts` },
    )
      .input(z.object(listInput(templateList(read, noun, ''))))
      .output(pageOf(Row)),
    /** Of one that is deleted too. */
    details: op(
      { permission: read },
      { method: 'GET', path: at('/{id}'), summary: `One ${kind} template with its draft` },
    )
      .input(ofTemplate)
      .output(
        Row.extend({
          deletedAt: z.string().nullable(),
          /** Versions that are served, the newest first, with whom each is meant for. */
          served: z.array(z.object({ number: z.number(), publishedAt: z.string(), audience: AudienceTold })),
        }),
      ),
    /** Industries that templates can be drawn for, and retired ones by name. */
    industries: op(
      { permission: read },
      { method: 'GET', path: at('-industries'), summary: 'Industries by name' },
    ).output(z.object({ rows: z.array(Named.extend({ offered: z.boolean() })) })),
    /** Without an id a new one. The revision is the one that was read: another's save since then is not overwritten. */
    save: op(
      { ...edits, log: `保存${noun}`, idempotent: true, bodyMost: TEMPLATE_LIMITS.content + 64 * 1_024 },
      { method: 'POST', path: at(''), summary: `Save a ${kind} template's draft, or make a new one` },
    )
      .errors(errors)
      .input(
        z.object({
          id: id.nullable().default(null),
          revision: revision.nullable().default(null),
          name: lineText.max(500),
          industryIds,
          content,
        }),
      )
      .output(done),
    copy: op(
      { ...edits, log: `复制${noun}`, idempotent: true },
      { method: 'POST', path: at('/{id}/copy'), summary: `A custom copy of a ${kind} template` },
    )
      .errors(errors)
      .input(ofTemplate)
      .output(done),
    /** `endsUse`: shops that use it are known to lose it. */
    remove: op(
      { ...edits, log: `删除${noun}` },
      { method: 'DELETE', path: at('/{id}'), summary: `Delete a ${kind} template` },
    )
      .errors(errors)
      .input(z.object({ id, endsUse: z.boolean().default(false) }))
      .output(done),
    /** What was published of it stays withdrawn. */
    undelete: op(
      { ...edits, log: `恢复${noun}` },
      { method: 'POST', path: at('/{id}/undelete'), summary: `Bring back a deleted ${kind} template` },
    )
      .errors(errors)
      .input(ofTemplate)
      .output(done),
    /** What is wrong with the draft, in words. */
    check: op(
      { permission: read },
      { method: 'GET', path: at('/{id}/faults'), summary: `What is wrong with a ${kind} template's draft` },
    )
      .input(ofTemplate)
      .output(z.object({ revision: z.number(), faults: z.array(z.string()), isEmpty: z.boolean() })),
    publish: op(
      { ...publishes, log: `发布${noun}`, idempotent: true },
      { method: 'POST', path: at('/{id}/versions'), summary: `Publish a ${kind} template's draft` },
    )
      .errors(errors)
      .input(z.object({ id, revision, audience: AudienceInput, reason: text.default('') }))
      .output(z.object({ id: z.number(), number: z.number() })),
    widen: op(
      { ...publishes, log: `扩大${noun}发布范围` },
      {
        method: 'PUT',
        path: at('/{id}/versions/{number}/audience'),
        summary: `Publish a version of a ${kind} template to more shops`,
      },
    )
      .errors(errors)
      .input(z.object({ id, number, audience: AudienceInput }))
      .output(z.object({ id: z.number(), number: z.number() })),
    /** Whom it was meant for gets the version before, where there is one. Without a number all versions. */
    withdraw: op(
      { ...publishes, log: `撤回${noun}` },
      {
        method: 'POST',
        path: at('/{id}/withdrawal'),
        summary: `Withdraw a version of a ${kind} template, or all`,
      },
    )
      .errors(errors)
      .input(z.object({ id, number: number.nullable(), reason: text.default('') }))
      .output(z.object({ id: z.number(), publishedVersion: z.number().nullable() })),
    history: op(
      { permission: read },
      {
        method: 'GET',
        path: at('/{id}/history'),
        summary: `Versions of a ${kind} template, and what happened to it`,
      },
    )
      .input(ofTemplate)
      .output(
        z.object({
          versions: z.array(
            z.object({
              number: z.number(),
              name: z.string(),
              content: toldContent,
              audience: AudienceTold,
              faults: z.array(z.string()),
              reason: z.string(),
              publishedByName: z.string(),
              publishedAt: z.string(),
              withdrawnAt: z.string().nullable(),
              supersededBy: z.number().nullable(),
            }),
          ),
          events: z.array(
            z.object({
              id: z.number(),
              kind: z.enum(Object.keys(TEMPLATE_EVENTS) as [TemplateEventKind, ...TemplateEventKind[]]),
              number: z.number().nullable(),
              audience: z.string(),
              reason: z.string(),
              byName: z.string(),
              at: z.string(),
            }),
          ),
        }),
      ),
    /** The content of a version becomes the draft. */
    restoreVersion: op(
      { ...edits, log: `恢复${noun}历史版本` },
      {
        method: 'POST',
        path: at('/{id}/versions/{number}/restore'),
        summary: `Make a version of a ${kind} template its draft`,
      },
    )
      .errors(errors)
      .input(z.object({ id, number, revision }))
      .output(done),
    /** Shops that it is served to now, by number, a part at a time. */
    usage: op(
      { permission: read },
      { method: 'GET', path: at('/{id}/shops'), summary: `Shops that a ${kind} template is served to` },
    )
      .input(z.object({ id, after: whole(0).default(0) }))
      .output(
        z.object({
          total: z.number(),
          totalCapped: z.boolean(),
          rows: z.array(
            Named.extend({
              agentName: z.string(),
              industryName: z.string(),
              number: z.number(),
            }),
          ),
          more: z.boolean(),
        }),
      ),
    /** Shops that a version can be meant for. */
    shops: op(
      { permission: `${feature}.publish` },
      { method: 'GET', path: at('-shops'), summary: 'Shops by number, name or account' },
    )
      .input(z.object({ search: soughtText.max(100).default('') }))
      .output(z.object({ rows: z.array(Named.extend({ agentName: z.string() })) })),
  }
}

/** The operations of any kind. */
export type TemplateOps<C = unknown> = ReturnType<typeof templateOps<z.ZodType<C, C>>>
