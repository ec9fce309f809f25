// Demo rows of the ledger: what agents were credited at the beginning. How the demo of other features posts.
import { DEMO_AGENTS } from '#features/access/demo.ts'
import type { Demo } from '#server/demo.ts'
import type { Movement } from './server.ts'

type Posted = Movement & { actorId: number; actorName?: string }

export async function nextNo({ client }: Pick<Demo, 'client'>): Promise<string> {
  const { rows } = await client.query<{ no: string }>('select next_order_no() as no')
  return (rows[0] as { no: string }).no
}

/** Answers the transfers' ids. */
export async function postDemo({ client }: Pick<Demo, 'client'>, movements: Posted[]): Promise<number[]> {
  const { rows } = await client.query<{ ids: string[] }>('select ledger_post($1::jsonb) as ids', [
    JSON.stringify(movements.map(movement => ({ actorName: '演示账号', ...movement }))),
  ])
  return (rows[0]?.ids ?? []).map(Number)
}

export async function demo(demo: Demo): Promise<void> {
  await credit(demo, 1, 100_000_000, 1_000_000)
  await credit(demo, DEMO_AGENTS.first, 20_000_000, 50_000)
  await credit(demo, DEMO_AGENTS.other, 8_000_000, 20_000)
  await credit(demo, DEMO_AGENTS.below, 3_000_000, 2_000)
}

async function credit(demo: Demo, agentId: number, tokenCents: number, sms: number): Promise<void> {
  const common = {
    kind: 'credit',
    to: { kind: 'agent', id: agentId },
    document: await nextNo(demo),
    payMethod: 'gift',
    agentId,
    actorId: 1,
    actorName: '运营中心',
    description: '运营充值',
    remark: '演示数据期初',
  } as const
  await postDemo(demo, [
    { ...common, asset: 'token', amount: tokenCents, from: { kind: 'vendor', book: 'issued' } },
    { ...common, asset: 'sms', amount: sms, from: { kind: 'vendor', book: 'sms-supplier' } },
  ])
}
