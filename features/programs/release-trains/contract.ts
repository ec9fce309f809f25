import { PROGRAM_TYPE_KEYS } from '#features/programs/program-applications/rules.ts'
import { TEMPLATE_TAGS } from '#features/programs/program-versions/rules.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { TRAIN_FIELDS, TRAIN_SHOP_FIELDS, TRAIN_SHOPS, TRAINS } from './fields.ts'
import { BAR_KEYS, TRAIN_REFUSALS, TRAIN_SHOP_STATE_KEYS, TRAIN_STATE_KEYS } from './rules.ts'

const id = whole(1)
const list = 'releaseTrains.list'
const run = 'releaseTrains.run'
/** What is released moves the versions and the flow of mini programs. */
const stale = ['releaseTrains', 'programVersions', 'programFlow']
const errors = errorsOf(TRAIN_REFUSALS)
const Done = z.object({ id: z.number(), state: z.enum(TRAIN_STATE_KEYS) })

/** A template of the platform, as it was shown. */
const template = {
  templateId: whole(0),
  version: madeText.min(1).max(64),
  tag: z.enum(TEMPLATE_TAGS),
}
/** By what mini programs are chosen; absent: all. */
const range = {
  programType: z.enum(PROGRAM_TYPE_KEYS).optional(),
  agentId: whole(0).optional(),
  liveVersion: lineText.max(64).optional(),
  state: z.enum(['code', 'released']).optional(),
}
const Row = z.object({ id: z.number(), ...outputShape(TRAIN_FIELDS, 'row') })
const ShopRow = z.object({
  id: z.number(),
  applicationId: z.number(),
  ...outputShape(TRAIN_SHOP_FIELDS, 'row'),
  agentName: z.string(),
})
const Counts = z.partialRecord(z.enum(TRAIN_SHOP_STATE_KEYS), z.number())
const samples = z.array(z.object({ applicationId: z.number(), shopName: z.string() }))

export const releaseTrains = {
  list: op(
    { permission: list },
    { method: 'GET', path: '/release-trains', summary: 'Releases of a version to many mini programs' },
  )
    .input(z.object(listInput(TRAINS)))
    .output(pageOf(Row)),
  details: op(
    { permission: list },
    { method: 'GET', path: '/release-trains/{id}', summary: 'One of them: its waves and its refusals' },
  )
    .input(z.object({ id }))
    .output(
      Row.extend({
        feedback: z.string(),
        templateId: z.number(),
        waveFigures: z.array(z.object({ wave: z.number(), counts: Counts })),
        /** The same refusal of several, the most frequent first. */
        groups: z.array(
          z.object({
            reasonKey: z.string(),
            /** As one of them was told it. */
            reason: z.string(),
            shops: z.number(),
            samples,
          }),
        ),
        /** Audits of the month, as the platform said last; null: it was never asked. */
        audits: z.object({ left: z.number(), limit: z.number(), readAt: z.string() }).nullable(),
      }),
    ),
  shops: op(
    { permission: list },
    { method: 'GET', path: '/release-trains/{id}/shops', summary: 'The mini programs of a release' },
  )
    .input(z.object({ ...listInput(TRAIN_SHOPS), id, wave: whole(1).optional() }))
    .output(pageOf(ShopRow)),
  /** Asked of the platform: all that bear a tag, the newest first. */
  templates: op(
    { permission: run, detached: true },
    { method: 'GET', path: '/release-trains-templates', summary: 'Templates that can be released' },
  )
    .errors(errors)
    .output(
      z.object({
        templates: z.array(
          z.object({
            templateId: z.number(),
            version: z.string(),
            tag: z.enum(TEMPLATE_TAGS),
            createdAt: z.string(),
          }),
        ),
      }),
    ),
  /** Nothing is sent. */
  rehearse: op(
    { permission: run, forKeys: false },
    {
      method: 'GET',
      path: '/release-trains-rehearsal',
      summary: 'Which mini programs a release would reach, and why others cannot go along',
    },
  )
    .input(z.object({ ...template, ...range }))
    .output(
      z.object({
        chosen: z.number(),
        able: z.number(),
        bars: z.array(z.object({ bar: z.enum(BAR_KEYS), shops: z.number(), samples })),
      }),
    ),
  /** `able`: how many would go along as it was shown; refused where it is another number now. */
  start: op(
    { permission: run, log: '开始小程序分批发布', idempotent: true, stale },
    { method: 'POST', path: '/release-trains', summary: 'Release a version to mini programs, wave by wave' },
  )
    .errors(errors)
    .input(
      z.object({
        ...{ ...template, ...range },
        name: lineText.max(200),
        waveSize: whole(0).nullable(),
        haltPercent: whole(0).nullable(),
        haltFrom: whole(0).nullable(),
        feedback: linesText.max(500),
        able: whole(0),
      }),
    )
    .output(Done),
  /** Nothing more is asked for; what is asked for already goes on. */
  pause: op(
    { permission: run, log: '暂停小程序分批发布', stale },
    { method: 'POST', path: '/release-trains/{id}/pause', summary: 'Ask for nothing more for now' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  resume: op(
    { permission: run, log: '继续小程序分批发布', stale },
    { method: 'POST', path: '/release-trains/{id}/resumption', summary: 'Go on' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  /** What was handed in stays at the platform, with whoever looks after the mini program. */
  stop: op(
    { permission: run, log: '结束小程序分批发布', stale },
    { method: 'POST', path: '/release-trains/{id}/end', summary: 'End it; what was released stays so' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  rollBackWave: op(
    { permission: run, log: '撤回小程序分批发布的一批', stale },
    {
      method: 'POST',
      path: '/release-trains/{id}/waves/{wave}/roll-back',
      summary: 'Roll back what one wave has released; a release that is running is paused',
    },
  )
    .errors(errors)
    .input(z.object({ id, wave: whole(1) }))
    .output(Done.extend({ shops: z.number() })),
  /** All refused ones of a group, with another template or other words for the reviewers. */
  correct: op(
    { permission: run, log: '重新提交未通过的小程序', stale },
    {
      method: 'POST',
      path: '/release-trains/{id}/correction',
      summary: 'Correct what was refused alike, and hand all of it in again',
    },
  )
    .errors(errors)
    .input(
      z.object({
        ...{ id, reasonKey: madeText.max(200) },
        templateId: whole(0),
        version: template.version,
        feedback: linesText.max(500),
      }),
    )
    .output(Done.extend({ shops: z.number() })),
  /** `id`: of the application. Null: it is in none. */
  ofProgram: op(
    { permission: 'programFlow.list' },
    {
      method: 'GET',
      path: '/release-trains-programs/{id}',
      summary: 'The newest release that a mini program goes along with',
    },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        train: z
          .object({
            trainId: z.number(),
            version: z.string(),
            wave: z.number(),
            state: z.enum(TRAIN_SHOP_STATE_KEYS),
            reason: z.string(),
            changedAt: z.string(),
          })
          .nullable(),
      }),
    ),
}
