// An office whose labels are the templates of the sample kind, and what tests of templates do again and again.
import type { ContractRouterClient } from '@orpc/contract'
import type { Office } from '../app.ts'
import type { MadeAgent } from '../make.ts'
import { SAMPLE_NODES, type samples, takePlaceOfLabels } from './sample-kind.ts'

export type Labels = ContractRouterClient<typeof samples, { key?: string }>

export const ALL = { all: true, industryIds: [] as number[], shopIds: [] as number[] }
export const to = (industryIds: number[], shopIds: number[] = []) => ({ all: false, industryIds, shopIds })
export const CONTENT = { width: 80_000, text: '零售价' }

export type TemplateScene = {
  office: Office
  staff: MadeAgent
  /** A partner. */
  agent: MadeAgent
  /** Of the staff. */
  cookie: string
  labels: Labels
  labelsAs(cookie: string): Labels
  /** A session of an account of this agency whose role holds these nodes of templates: all where none is named. */
  sessionWith(agentId: number, keys?: readonly string[]): Promise<Labels>
  draft(content?: typeof CONTENT): { name: string; industryIds: number[]; content: typeof CONTENT }
  newTemplate(content?: typeof CONTENT): Promise<number>
  /** Saves another text and answers the revision. */
  change(id: number, text: string): Promise<number>
  /** Publishes the draft and answers the number. */
  publish(id: number, audience?: typeof ALL, reason?: string): Promise<number>
  logged(id: number): Promise<{ title: string; subject: string; changes: unknown }[]>
}

/** Call it first: what joins the features is loaded here. */
export async function openTemplates(): Promise<TemplateScene> {
  takePlaceOfLabels()
  const { openOffice } = await import('../app.ts')
  const { makeAccount, makeAgent } = await import('../make.ts')
  const office = await openOffice()
  for (const { id, parentId, key, name, path, marker, inMenu, position } of SAMPLE_NODES)
    await office.owner.query(
      `insert into permission_nodes (id, parent_id, key, name, path, marker, in_menu, position)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [id, parentId, key, name, path, marker, inMenu, position],
    )
  const staff = await makeAgent(office, { operator: true })
  const agent = await makeAgent(office)
  const cookie = await office.login(staff.loginName)
  const labelsAs = (as: string) => (office.as(as) as unknown as { labels: Labels }).labels
  const labels = labelsAs(cookie)
  let made = 0
  const draft = (content = CONTENT) => ({ name: `价签${++made}`, industryIds: [], content })
  return {
    ...{ office, staff, agent, cookie, labels, labelsAs, draft },
    async sessionWith(agentId, keys = SAMPLE_NODES.map(({ key }) => key)) {
      const { rows } = await office.owner.query<{ id: number }>(
        'select id from permission_nodes where key = any ($1)',
        [keys],
      )
      const account = await makeAccount(office, agentId, { nodeIds: rows.map(({ id }) => id) })
      return labelsAs(await office.login(account.loginName))
    },
    newTemplate: async content => (await labels.save(draft(content))).id,
    async change(id, text) {
      const { revision, name } = await labels.details({ id })
      return (await labels.save({ id, revision, name, content: { ...CONTENT, text } })).revision
    },
    async publish(id, audience = ALL, reason = '') {
      const { revision } = await labels.details({ id })
      return (await labels.publish({ id, revision, audience, reason })).number
    },
    async logged(id) {
      const { rows } = await office.owner.query(
        'select title, subject, changes from operation_logs where subject like $1 order by id desc',
        [`%(${id})`],
      )
      return rows
    },
  }
}
