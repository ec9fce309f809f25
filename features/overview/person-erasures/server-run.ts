// An erasure from its approval to its certificate, part by part, each a transaction of its own that a kill undoes wholly: whoever goes on
// begins behind the last that is whole, and a part that is done again finds nothing to do. Works as the owner, since rows of the log and of many
// features are the app's to add alone.
import { erasePapers } from '#features/care/documents/server-erase-owner.ts'
import { forgetArchives } from '#features/overview/agency-exports/server-forget.ts'
import { forgetFiles } from '#features/overview/exports/server-forget.ts'
import { alone } from '#features/overview/operation-log/server-archive-alone.ts'
import { linkAll } from '#features/overview/operation-log/server-link.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { type Redaction, redactRows } from '#server/redact-log.ts'
import { placesOf } from '#server/storage/file-bytes.ts'
import { ERASED, type Fate, type Keys, type Kind } from './rules.ts'
import { authorship } from './server-authors.ts'
import { type Certificate, keepLine, signed } from './server-certificate.ts'
import { type At, type Client, inTransaction, quoted } from './server-client.ts'
import { ofAccountCondition, whenStays } from './server-find.ts'

import { MASKED_OF_ACCOUNTS, OF_ACCOUNTS, PLACES, type Place } from './server-places.ts'
import { sealedColumns, throughSealed } from './server-sealed.ts'
import {
  allTables,
  searched,
  standsIn,
  type Table,
  takenOut,
  valuesOf,
  type Words,
  wordsOf,
} from './server-texts.ts'
import { logErasure } from './server-told.ts'

/** What is kept of a request while it is carried out, encrypted: the rows that say who it is are gone before their texts are. */
export type Doing = Keys & {
  /** Names by account. */
  accounts: Record<string, string>
  names: string[]
  merchants: string[]
  agents: string[]
  objects: string[]
  isShared: boolean
}

type Row = {
  id: string
  number: string
  state: string
  keys: Buffer | null
  step: string
}

/** Another has it in hand, or rows of the log are not linked yet: the next look goes on. */
export class Later extends Error {}

type Part = { name: string; work: (run: Run) => Promise<void>; alone?: true }
type Run = { client: Client; at: At; row: Row; doing: Doing; tables: readonly Table[]; words: Words }

const PARTS: readonly Part[] = [
  ...PLACES.map(place => ({
    name: `place ${place.table}`,
    work: (run: Run) => (place.name ? eraseRows(run, place) : eraseMany(run, place)),
  })),
  { name: 'papers', work: papers, alone: true },
  { name: 'accounts', work: ofAccounts },
  { name: 'authors', work: authors },
  { name: 'sealed', work: sealedTexts, alone: true },
  { name: 'texts', work: texts, alone: true },
  { name: 'exports', work: exportsGone, alone: true },
  { name: 'told', work: told },
  { name: 'log', work: log, alone: true },
  // Behind the log: a month that left it meanwhile is looked through as well.
  { name: 'archives', work: archives, alone: true },
  // Last: one that is made now has nothing of the person.
  { name: 'handovers', work: handovers, alone: true },
]

/** Carries one out to its end. `onPart` hears of each part that is whole. */
export async function runErasure(
  client: Client,
  at: At,
  id: number,
  onPart: (name: string) => void = () => undefined,
): Promise<void> {
  const begun = await begin(client, at, id)
  if (!begun) return
  const { row, doing } = begun
  const tables = await allTables(client)
  const run: Run = { client, at, row, doing, tables, words: wordsIn(doing) }
  const done = PARTS.findIndex(({ name }) => name === row.step)
  for (const { name, work, alone } of PARTS.slice(done + 1)) {
    const note = () => client.query('update person_erasures set step = $2 where id = $1', [row.id, name])
    if (alone) {
      await work(run)
      await note()
    } else
      await inTransaction(client, async () => {
        await work(run)
        await note()
      })
    onPart(name)
  }
  await finish(run)
}

function wordsIn(doing: Doing): Words {
  const tied = {
    accounts: Object.keys(doing.accounts).map(Number),
    merchants: doing.merchants.map(Number),
    agents: doing.agents.map(Number),
    objects: doing.objects,
  }
  return wordsOf(doing, { names: doing.names, tied, isShared: doing.isShared })
}

/** Reads what is to be done, and at the first beginning writes down whose rows they are. Null: it is not to be done, or done. */
async function begin(client: Client, at: At, id: number): Promise<{ row: Row; doing: Doing } | null> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<Row>(
      `select id::text, number, state, keys, step from person_erasures where id = $1 and state = 'running' for update`,
      [id],
    )
    const row = rows[0]
    if (!row?.keys) return null
    const kept = JSON.parse(at.secrets.decrypt(row.keys)) as Keys | Doing
    if ('accounts' in kept) return { row, doing: kept }
    const doing = await whose(client, id, kept)
    await client.query('update person_erasures set keys = $2 where id = $1', [
      id,
      at.secrets.encrypt(JSON.stringify(doing)),
    ])
    return { row, doing }
  })
}

