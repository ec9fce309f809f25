// What the command of whoever runs the machine does: one erasure from its keys to its end, and those again that a restored backup has brought
// back. A restored database has the number in clear again, so that the keyed hash of the list is enough to find it.
import { maskNumber } from '#features/care/documents/rules.ts'
import { searchArchives } from '#features/overview/operation-log/server-archive-verify.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { BLOCKS, type Channel, FATES, type Keys, KINDS, maskName, REASONS } from './rules.ts'
import { newNumber } from './server.ts'
import { hashWith, keptLines, kindText, type Line, readCertificate } from './server-certificate.ts'
import { type At, type Client, quoted } from './server-client.ts'
import { findAll, type Item } from './server-find.ts'
import { PLACES } from './server-places.ts'
import { runErasure } from './server-run.ts'
import { opened, sealedColumns } from './server-sealed.ts'
import { allTables } from './server-texts.ts'
import { keepItems } from './server-work.ts'

export type Told = { lines: string[]; isDone: boolean }

/** Who does it where no account does. */
const BY_COMMAND = '命令行'

type Asked = {
  keys: Keys
  also: readonly string[]
  askedOn: string
  channel: Channel
  reason: string
  isDry: boolean
}

export async function eraseNow(
  client: Client,
  at: At,
  { keys, also, isDry, ...asked }: Asked,
): Promise<Told> {
  const found = await findAll(client, at, keys)
  const unknown = also.filter(key => !found.some(item => item.key === key && item.choosable))
  if (unknown.length > 0)
    return { lines: [`nothing of this person is called ${unknown.join(', ')}`], isDone: false }
  const items = chosenBy(found, item => item.chosen || also.includes(item.key))
  const lines = items.map(lineOf)
  const blocks = items.filter(item => item.chosen && item.fate !== 'stays' && item.block)
  if (isDry) return { lines, isDone: true }
  if (blocks.length > 0)
    return { lines: blocks.map(({ key, block }) => `${key} ${block ? BLOCKS[block] : ''}`), isDone: false }
  if (!items.some(({ chosen }) => chosen)) return { lines: [...lines, 'nothing to erase'], isDone: true }
  const id = await begin(client, at, { keys, items, number: newNumber(at.clock.now()), ...asked })
  return { lines: [...lines, ...(await carriedOut(client, at, id))], isDone: true }
}

/** What hangs on a row goes where it goes. */
function chosenBy(items: readonly Item[], is: (item: Item) => boolean): Item[] {
  const own = items.map(item => ({ ...item, chosen: item.choosable ? is(item) : item.chosen }))
  return own.map(item =>
    item.hangsOn === null
      ? item
      : { ...item, chosen: own.some(({ key, chosen }) => key === item.hangsOn && chosen) },
  )
}

function lineOf({ key, kind, matched, rows, fate, reason, block, chosen }: Item): string {
  return [
    chosen ? FATES[fate] : '不处理',
    key,
    KINDS[kind],
    `rows=${rows}`,
    `by=${matched.join('+')}`,
    ...(reason ? [REASONS[reason]] : []),
    ...(block ? [BLOCKS[block]] : []),
  ].join(' ')
}

type Begun = Omit<Asked, 'also' | 'isDry'> & { items: readonly Item[]; number: string }

async function begin(client: Client, at: At, { keys, items, number, ...asked }: Begun): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `insert into person_erasures (number, state, phone_hash, keys, phone_masked, name_masked, id_number_masked, reason, asked_on, channel,
       created_by, created_by_name, created_at, requested_by_name, requested_at)
     values ($1, 'found', $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $10, $11) returning id::text`,
    [
      number,
      at.secrets.digest(`person erasure ${keys.phone}`),
      at.secrets.encrypt(JSON.stringify(keys)),
      maskPhone(keys.phone),
      maskName(keys.name),
      maskNumber(keys.idNumber),
      asked.reason,
      asked.askedOn,
      asked.channel,
      BY_COMMAND,
      at.clock.now().toISOString(),
    ],
  )
  const id = Number(rows[0]?.id)
  await keepItems(client, id, items)
  await client.query(`update person_erasures set state = 'running' where id = $1 and state = 'found'`, [id])
  return id
}

async function carriedOut(client: Client, at: At, id: number): Promise<string[]> {
  await runErasure(client, at, id)
  const { rows } = await client.query<{ text: string; signature: string }>(
    'select certificate as text, signature from person_erasures where id = $1',
    [id],
  )
  const certificate = readCertificate(JSON.stringify(rows[0]), at.env)
  if (!certificate) return ['it goes on in the office that runs']
  return [`certificate ${certificate.number}`, ...certificate.kinds.map(kindText)]
}

