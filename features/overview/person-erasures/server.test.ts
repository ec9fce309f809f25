// A person in every place where people are known: found, erased, and found nowhere, while ledger and log stay sound.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { after, before, describe } from 'node:test'
import pg from 'pg'
import { sealedFacts } from '#features/care/documents/server-look.ts'
import { archiveKey } from '#features/overview/agency-exports/server-shelf.ts'
import { archivePast } from '#features/overview/operation-log/server-archive.ts'
import { searchArchives, verifyArchives } from '#features/overview/operation-log/server-archive-verify.ts'
import { verifyLog } from '#features/overview/operation-log/verify.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { placesOf, writeBytes } from '#server/storage/file-bytes.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { allLinked } from '#test/links.ts'
import { makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { logAt } from '#test/make-log.ts'
import { PDF } from '#test/make-papers.ts'
import { authorsOf } from './server-authors.ts'
import { readCertificate } from './server-certificate.ts'
import { APART, KEPT, OF_ACCOUNTS, PLACES } from './server-places.ts'
import { runErasure } from './server-run.ts'
import { sealedColumns } from './server-sealed.ts'
import { allTables } from './server-texts.ts'
import { workOnce } from './server-work.ts'

const PHONE = '13987650421'
const NAME = '欧阳金丝雀'
const ID_NUMBER = '11010519491231002X'
const OTHER = { phone: PHONE, name: '同号的人' }
const PERSON = { phone: PHONE, name: NAME, idNumber: ID_NUMBER }

let office: Office
let owner: pg.Client
let operator: Client
let second: Client
let agency: { id: number; loginName: string; accountId: number }
let person: { loginName: string; accountId: number }
let handover: number
let paper: { id: number; fileId: string }

before(async () => {
  office = await openOffice({
    demo: true,
    walls: { explicitScope: true, rowSecurity: true, stepUp: false },
  })
  owner = new pg.Client({ connectionString: office.ownerUrl, options: '-c timezone=UTC -c app.scope=all' })
  await owner.connect()
  const vendor = await makeAgent(office, { operator: true })
  const colleague = await makeAccount(office, vendor.id, { nodeIds: [696] })
  operator = office.as(await office.login(vendor.loginName))
  second = office.as(await office.login(colleague.loginName))
  agency = await makeAgent(office)
  person = await makeAccount(office, agency.id)
  await office.owner.query('update accounts set name = $2, mobile = $3 where id = $1', [
    person.accountId,
    NAME,
    PHONE,
  ])
  await put()
})
after(async () => {
  await owner.end()
  await office.stop()
})

const work = () => workOnce(owner, office.app.services)
const ALL_WORDS =
  /^(content|text|body|remark|reason|words|note|notes|description|data|changes|params|args|answer|message|address|subject|comment)$/

/** The person in a row of each place, in texts of each table, and in what people do. */
async function put(): Promise<void> {
  const me = office.as(await office.login(person.loginName))
  await office.owner.query('update accounts set is_owner = true where id = $1', [person.accountId])
  const mine = office.as(await office.login(person.loginName))
  const shop = await makeMerchant(office, agency.id, { status: 'normal' })
  await mine.merchants.setRemark({ id: shop, remark: `联系 ${NAME} ${PHONE}` })
  await office.owner.query('update accounts set is_owner = false where id = $1', [person.accountId])
  assert.ok(me)
  const captcha = await makePass(office, 'consultation', PHONE)
  await office.as(null).consultations.submit({ name: NAME, mobile: PHONE, content: `我是${NAME}`, captcha })
  const { secrets } = office.app.services
  for (const { table, phone, name = [], idNumber } of PLACES) {
    if (['accounts', 'consultations'].includes(table)) continue
    const columns = [
      ...phone
        .filter(column => !['account', 'login_name'].includes(column))
        .map(one => `${one} = '${PHONE}'`),
      ...name.map(one => `${one} = '${NAME}'`),
      ...(idNumber ? [`${idNumber} = $1`] : []),
    ]
    await office.owner.query(
      `update ${table} set ${columns.join(', ')} where id = (select max(id) from ${table} where $1::bytea is not null)`,
      [secrets.encrypt(ID_NUMBER)],
    )
  }
  await office.owner.query(`update agents set status = 'closed' where contact_name = $1`, [NAME])
  for (const { table } of PLACES)
    if (table !== 'merchants' && (await columnsOf(table)).includes('merchant_id'))
      await office.owner.query(
        `update merchants set status = 'disabled' where id in (select merchant_id from ${table} where id = (select max(id) from ${table}))`,
      )
  await office.owner.query(
    `update hardware_orders set delivery_status = 'complete' where contact_name = $1`,
    [NAME],
  )
  await office.owner.query(`update outbox_messages set status = 'delivered' where phone = $1`, [PHONE])
  // A paper with the number under its own key.
  const gone = await makeMerchant(office, agency.id, { status: 'disabled' })
  const { id: fileId, sealedKey } = await writeBytes(office.app.services, PDF, { sealed: true })
  assert.ok(sealedKey)
  await office.owner.query(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at, sealed_key)
     values ($1, $2, 'document', 'image/jpeg', 1, 1, 1, $3, now(), $4)`,
    [fileId, agency.id, agency.accountId, sealedKey],
  )
  const { rows } = await office.owner.query<{ id: string }>(
    `insert into documents (agent_id, merchant_id, kind, file_id, sha256, state, number_masked, created_by, created_by_name, created_at)
     values ($1, $2, 'idCardFront', $3, 'x', 'current', '110105********002X', $4, '测试', now()) returning id`,
    [agency.id, gone, fileId, agency.accountId],
  )
  paper = { id: Number(rows[0]?.id), fileId }
  await office.owner.query('update documents set facts = $2 where id = $1', [
    paper.id,
    sealedFacts(secrets, sealedKey, paper.id, { name: NAME, idNumber: ID_NUMBER }),
  ])
  // Free texts: one row of each table that has any.
  const tables = await allTables(owner)
  for (const table of tables.filter(({ name }) => !Object.hasOwn(APART, name)))
    for (const { name, shape } of table.columns) {
      if (!ALL_WORDS.test(name) || shape === 'other' || shape === 'bytes') continue
      const value = {
        text: `'请联系 ${PHONE}'`,
        json: `'{"say": "${PHONE}", "n": ${PHONE}}'`,
        texts: `'{${PHONE}}'`,
      }[shape]
      await office.owner.query(
        `update ${table.name} set ${name} = ${value} where ctid = (select max(ctid) from ${table.name})`,
      )
    }
  await office.owner.query(`insert into login_failures (subject, created_at) values ($1, now())`, [PHONE])
  await office.owner.query(
    `update shop_import_rows set raw = $1 where id = (select max(id) from shop_import_rows)`,
    [secrets.encrypt(JSON.stringify([NAME, PHONE]))],
  )
  await allLinked(owner)
  // A month that has left the log, and archives of agencies: one that lies ready and one that is being made.
  await owner.query(`select make_operation_log_months('2021-01-15')`)
  await logAt(owner, '2021-01-20T12:00:00Z', {
    ...{ agentId: agency.id + 900_000, accountId: person.accountId, accountName: NAME },
    ...{ subject: `${NAME} ${PHONE}`, ip: '10.9.8.7', userAgent: 'Netscape' },
  })
  await allLinked(owner)
  await archivePast(owner, office.app.services)
  for (const state of ['done', 'making'])
    await office.owner.query(
      `insert into agency_exports (agent_id, reason, state, attempts, sealed_key, certificate, created_by, created_by_name, created_at, heartbeat_at)
       values ($1, $2, $3, 1, $4, $5, 1, '测试', now(), now())`,
      [
        ...[agency.id, `本人 ${PHONE} 要求`, state, secrets.encrypt('key')],
        JSON.stringify({ certificate: JSON.stringify({ reason: `本人 ${PHONE} 要求` }) }),
      ],
    )
  handover = Number(
    (await office.owner.query(`select id from agency_exports where state = 'done'`)).rows[0]?.id,
  )
  await office.app.services.storage.put(archiveKey(handover, 1), Buffer.from('sealed'))
}

async function columnsOf(table: string): Promise<string[]> {
  return (await allTables(owner)).find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
}

/** Every place where one of these stands: all columns of all tables, also of other schemas, and what is sealed, opened. */
async function whereIs(...words: string[]): Promise<string[]> {
  const { rows: columns } = await owner.query<{ schema: string; table: string; column: string }>(
    `select n.nspname as schema, c.relname as table, a.attname as column from pg_class c
       join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  )
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const { rowCount } = await owner.query(
      `select from ${schema}.${pg.escapeIdentifier(table)} t where t.${pg.escapeIdentifier(column)}::text like any($1) limit 1`,
      [words.map(word => `%${word}%`)],
    )
    if (rowCount) found.push(`${table}.${column}`)
  }
  for (const { table, column } of sealedColumns(await allTables(owner))) {
    const { rows } = await owner.query<{ value: Buffer }>(
      `select ${column} as value from ${table.name} where ${column} is not null`,
    )
    for (const { value } of rows)
      try {
        const text = office.app.services.secrets.decrypt(value)
        if (words.some(word => text.includes(word))) found.push(`${table.name}.${column} (sealed)`)
      } catch {
        // A hash, or sealed with another key.
      }
  }
  return [...new Set(found)].sort()
}

