// Has the demo's data made, by a program that ends: what that takes of memory would stay with whoever serves afterwards.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { childProgram, DEMO_CHILD } from '#server/children.ts'
import type { Env } from '#server/env.ts'

export const DEMO_ACCOUNTS = [
  ['10001', '运营商（代理商 1）'],
  ['10090', '厂商员工（代理商 90）'],
  ['20001', '代理商，120 家商户'],
  ['2000101', '20001 的子账号，无新增和查看商户权限'],
  ['2000102', '20001 的客户经理，只看本人负责的商户'],
  ['20002', '另一家代理商'],
  ['20003', '20001 的下级代理商，8 家商户'],
] as const

/** Not on a command line, which everyone sees. */
export type DemoOrder = { env: Env; ownerUrl: string; secretKey: string }

/** Answers whether there was none and now there is. The database is migrated. */
export async function haveDemoMade(order: DemoOrder): Promise<boolean> {
  if (await hasAgents(order.ownerUrl)) return false
  const { file, args } = childProgram(DEMO_CHILD)
  const child = fork(file, args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let isMade: unknown
  child.once('message', made => {
    isMade = made
  })
  child.send(order)
  await once(child, 'exit')
  if (typeof isMade !== 'boolean') throw new Error('The demo data could not be made; see above.')
  return isMade
}

async function hasAgents(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ some: boolean }>('select exists (select 1 from agents) as some')
    return rows[0]?.some === true
  } finally {
    await client.end()
  }
}