type ItemRow = {
  key: string
  table_name: string
  row_id: string | null
  agent_id: string | null
  merchant_id: string | null
  matched: string[]
  fate: Fate
  chosen: boolean
  choosable: boolean
}

async function whose(client: Client, id: number, keys: Keys): Promise<Doing> {
  const { rows } = await client.query<ItemRow>(
    `select key, table_name, row_id::text, agent_id::text, merchant_id::text, matched, fate, chosen, choosable
     from person_erasure_items where erasure_id = $1 and row_id is not null`,
    [id],
  )
  const others = rows.filter(item => !item.chosen && item.choosable)
  const doing: Doing = {
    ...keys,
    accounts: {},
    names: keys.name === '' ? [] : [keys.name],
    merchants: [],
    agents: [],
    objects: [],
    isShared: others.some(({ matched }) => matched.includes('phone')),
  }
  const namesakes = new Set(
    others.filter(({ matched }) => matched.includes('name')).map(item => item.agent_id),
  )
  for (const item of rows.filter(({ chosen, fate }) => chosen && fate !== 'stays')) {
    const place = PLACES.find(({ table }) => table === item.table_name)
    if (item.merchant_id !== null) doing.merchants.push(item.merchant_id)
    if (place?.object) doing.objects.push(`${place.object}:${item.row_id}`)
    if (item.table_name === 'agents' && !namesakes.has(item.agent_id)) doing.agents.push(String(item.row_id))
    for (const name of await namesOf(client, place, item)) {
      if (item.table_name === 'accounts') doing.accounts[String(item.row_id)] = name
      if (name !== '' && name !== ERASED && !doing.names.includes(name)) doing.names.push(name)
    }
  }
  return doing
}

/** What the row says that the person is called, where the number says that it is the person's. */
async function namesOf(client: Client, place: Place | undefined, item: ItemRow): Promise<string[]> {
  if (!place?.name || !item.matched.some(match => match !== 'name')) return []
  const { rows } = await client.query<{ names: string[] }>(
    `select array[${place.name.map(quoted).join(', ')}] as names from ${quoted(place.table)} where id = $1`,
    [item.row_id],
  )
  return rows[0]?.names ?? []
}

async function note(
  { client, row }: Run,
  item: { key: string; kind: Kind; table: string; fate?: Fate; done: number },
): Promise<void> {
  if (item.done === 0) return
  await client.query(
    `insert into person_erasure_items (erasure_id, key, kind, table_name, matched, rows, fate, chosen, choosable, done)
     values ($1, $2, $3, $4, '{phone}', $5::bigint, $6, true, false, $5::bigint)
     on conflict (erasure_id, key) do update set done = coalesce(person_erasure_items.done, 0) + excluded.done`,
    [row.id, item.key, item.kind, item.table, item.done, item.fate ?? 'masked'],
  )
}

const chosenOf = (run: Run, table: string) =>
  run.client.query<{ key: string; row_id: string }>(
    `select key, row_id::text from person_erasure_items
     where erasure_id = $1 and table_name = $2 and row_id is not null and chosen and fate <> 'stays' and done is null`,
    [run.row.id, table],
  )

async function eraseRows(run: Run, place: Place): Promise<void> {
  const { client, at, doing } = run
  const { rows } = await chosenOf(run, place.table)
  for (const { key, row_id } of rows) {
    const { rowCount } = await client.query(
      `${statementOf(place, { from: 3 })} where t.id = $1 and $2::text is not null and not ${whenStays(place)}`,
      [row_id, doing.phone, ...(place.sealed ?? []).map(() => at.secrets.encrypt(''))],
    )
    await client.query(
      `update person_erasure_items set done = $3::bigint, fate = case when $3::bigint = 0 then 'stays' else fate end,
         reason = case when $3::bigint = 0 then $4::text else reason end
       where erasure_id = $1 and key = $2`,
      [run.row.id, key, rowCount ?? 0, place.stays?.reason ?? null],
    )
  }
}

/** `from`: the number of the first encrypted value; $2 is the phone. */
function statementOf({ table, fate, set = {}, sealed = [] }: Place, { from }: { from: number }): string {
  if (fate === 'goes') return `delete from ${quoted(table)} t`
  const values = [
    ...Object.entries(set).map(
      ([column, value]) => `${quoted(column)} = ${value.replaceAll('$phone', '$2::text')}`,
    ),
    ...sealed.map((column, nth) => `${quoted(column)} = $${from + nth}::bytea`),
  ]
  return `update ${quoted(table)} t set ${values.join(', ')}`
}