describe('a person who asks to be forgotten', () => {
  let id: number

  test('is looked for in every place, and nothing is offered that none of the keys names', async () => {
    ;({ id } = await operator.personErasures.look(PERSON))
    assert.equal((await operator.personErasures.details({ id })).state, 'looking')
    assert.equal(await refusalOf(operator.personErasures.look({ phone: PHONE })), 'ALREADY_OPEN')
    await work()
    const { state, items } = await operator.personErasures.details({ id })
    assert.equal(state, 'found')
    const tables = new Set(items.map(({ key }) => key.split(/[:@ ]/)[0]))
    const empty: string[] = []
    for (const { table } of PLACES)
      if (!(await owner.query(`select from ${table} limit 1`)).rowCount) empty.push(table)
    assert.deepEqual(
      PLACES.map(({ table }) => table).filter(table => !tables.has(table) && !empty.includes(table)),
      [],
    )
    assert.ok(items.some(({ key, matched }) => key.startsWith('documents:') && matched.includes('idNumber')))
    assert.ok(items.every(({ matched }) => matched.length > 0))
    assert.equal(items.find(({ kind }) => kind === 'archives')?.rows, 1)
  })

  test('who shares the number is listed and not ticked', async () => {
    const other = await makeMerchant(office, agency.id, {
      shop_phone: OTHER.phone,
      person_name: OTHER.name,
    })
    await office.owner.query(`update person_erasures set state = 'looking' where id = $1`, [id])
    await work()
    const { items } = await operator.personErasures.details({ id })
    const row = items.find(({ key }) => key === `merchants:${other}`)
    assert.deepEqual([row?.matched, row?.chosen, row?.choosable], [['phone'], false, true])
    await office.owner.query('delete from merchants where id = $1', [other])
    await office.owner.query(`update person_erasures set state = 'looking' where id = $1`, [id])
    await work()
  })

  test('what stands in the way is said, and refuses', async () => {
    await office.owner.query(`update agents set status = 'active' where id = $1`, [agency.id])
    await office.owner.query('update accounts set is_owner = true where id = $1', [person.accountId])
    await office.owner.query(`update person_erasures set state = 'looking' where id = $1`, [id])
    await work()
    const { items } = await operator.personErasures.details({ id })
    assert.equal(items.find(({ key }) => key === `accounts:${person.accountId}`)?.block, 'owner')
    const asked = { id, reason: '本人来电', askedOn: '2026-11-01', channel: 'phone' as const }
    assert.equal(await refusalOf(operator.personErasures.ask(asked)), 'BLOCKED')
    await office.owner.query('update accounts set is_owner = false where id = $1', [person.accountId])
    await office.owner.query(`update agents set status = 'closed' where id = $1`, [agency.id])
    await office.owner.query(`update person_erasures set state = 'looking' where id = $1`, [id])
    await work()
  })

  test('a second operator agrees', async () => {
    const { items } = await operator.personErasures.details({ id })
    const keys = items.filter(({ choosable, chosen }) => choosable && !chosen).map(({ key }) => key)
    if (keys.length > 0) await operator.personErasures.choose({ id, keys, chosen: true })
    await operator.personErasures.ask({
      ...{ id, reason: '本人来电要求删除', askedOn: '2026-11-01', channel: 'phone' },
    })
    assert.equal((await operator.personErasures.details({ id })).state, 'asked')
    assert.equal(await refusalOf(operator.personErasures.approve({ id })), 'OWN_REQUEST')
    await second.personErasures.reject({ id, reason: '请再核对一次' })
    await operator.personErasures.ask({
      ...{ id, reason: '本人来电要求删除', askedOn: '2026-11-01', channel: 'phone' },
    })
    await second.personErasures.approve({ id })
    assert.equal((await operator.personErasures.details({ id })).state, 'running')
    const told = async (client: Client) =>
      (await client.notices.list({ page: 1, size: 10 })).rows
        .map(({ title }) => title)
        .filter(title => title.startsWith('个人信息删除'))
    assert.deepEqual(await told(second), ['个人信息删除待复核', '个人信息删除待复核'])
    assert.deepEqual(await told(operator), ['个人信息删除已同意', '个人信息删除被退回'])
  })

  test('killed behind every part it goes on, and the person is found nowhere', async () => {
    await allLinked(owner)
    for (let kills = 0; ; kills++) {
      const killed = new Error('killed')
      const ran = await runErasure(owner, office.app.services, id, () => {
        throw killed
      }).then(
        () => true,
        error => {
          if (error !== killed) throw error
          return false
        },
      )
      if (ran) break
      assert.ok(kills < 100)
    }
    assert.equal((await operator.personErasures.details({ id })).state, 'done')
    const stays = Object.keys(KEPT)
    const left = (await whereIs(PHONE, NAME, ID_NUMBER)).filter(
      place => !stays.includes(place.split('.')[0] ?? ''),
    )
    assert.deepEqual(left, [])
    // The picture's key is gone, and so are its bytes.
    assert.equal((await owner.query('select from files where id = $1', [paper.fileId])).rowCount, 0)
    for (const place of placesOf(paper.fileId))
      assert.equal(await office.app.services.storage.head(place), null)
  })

  test('archives of the log have nothing of the person, and are one chain with it', async () => {
    const reading = { ...office.app.services, folder: null }
    const asked = { agentId: null, from: '0000-01', to: '9999-12' }
    for (const word of [PHONE, NAME, '10.9.8.7', 'Netscape'])
      for await (const line of searchArchives(owner, reading, { ...asked, words: [word] })) assert.fail(line)
    const { named, figures } = await verifyArchives(owner, reading)
    assert.deepEqual(named, [])
    assert.deepEqual(figures, { archives: 1, archived_rows: 1, archived_redacted: 1 })
  })

  test('archives of agencies that lay ready are gone and say why, and one that was being made begins again', async () => {
    const { rows } = await owner.query(
      `select id::int, state, sealed_key, error from agency_exports where agent_id = $1 order by id`,
      [agency.id],
    )
    assert.deepEqual(rows, [
      { id: handover, state: 'deleted', sealed_key: null, error: '因个人信息删除' },
      { ...rows[1], state: 'queued' },
    ])
    assert.equal(await office.app.services.storage.head(archiveKey(handover, 1)), null)
  })

  test('ledger and log are sound, and a redaction that nobody signed is found', async () => {
    await office.verifyLedger()
    const client = await office.owner.connect()
    try {
      const key = checkpointKey(office.app.services.env)
      const check = await verifyLog(client, key)
      assert.ok(check.sound, check.line)
      assert.ok(check.figures.redacted > 0)
      await client.query(
        `update operation_log_erasures set signature = 'x' where ctid = (select min(ctid) from operation_log_erasures)`,
      )
      assert.equal((await verifyLog(client, key)).problems.forged_redactions, 1)
    } finally {
      client.release()
    }
  })

  test('a certificate says what went, what stayed and why, and a changed byte is found', async () => {
    const { certificate } = await operator.personErasures.details({ id })
    assert.ok(certificate)
    const { env } = office.app.services
    const told = readCertificate(JSON.stringify(certificate), env)
    assert.equal(told?.person.phone, '139****0421')
    for (const which of ['log', 'archives'])
      assert.ok(
        told?.kinds.some(({ kind, rows }) => kind === which && rows > 0),
        which,
      )
    assert.ok(told?.kinds.every(({ fate, reason }) => fate !== 'stays' || reason !== null))
    const text = certificate.text.replace('本人来电', '本人来信')
    assert.equal(readCertificate(JSON.stringify({ ...certificate, text }), env), null)
  })

  test('the account signs in no more, and another request finds nothing', async () => {
    await assert.rejects(office.login(person.loginName))
    const again = await operator.personErasures.look(PERSON)
    await work()
    const { items } = await operator.personErasures.details(again)
    assert.deepEqual(
      items.filter(({ fate }) => fate !== 'stays').map(({ key }) => key),
      [],
    )
    await operator.personErasures.withdraw(again)
  })
})

test('every place of docs/PRIVACY.md is one that an erasure knows', async () => {
  const named = readFileSync(new URL('../../../docs/PRIVACY.md', import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .flatMap(line => [...(line.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name]) => String(name)))
  const tables = await allTables(owner)
  const known = new Set([
    ...PLACES.map(({ table }) => table),
    ...OF_ACCOUNTS.map(({ table }) => table),
    ...Object.keys(APART),
    ...tables.filter(table => authorsOf(table).length > 0).map(({ name }) => name),
    ...sealedColumns(tables).map(({ table }) => table.name),
    ...tables.filter(({ columns }) => columns.some(({ shape }) => shape === 'text')).map(({ name }) => name),
  ])
  assert.deepEqual(
    named.filter(name => !known.has(name)),
    [],
  )
})
