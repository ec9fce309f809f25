// Everything that lies encrypted, column by column, and its encryption with another key. Owns which columns those are; a house test
// asks for every column of bytes. Must never print what it reads.

import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { acquirerOnboardings } from '#features/acquiring/acquirer-onboardings/tables.ts'
import { onboardingPeople, onboardings } from '#features/acquiring/onboardings/tables.ts'
import { ownerPaperParts, ownerPapers } from '#features/acquiring/owner-papers/tables.ts'
import { accountChanges } from '#features/acquiring/settlement-accounts/tables.ts'
import { compatAccesses } from '#features/agencies/compat-access/tables.ts'
import { partnerInvitations } from '#features/agencies/partners/tables.ts'
import { webhookEndpoints } from '#features/agencies/webhooks/tables.ts'
import { shopImportRows } from '#features/care/shop-import/tables.ts'
import { paymentSettingValues, paymentSignKeys } from '#features/money/payment-settings/tables.ts'
import { factorChallenges, factorTotps } from '#features/office/factors/tables.ts'
import { agencyExports } from '#features/overview/agency-exports/tables.ts'
import { operationLogArchives } from '#features/overview/operation-log/tables.ts'
import { personErasures } from '#features/overview/person-erasures/tables.ts'
import { platformCredentials, platformEvents } from '#features/programs/platform/tables.ts'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { programFlows } from '#features/programs/program-flow/tables.ts'
import { programAudits, programTesters } from '#features/programs/program-versions/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Secrets } from '#server/secrets.ts'
import { files } from '#server/tables.ts'

type Sealed = { table: PgTable; column: string; keys: readonly string[] }

function sealed<T extends PgTable>(table: T, column: keyof T['_']['columns'] & string): Sealed {
  const { columns, primaryKeys } = getTableConfig(table)
  const single = columns.filter(({ primary }) => primary)
  const keys = single.length > 0 ? single : (primaryKeys[0]?.columns ?? [])
  const name = getTableColumns(table)[column]?.name ?? column
  return { table, column: name, keys: keys.map(key => key.name) }
}

export const SEALED: readonly Sealed[] = [
  sealed(accountChanges, 'accountNumber'),
  sealed(acquirerOnboardings, 'accountNumber'),
  sealed(agencyExports, 'sealedKey'),
  sealed(compatAccesses, 'verifier'),
  sealed(factorTotps, 'secret'),
  sealed(factorChallenges, 'value'),
  sealed(files, 'sealedKey'),
  sealed(merchants, 'paymentConfig'),
  sealed(onboardings, 'accountNumber'),
  sealed(onboardingPeople, 'idNumber'),
  sealed(operationLogArchives, 'fileKey'),
  sealed(ownerPaperParts, 'body'),
  sealed(ownerPapers, 'accountNumber'),
  sealed(ownerPapers, 'idNumber'),
  sealed(partnerInvitations, 'sealedToken'),
  sealed(paymentSettingValues, 'sealed'),
  sealed(paymentSignKeys, 'sealed'),
  sealed(personErasures, 'keys'),
  sealed(platformCredentials, 'sealed'),
  sealed(platformEvents, 'sealed'),
  sealed(programApplications, 'legalPersonWechat'),
  sealed(programAudits, 'screenshots'),
  sealed(programFlows, 'authCode'),
  sealed(programFlows, 'registration'),
  sealed(programTesters, 'wechat'),
  sealed(shopImportRows, 'password'),
  sealed(shopImportRows, 'raw'),
  sealed(webhookEndpoints, 'secret'),
  sealed(webhookEndpoints, 'previousSecret'),
]

type Rotation = {
  sound: boolean
  line: string
  figures: { read: number; encrypted: number; unreadable: number; left: number }
}

const BATCH = 200

/**
 * Encrypts what another key encrypted, in batches that are whole or not at all, and then reads everything. May run beside the
 * product and be killed: what has the key of now is left alone. `onBatch` hears of each.
 */
export async function rotateKeys(
  client: pg.Client,
  secrets: Secrets,
  { batch = BATCH, onBatch }: { batch?: number; onBatch?: () => void } = {},
): Promise<Rotation> {
  const figures = { read: 0, encrypted: 0, unreadable: 0, left: 0 }
  await client.query(`select set_config('app.scope', 'all', false)`)
  for (const one of SEALED)
    await inBatches(client, one, batch, `get_byte(${one.column}, 0) <> ${secrets.keyId}`, async rows => {
      await client.query('begin')
      for (const row of rows) figures.encrypted += await encryptAgain(client, secrets, one, row)
      await client.query('commit')
      onBatch?.()
    })
  for (const one of SEALED)
    await inBatches(client, one, batch, 'true', async rows => {
      for (const row of rows) {
        figures.read++
        if (row.sealed[0] !== secrets.keyId) figures.left++
        if (plainOf(secrets, row.sealed) === null) figures.unreadable++
      }
    })
  const { read, encrypted, unreadable, left } = figures
  return {
    sound: unreadable === 0 && left === 0,
    line: `key=${secrets.keyId} encrypted=${encrypted} read=${read} unreadable=${unreadable} left=${left}`,
    figures,
  }
}

type Row = { keys: string[]; sealed: Buffer }

/** In the order of the primary key, each row once. */
async function inBatches(
  client: pg.Client,
  { table, column, keys }: Sealed,
  size: number,
  where: string,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  const named = keys.join(', ')
  let last: string[] | null = null
  for (;;) {
    const after: string = last
      ? `and (${named}) > (${last.map((_, place) => `$${place + 1}`).join(', ')})`
      : ''
    const { rows }: { rows: (Record<string, string> & { sealed_value: Buffer })[] } = await client.query(
      `select ${keys.map((key, place) => `${key}::text as key_${place}`).join(', ')}, ${column} as sealed_value
       from ${getTableName(table)} where ${column} is not null and ${where} ${after} order by ${named} limit ${size}`,
      last ?? [],
    )
    if (rows.length === 0) return
    const read = rows.map(row => ({
      keys: keys.map((_, place) => row[`key_${place}`] ?? ''),
      sealed: row.sealed_value,
    }))
    await work(read)
    last = read.at(-1)?.keys ?? null
  }
}

/** What was changed meanwhile was encrypted by the product, and is left. What cannot be read stays, and is counted later. */
async function encryptAgain(
  client: pg.Client,
  secrets: Secrets,
  { table, column, keys }: Sealed,
  row: Row,
): Promise<number> {
  const plain = plainOf(secrets, row.sealed)
  if (plain === null) return 0
  const own = keys.map((key, place) => `${key} = $${place + 3}`).join(' and ')
  const { rowCount } = await client.query(
    `update ${getTableName(table)} set ${column} = $1 where ${column} = $2 and ${own}`,
    [secrets.encrypt(plain), row.sealed, ...row.keys],
  )
  return rowCount ?? 0
}

function plainOf(secrets: Secrets, sealedValue: Buffer): string | null {
  try {
    return secrets.decrypt(sealedValue)
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}