/** Lines of the list that this database knows nothing of: what they erased came back with a backup. */
export async function missingErasures(
  client: Client,
  at: Pick<At, 'storage' | 'env'>,
): Promise<{ done: number; missing: Line[]; forged: number }> {
  const { lines, forged } = await keptLines(at)
  const { rows } = await client.query<{ number: string }>(
    `select number from person_erasures where state = 'done' and number = any($1)`,
    [lines.map(({ number }) => number)],
  )
  const known = new Set(rows.map(({ number }) => number))
  const missing = lines.filter(({ number }) => !known.has(number))
  return { done: known.size, missing, forged }
}

export async function eraseAgain(client: Client, at: At): Promise<Told> {
  const { missing, forged } = await missingErasures(client, at)
  const lines: string[] = []
  if (forged > 0) lines.push(`${forged} lines of the list were not signed by this office`)
  if (missing.length > 0) {
    const values = await valuesThatLookLikeOne(client, at)
    for (const line of missing) lines.push(...(await again(client, at, line, values)))
  }
  lines.push(`erasures done again: ${missing.length}`)
  return { lines, isDone: forged === 0 }
}

type Values = Readonly<Record<'phones' | 'idNumbers' | 'names', readonly string[]>>

async function again(client: Client, at: At, line: Line, values: Values): Promise<string[]> {
  const hash = hashWith(checkpointKey(at.env))
  const keys: Keys = {
    phone: values.phones.find(value => hash('phone', value) === line.phone) ?? '',
    name: values.names.find(value => hash('name', value) === line.name) ?? '',
    idNumber: values.idNumbers.find(value => hash('idNumber', value) === line.idNumber) ?? '',
  }
  const asked = { askedOn: line.at.slice(0, 10), channel: 'letter' as const, reason: '恢复备份后再次删除' }
  const { rows } = await client.query<{ id: string }>(
    `select id::text from person_erasures where number = $1 or phone_hash = $2`,
    [line.number, at.secrets.digest(`person erasure ${keys.phone}`)],
  )
  // What was under way when the backup was made begins anew.
  for (const { id } of rows) {
    await client.query('delete from person_erasure_items where erasure_id = $1', [id])
    await client.query('delete from person_erasures where id = $1', [id])
  }
  if (keys.phone === '' && keys.idNumber === '') {
    await client.query(
      `insert into person_erasures (number, state, phone_masked, name_masked, id_number_masked, reason, created_by, created_by_name,
         created_at, finished_at)
       values ($1, 'done', '', '', '', $2, 0, $3, $4, $4)`,
      [line.number, asked.reason, BY_COMMAND, at.clock.now().toISOString()],
    )
    return [`${line.number} nothing of it has come back`]
  }
  const found = await findAll(client, at, keys)
  const items = chosenBy(
    found,
    item => !line.others.includes(item.key) && item.matched.some(match => match !== 'name'),
  )
  const id = await begin(client, at, { keys, items, number: line.number, ...asked })
  return [`${line.number} erased again`, ...(await carriedOut(client, at, id))]
}

const ALL_MONTHS = { from: '0000-01', to: '9999-12' }
const PHONE = '(?<![0-9])1[3-9][0-9]{9}(?![0-9])'
const ID_NUMBER = '(?<![0-9])[0-9]{17}[0-9Xx](?![0-9Xx])'

/** Everything in the database that may be a number or a name of somebody, to be compared by its keyed hash. */
async function valuesThatLookLikeOne(client: Client, at: At): Promise<Values> {
  const tables = await allTables(client)
  const found = { phones: new Set<string>(), idNumbers: new Set<string>(), names: new Set<string>() }
  const take = (text: string) => {
    for (const [one] of text.matchAll(new RegExp(PHONE, 'g'))) found.phones.add(one)
    for (const [one] of text.matchAll(new RegExp(ID_NUMBER, 'g'))) found.idNumbers.add(one.toUpperCase())
  }
  for (const { name, columns } of tables)
    for (const column of columns.filter(
      ({ shape }) => shape === 'text' || shape === 'json' || shape === 'texts',
    )) {
      const { rows } = await client.query<{ value: string }>(
        `select distinct (regexp_matches(t.${quoted(column.name)}::text, '${PHONE}|${ID_NUMBER}', 'g'))[1] as value from ${quoted(name)} t`,
      )
      for (const { value } of rows) take(value)
    }
  for (const { table, column } of sealedColumns(tables)) {
    const { rows } = await client.query<{ value: Buffer }>(
      `select ${quoted(column)} as value from ${quoted(table.name)} where ${quoted(column)} is not null`,
    )
    for (const { value } of rows) take(opened(at.secrets, value) ?? '')
  }
  for await (const line of searchArchives(
    client,
    { ...at, folder: null },
    { words: [], agentId: null, ...ALL_MONTHS },
  ))
    take(line)
  for (const { table, name = [] } of PLACES)
    for (const column of name) {
      const { rows } = await client.query<{ value: string }>(
        `select distinct ${quoted(column)} as value from ${quoted(table)} where ${quoted(column)} <> ''`,
      )
      for (const { value } of rows) found.names.add(value)
    }
  return { phones: [...found.phones], idNumbers: [...found.idNumbers], names: [...found.names] }
}
