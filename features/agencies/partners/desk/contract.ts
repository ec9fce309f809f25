import { INVITATION_STATE_KEYS } from '#features/agencies/partners/rules.ts'
import { SignIn } from '#features/agencies/sign-in/contract.ts'
import { AGENT_STATUS_KEYS } from '#features/office/agents/rules.ts'
import { fileOf, listInput, rowShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { flag, pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PARTNER_ROW_FIELDS, PARTNERS } from './fields.ts'
import { DESK_REFUSALS, PAPER_KIND_KEYS } from './rules.ts'

const view = 'partnerDesk.view'
const write = 'partnerDesk.write'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(2_000)
const ById = z.object({ id: whole(1) })
const kind = z.enum(PAPER_KIND_KEYS)

const PartnerRow = z.object({
  ...rowShape(PARTNER_ROW_FIELDS),
  discountBasisPoints: z.number(),
  /** The last invitation of its owner; none: nobody was invited. */
  invitation: z.enum(INVITATION_STATE_KEYS).nullable(),
})

const Party = z.object({ id: z.number(), companyName: z.string() })

const Figures = z.object({
  shops: z.number(),
  expired: z.number(),
  /** Of those that run: their term ends within ENDING_DAYS. */
  ending: z.number(),
  disabled: z.number(),
  /** Registered in this month. */
  opened: z.number(),
  /** 销售额 of this month and the one before, 1/100 token. */
  salesCents: z.number(),
  beforeCents: z.number(),
  /** Of the last days, 1/100 token; and for how many days the balance lasts by them. */
  spentCents: z.number(),
  daysLeft: z.number().nullable(),
  boughtOn: z.string().nullable(),
  children: z.number(),
  people: z.number(),
})

const Person = z.object({
  id: z.number(),
  name: z.string(),
  loginName: z.string(),
  mobile: z.string(),
  isOwner: z.boolean(),
  roleName: z.string().nullable(),
  enabled: z.boolean(),
  hasFactor: z.boolean(),
  /** Where it is signed in now. */
  devices: z.number(),
  lastLoginAt: z.string().nullable(),
})

const Note = z.object({
  id: z.number(),
  text: z.string(),
  createdByName: z.string(),
  createdAt: z.string(),
})

const Paper = z.object({
  id: z.number(),
  kind,
  name: z.string(),
  isPdf: z.boolean(),
  byteSize: z.number(),
  createdByName: z.string(),
  createdAt: z.string(),
})

const Branch = Party.extend({
  levelName: z.string(),
  status: z.enum(AGENT_STATUS_KEYS),
  children: z.number(),
  shops: z.number(),
})

export const partnerDesk = {
  list: op(
    { permission: 'agentDesk.list', mayLag: true },
    { method: 'GET', path: '/agents', summary: 'Agents with level and balances' },
  )
    .input(z.object(listInput(PARTNERS)))
    .output(pageOf(PartnerRow)),
  /** For the filter of the list. */
  levels: op(
    { permission: 'agentDesk.list', forKeys: false },
    { method: 'GET', path: '/agents/levels', summary: 'Levels of agents' },
  ).output(z.object({ rows: z.array(z.object({ id: z.number(), name: z.string() })) })),
  /** One partner with what is counted of it. */
  details: op(
    { permission: view, forKeys: false },
    { method: 'GET', path: '/agents/{id}/details', summary: 'One agent with its figures' },
  )
    .input(ById)
    .output(
      PartnerRow.extend({
        parent: Party.nullable(),
        contractFrom: z.string().nullable(),
        suspendedFor: z.string(),
        suspendedAt: z.string().nullable(),
        telephone: z.string(),
        address: z.string(),
        isVendor: z.boolean(),
        figures: Figures,
      }),
    ),
  /** In the order in which they came; `after` is the last one that is known. */
  people: op(
    { permission: view, forKeys: false },
    { method: 'GET', path: '/agents/{id}/people', summary: 'The people of an agent' },
  )
    .input(z.object({ id: whole(1), after: whole(1).optional() }))
    .output(z.object({ rows: z.array(Person), more: z.boolean() })),
  signIns: op(
    { permission: view, forKeys: false },
    {
      method: 'GET',
      path: '/agents/{id}/sign-ins',
      summary: 'Sign-ins of the people of an agent, the latest first',
    },
  )
    .input(z.object({ id: whole(1), before: whole(1).optional() }))
    .output(
      z.object({
        rows: z.array(SignIn.extend({ name: z.string(), loginName: z.string() })),
        more: z.boolean(),
      }),
    ),
  notes: op(
    { permission: view, forKeys: false },
    {
      method: 'GET',
      path: '/agents/{id}/notes',
      summary: 'What staff wrote about an agent, the latest first',
    },
  )
    .input(z.object({ id: whole(1), before: whole(1).optional() }))
    .output(z.object({ rows: z.array(Note), more: z.boolean() })),
  writeNote: op(
    { permission: write, log: '记录合作伙伴备注', stale: ['partnerDesk.notes'], forKeys: false },
    { method: 'POST', path: '/agents/{id}/notes', summary: 'Write something down about an agent' },
  )
    .errors(errorsOf(DESK_REFUSALS))
    .input(z.object({ id: whole(1), text }))
    .output(z.object({ id: z.number() })),
  papers: op(
    { permission: view, forKeys: false },
    { method: 'GET', path: '/agents/{id}/papers', summary: 'Contracts and licences of an agent' },
  )
    .input(ById)
    .output(z.object({ rows: z.array(Paper) })),
  /** Takes an upload for the purpose of papers into use. */
  addPaper: op(
    { permission: write, log: '上传合作伙伴资料', stale: ['partnerDesk.papers'], forKeys: false },
    { method: 'POST', path: '/agents/{id}/papers', summary: 'Keep a contract or licence of an agent' },
  )
    .errors(errorsOf(DESK_REFUSALS))
    .input(z.object({ id: whole(1), kind, name: lineText.max(2_000), fileId: z.uuid().nullable() }))
    .output(z.object({ id: z.number() })),
  removePaper: op(
    { permission: write, log: '移除合作伙伴资料', stale: ['partnerDesk.papers'], forKeys: false },
    { method: 'DELETE', path: '/agents/{id}/papers/{paperId}', summary: 'Remove a paper of an agent' },
  )
    .input(z.object({ id: whole(1), paperId: whole(1) }))
    .output(z.object({ removed: z.literal(true) })),
  /** Those right under one, or under the vendor. `below`: only who has others below. */
  tree: op(
    { permission: view, forKeys: false },
    { method: 'GET', path: '/agents/tree', summary: 'Agents under an agent, with what is below them' },
  )
    .input(z.object({ parentId: whole(1).optional(), after: whole(1).optional(), below: flag().optional() }))
    .output(z.object({ rows: z.array(Branch), more: z.boolean() })),
}

export const partnerDeskDownloads = {
  list: fileOf(PARTNERS),
  paper: download({
    permission: view,
    log: '下载合作伙伴资料',
    path: '/agents/{id}/papers/{paperId}/file',
    fileName: '合作伙伴资料',
    input: z.object({ id: whole(1), paperId: whole(1) }),
    told: ({ id, paperId }) => [
      ['代理商', String(id)],
      ['资料编号', String(paperId)],
    ],
  }),
}