/** Messages and codes to the number; where somebody else has it, those of the person's shops alone. */
async function eraseMany(run: Run, place: Place): Promise<void> {
  const { client, doing, tables, words } = run
  if (doing.phone === '') return
  const hasShop = tables
    .find(({ name }) => name === place.table)
    ?.columns.some(({ name }) => name === 'merchant_id')
  const others = hasShop ? 'and t.merchant_id = any($3::bigint[])' : 'and false'
  const byPhone = place.phone.map(column => `t.${quoted(column)} = $2`).join(' or ')
  const { rowCount } = await client.query(
    `${statementOf(place, { from: 4 })}
     where $1::text is not null and $3::bigint[] is not null and (${byPhone}) and not ${whenStays(place)} ${doing.isShared ? others : ''}`,
    [run.row.number, doing.phone, words.tied.merchants],
  )
  await note(run, {
    key: place.table,
    kind: place.kind,
    table: place.table,
    fate: place.fate,
    done: rowCount ?? 0,
  })
}

async function papers(run: Run): Promise<void> {
  const { client, at, row } = run
  const { rows } = await chosenOf(run, 'documents')
  const ids = rows.map(({ row_id }) => Number(row_id))
  const erased = await inTransaction(client, () =>
    erasePapers(client, ids, { number: row.number, now: at.clock.now() }),
  )
  for (const fileId of erased.files) for (const place of placesOf(fileId)) await at.storage.delete(place)
  for (const { key } of rows)
    await client.query('update person_erasure_items set done = 1 where erasure_id = $1 and key = $2', [
      row.id,
      key,
    ])
}

async function ofAccounts(run: Run): Promise<void> {
  const { client, doing } = run
  const ids = Object.keys(doing.accounts)
  if (ids.length === 0) return
  for (const { table, column, through } of OF_ACCOUNTS)
    await client.query(`delete from ${table} t where ${ofAccountCondition(column, through)}`, [ids])
  for (const { table, column, through, set } of MASKED_OF_ACCOUNTS) {
    const values = Object.entries(set).map(([name, value]) => `${quoted(name)} = ${value}`)
    await client.query(
      `update ${table} t set ${values.join(', ')} where ${ofAccountCondition(column, through)}`,
      [ids],
    )
  }
  await client.query(
    `update person_erasure_items set done = rows where erasure_id = $1 and kind = 'access' and chosen and done is null`,
    [run.row.id],
  )
}

async function authors(run: Run): Promise<void> {
  for (const [id, name] of Object.entries(run.doing.accounts)) {
    const found = await authorship(run.client, run.tables, { id, name, write: true })
    const key = `authorship @accounts:${id}`
    const done = found.reduce((sum, { fate, rows }) => sum + (fate === 'stays' ? 0 : rows), 0)
    await note(run, { key, kind: 'authorship', table: '', done })
  }
}

/** Each column in a transaction of its own: rows of the log are linked behind the oldest that runs. */
async function sealedTexts(run: Run): Promise<void> {
  const { client, at, tables, words } = run
  for (const sealed of sealedColumns(tables))
    await inTransaction(client, async () => {
      const done = await throughSealed(client, at.secrets, sealed, { words, write: true })
      const table = sealed.table.name
      await note(run, { key: `sealed ${table} ${sealed.column}`, kind: 'texts', table, done })
    })
}

/** Each table so, too. */
async function texts(run: Run): Promise<void> {
  const { client, tables, words } = run
  for (const { table, left } of searched(tables)) {
    const where = standsIn(table, words, { without: left })
    if (!where) continue
    await inTransaction(client, async () => {
      const { rowCount } = await client.query(
        `update ${quoted(table.name)} t set ${setOf(takenOut(table, words, left))} where ${where}`,
        valuesOf(words),
      )
      await note(run, { key: `texts ${table.name}`, kind: 'texts', table: table.name, done: rowCount ?? 0 })
    })
  }
}

const setOf = (columns: readonly [string, string][]) =>
  columns.map(([column, value]) => `${quoted(column)} = ${value}`).join(', ')

async function exportsGone({ client, at, doing, row }: Run): Promise<void> {
  const { rows } = await client.query<{ agent_id: string }>(
    'select distinct agent_id::text from person_erasure_items where erasure_id = $1 and chosen and agent_id is not null',
    [row.id],
  )
  await forgetFiles(client, at.storage, [
    ...rows.map(one => Number(one.agent_id)),
    ...doing.agents.map(Number),
  ])
}

/** Its own rows of the log, before those of others are changed: the last of them says that it was done. */
async function told(run: Run): Promise<void> {
  await logErasure(run.client, Number(run.row.id))
}

