// Makes the first operator of a database: agent 1 with the operator's flags, and the account that owns it.
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { FIRST_COMPANY } from '#features/office/agents/rules.ts'
import { agents } from '#features/office/agents/tables.ts'
import { refusePassword } from '#features/shops/merchants/rules.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { hashPassword } from '#server/secrets.ts'

export type NewOperator = { account: string; name: string; mobile: string; password: string }

const OPERATOR_ID = 1

/** What is wrong with the operator's data, in words, or null. */
export function refuseOperator({ account, name, mobile, password }: NewOperator): string | null {
  if (!/^\d{4,11}$/.test(account)) return '--account must be 4 to 11 digits, such as 10001.'
  if (name === '' || name.length > 20) return '--name must have 1 to 20 characters.'
  if (mobile !== '' && !isMainlandMobile(mobile))
    return '--mobile must be a mainland mobile number of 11 digits.'
  if (refusePassword(password) !== null)
    return 'The password must have 6 to 64 characters: letters, digits and symbols, no spaces.'
  return null
}

/** Writes agent and account into a migrated database. Throws in words where an operator exists. */
export async function createOperator(ownerUrl: string, operator: NewOperator): Promise<void> {
  const wrong = refuseOperator(operator)
  if (wrong) throw new Error(wrong)
  const passwordHash = await hashPassword(operator.password)
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c timezone=UTC -c app.scope=all' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table agents in share row exclusive mode')
    await refuseSecond(client, operator.account)
    const db = drizzle(client)
    const { account, name, mobile } = operator
    const createdAt = new Date().toISOString()
    await db.insert(agents).values(
      agentRow({
        id: OPERATOR_ID,
        companyName: FIRST_COMPANY,
        contactName: name,
        mobile,
        createdAt,
        ...OPERATOR,
      }),
    )
    await db.insert(accounts).values(
      accountRow({
        agentId: OPERATOR_ID,
        loginName: account,
        name,
        mobile,
        passwordHash,
        isOwner: true,
        createdAt,
      }),
    )
    // The generated numbers of later agents start behind the one that was given.
    await client.query(
      `select setval(pg_get_serial_sequence('agents', 'id'), greatest(100, (select max(id) from agents)))`,
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    await client.end()
  }
}

async function refuseSecond(client: pg.Client, account: string): Promise<void> {
  const { rows: operators } = await client.query<{ login: string | null }>(
    `select (select min(login_name) from accounts where agent_id = a.id and is_owner) as login
     from agents a where is_operator or id = $1`,
    [OPERATOR_ID],
  )
  if (operators.length > 0)
    throw new Error(
      `This database has an operator already (account ${operators[0]?.login ?? 'without a login'}).`,
    )
  const { rows: taken } = await client.query('select 1 from accounts where login_name = $1', [account])
  if (taken.length > 0) throw new Error(`The account ${account} is taken.`)
}
