import {
  LIMITS as FORM_LIMITS,
  FORM_REFUSALS,
  NAME_STANDINGS,
  type NameStanding,
} from '#features/programs/program-applications/rules.ts'
import { CategoryList } from '#features/programs/program-categories/contract.ts'
import { FLOW_REFUSALS } from '#features/programs/program-flow/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { meantShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { INTRO, NAME } from './fields.ts'
import { CHANGE_STATE_KEYS, PART_KEYS, PROFILE_REFUSALS } from './rules.ts'

const id = whole(1)
const Change = z.object({
  id: z.number(),
  part: z.enum(PART_KEYS),
  value: z.string(),
  /** Of a picture. */
  documentId: z.number().nullable(),
  /** A category that is taken away. */
  isRemoval: z.boolean(),
  state: z.enum(CHANGE_STATE_KEYS),
  reason: z.string(),
  isCurrent: z.boolean(),
  submittedByName: z.string(),
  submittedAt: z.string(),
  endedAt: z.string().nullable(),
})
const Part = z.object({
  part: z.enum(PART_KEYS),
  /** What stands at the platform, in words; empty: nothing, or nobody has read it. */
  value: z.string(),
  /** The newest that was handed in; of a category the one that needs attention most. */
  change: Change.nullable(),
  /** Changes that are left, and of how many; null: nobody has read it. */
  left: z.number().nullable(),
  quota: z.number().nullable(),
  /** Why it cannot be changed now; null: it can. */
  refusal: z.string().nullable(),
})
const Profile = z.object({
  id: z.number(),
  merchantId: z.number(),
  /** Whether its data are spoken of at all yet. */
  hasProfile: z.boolean(),
  isAuthorized: z.boolean(),
  isAsking: z.boolean(),
  message: z.string(),
  readAt: z.string().nullable(),
  parts: z.array(Part),
  categories: z.array(
    z.object({
      first: z.number(),
      second: z.number(),
      name: z.string(),
      state: z.enum(['reviewing', 'refused', 'passed']),
      reason: z.string(),
      /** Why it cannot be taken away; null: it can. */
      removalRefusal: z.string().nullable(),
    }),
  ),
  mostCategories: z.number().nullable(),
  /** What a form begins with: what was refused last, else the application's own. */
  proposed: z.object({
    programName: z.string(),
    intro: z.string(),
    headImageId: z.number().nullable(),
    categoryId: z.number().nullable(),
    alternative: z.number(),
    certificates: z.array(z.object({ name: z.string(), documentId: z.number() })),
  }),
  /** The newest first, at most 50. */
  history: z.array(Change),
})

const permission = 'programFlow.edit'
const stale = ['programProfile', 'programFlow', 'programApplications', 'documents', 'inbox']
const errors = errorsOf({
  ...FORM_REFUSALS,
  DELETED_ALREADY: FLOW_REFUSALS.DELETED_ALREADY,
  ...PROFILE_REFUSALS,
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
})
const Done = z.object({ isAsking: z.boolean() })
const certificates = z
  .array(z.object({ name: lineText.min(1).max(200), documentId: id }))
  .max(FORM_LIMITS.certificates)
  .default([])

/** `id` is the application's everywhere. What is handed in is asked of the platform behind the answer. */
export const programProfile = {
  details: op(
    { permission: 'programFlow.list' },
    { method: 'GET', path: '/program-profile/{id}', summary: 'What a mini program shows of itself' },
  )
    .input(z.object({ id }))
    .output(Profile),
  /** Those that one may choose. */
  categories: op(
    { permission },
    { method: 'GET', path: '/program-profile/categories', summary: 'Categories to choose from' },
  ).output(CategoryList),
  /** What the platform says of a name, asked through the mini program itself; never a refusal: who types goes on. */
  checkName: op(
    { permission, detached: true },
    {
      method: 'GET',
      path: '/program-profile/{id}/name',
      summary: 'Whether this mini program may have a name',
    },
  )
    .errors(errors)
    .input(z.object({ id, name: lineText.min(1).max(100) }))
    .output(
      z.object({
        standing: z.enum(Object.keys(NAME_STANDINGS) as [NameStanding, ...NameStanding[]]),
        words: z.string(),
      }),
    ),
  look: op(
    { permission, ephemeral: true, stale: ['programProfile', 'programFlow'] },
    {
      method: 'POST',
      path: '/program-profile/{id}/look',
      summary: 'Read what a mini program shows of itself',
    },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  /** `papers`: pictures that prove a right to the name; the licence goes along by itself. */
  setName: op(
    { permission, log: '提交小程序名称', stale },
    { method: 'PUT', path: '/program-profile/{id}/name', summary: 'Hand in the name of a mini program' },
  )
    .errors(errors)
    .input(z.object({ id, ...meantShape(NAME), papers: z.array(id).max(10).default([]) }))
    .output(Done),
  setHeadImage: op(
    { permission, log: '提交小程序头像', stale },
    {
      method: 'PUT',
      path: '/program-profile/{id}/picture',
      summary: 'Hand in the picture of a mini program',
    },
  )
    .errors(errors)
    .input(z.object({ id, documentId: id }))
    .output(Done),
  setIntro: op(
    { permission, log: '提交小程序简介', stale },
    { method: 'PUT', path: '/program-profile/{id}/intro', summary: 'Hand in the intro of a mini program' },
  )
    .errors(errors)
    .input(z.object({ id, ...meantShape(INTRO) }))
    .output(Done),
  /** One that was refused is handed in anew with its papers; any other is added. */
  setCategory: op(
    { permission, log: '提交小程序类目', stale },
    {
      method: 'PUT',
      path: '/program-profile/{id}/category',
      summary: 'Hand in a category of a mini program',
    },
  )
    .errors(errors)
    .input(
      z.object({
        id,
        categoryId: whole(1, 2_147_483_647).nullable().default(null),
        alternative: whole(0, 50).default(0),
        certificates,
      }),
    )
    .output(Done),
  /** `second`: the platform's number of its second level. */
  removeCategory: op(
    { permission, log: '删除小程序类目', stale },
    {
      method: 'DELETE',
      path: '/program-profile/{id}/categories/{second}',
      summary: 'Take a category of a mini program away',
    },
  )
    .errors(errors)
    .input(z.object({ id, second: whole(1, 2_147_483_647) }))
    .output(Done),
}