/** Columns of the log that say nothing of a person, and those that are set by themselves. */
const NOT_TEXTS = ['account_name', 'operation', 'title', 'outcome', 'request_id', 'ip', 'user_agent']
/** So long the law has the address kept from which something was done (网络安全法, article 21). */
const ADDRESS_MONTHS = 6

/** What becomes of rows of the log, in it and in its archives. */
function redactionOf({ at, row, tables, words }: Run): Redaction {
  const table = tables.find(({ name }) => name === 'operation_logs')
  const where = table && standsIn(table, words, { without: NOT_TEXTS })
  if (!table || !where) throw new Error('there is no operation log')
  const own = 't.account_id = any($4::bigint[])'
  const isNamed = `(${own} and t.account_name not in ('', '${ERASED}'))`
  const isOld = `(${own} and t.created_at < now() - interval '${ADDRESS_MONTHS} months')`
  const hasAddress = `(${isOld} and (t.ip <> '' or t.user_agent <> ''))`
  return {
    where: `(${where} or ${isNamed} or ${hasAddress})`,
    set: [
      ['account_name', `case when ${isNamed} then '${ERASED}' else t.account_name end`],
      ['ip', `case when ${isOld} then '' else t.ip end`],
      ['user_agent', `case when ${isOld} then '' else t.user_agent end`],
      ...takenOut(table, words, NOT_TEXTS),
    ],
    values: valuesOf(words),
    erasure: row.number,
    key: checkpointKey(at.env),
  }
}

async function log(run: Run): Promise<void> {
  const { client } = run
  const { redacted, waiting } = await alone(client, async () => {
    await linkAll(client)
    return redactRows(client, redactionOf(run))
  })
  await note(run, { key: 'log', kind: 'log', table: 'operation_logs', done: redacted })
  if (waiting > 0) throw new Later(`${waiting} rows of the operation log are not linked yet`)
}

async function archives(run: Run): Promise<void> {
  const { client, at } = run
  const { redactArchives } = await import('#features/overview/operation-log/server-archive-redact.ts')
  await alone(client, () =>
    redactArchives(client, at, redactionOf(run), done =>
      note(run, { key: 'archives', kind: 'archives', table: 'operation_log_archives', done }),
    ),
  )
}

async function handovers({ client, at }: Run): Promise<void> {
  await forgetArchives(client, at.storage)
}

type Ending = {
  phone_masked: string
  name_masked: string
  id_number_masked: string
  asked_on: string | null
  channel: Certificate['channel']
  reason: string
  requested_by_name: string
  approved_by_name: string
}

/** Signs what was done, keeps the line that a restore asks for, and forgets who it was. */
async function finish({ client, at, row, doing }: Run): Promise<void> {
  const { rows: others } = await client.query<{ key: string }>(
    'select key from person_erasure_items where erasure_id = $1 and choosable and not chosen order by key',
    [row.id],
  )
  const finishedAt = at.clock.now().toISOString()
  const { phone, name, idNumber } = doing
  await keepLine(at, {
    ...{ number: row.number, at: finishedAt, others: others.map(({ key }) => key) },
    keys: { phone, name, idNumber },
  })
  await inTransaction(client, async () => {
    const { rows } = await client.query<Ending>(
      `select phone_masked, name_masked, id_number_masked, asked_on::text, channel, reason, requested_by_name, approved_by_name
       from person_erasures where id = $1 for update`,
      [row.id],
    )
    const ending = rows[0] as Ending
    const { rows: kinds } = await client.query<Certificate['kinds'][number]>(
      `select kind, fate, reason, sum(case when fate = 'stays' then rows else coalesce(done, 0) end)::int as rows
       from person_erasure_items where erasure_id = $1 and chosen
       group by kind, fate, reason having sum(case when fate = 'stays' then rows else coalesce(done, 0) end) > 0
       order by kind, fate, reason`,
      [row.id],
    )
    const certificate: Certificate = {
      number: row.number,
      person: {
        phone: ending.phone_masked,
        name: ending.name_masked,
        idNumber: ending.id_number_masked,
      },
      askedOn: ending.asked_on,
      channel: ending.channel,
      reason: ending.reason,
      requestedBy: ending.requested_by_name,
      approvedBy: ending.approved_by_name,
      finishedAt,
      kinds,
      backupsKept: at.env.backup?.keep ?? 0,
    }
    const { text, signature } = signed(at.env, certificate)
    await client.query(
      `update person_erasures set state = 'done', keys = null, phone_hash = null, problem = '', finished_at = $2,
         certificate = $3, signature = $4 where id = $1 and state = 'running'`,
      [row.id, finishedAt, text, signature],
    )
  })
}
