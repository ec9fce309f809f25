// Keys change while there is data: everything is read before, meanwhile and after.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { makeSecrets } from '#server/secrets.ts'
import { newFileKey } from '#server/storage/sealing.ts'
import { type Office, openOffice } from '#test/app.ts'
import { TEST_SECRET } from '#test/database.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { rotateKeys, SEALED } from './sealed.ts'

const KEY_2 = `2:${'ab'.repeat(32)}`
const KEY_3 = `3:${'cd'.repeat(32)}`
let office: Office
let client: pg.Client

before(async () => {
  office = await openOffice()
  client = new pg.Client({ connectionString: office.ownerUrl })
  await client.connect()
  const agent = await makeAgent(office)
  const { encrypt } = office.app.services.secrets
  const { query } = office.owner
  const run = query.bind(office.owner)
  for (let number = 0; number < 7; number++)
    await makeMerchant(office, agent.id, { payment_config: encrypt(JSON.stringify({ mercId: `${number}` })) })
  await makeMerchant(office, agent.id)
  await run(
    `insert into factor_totps (account_id, agent_id, secret, last_step, created_at) values ($1, $2, $3, 0, now())`,
    [agent.accountId, agent.id, encrypt('totp')],
  )
  await run(
    `insert into payment_settings (agent_id, channel, callback_key, created_at, updated_at) values ($1, 'wechat', 'k', now(), now())`,
    [agent.id],
  )
  for (const name of ['privateKey', 'apiV3Key'])
    await run(
      `insert into payment_setting_values (settings_id, agent_id, name, sealed, set_at, set_by_name)
       select id, $1, $2, $3, now(), '' from payment_settings`,
      [agent.id, name, encrypt(name)],
    )
  await run(
    `insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at, sealed_key)
     values (gen_random_uuid(), $1, 'partnerPaper', 'application/pdf', 0, 0, 1, $2, now(), $3)`,
    [agent.id, agent.accountId, newFileKey(office.app.services.secrets)],
  )
  await run(`insert into payment_sign_keys values ($1, $2, now(), '')`, [agent.id, encrypt('sign')])
})
after(async () => {
  await client.end()
  await office.stop()
})

async function kept(): Promise<Buffer[]> {
  const all: Buffer[] = []
  for (const { table, column } of SEALED) {
    const { getTableName } = await import('drizzle-orm')
    const { rows } = await office.owner.query<{ sealed: Buffer }>(
      `select ${column} as sealed from ${getTableName(table)} where ${column} is not null`,
    )
    all.push(...rows.map(({ sealed }) => sealed))
  }
  return all
}
const plain = async (secrets: ReturnType<typeof makeSecrets>) =>
  (await kept()).map(sealed => secrets.decrypt(sealed)).sort()

test('what is killed between two batches goes on, and in the end everything has the new key and its old content', async () => {
  const expected = await plain(office.app.services.secrets)
  assert.equal(expected.length, 12)
  const fresh = makeSecrets(TEST_SECRET, `${KEY_2},1`)
  let batches = 0
  const dying = new pg.Client({ connectionString: office.ownerUrl })
  await dying.connect()
  await assert.rejects(
    rotateKeys(dying, fresh, {
      batch: 2,
      onBatch() {
        if (++batches === 2) throw new Error('killed')
      },
    }),
    /killed/,
  )
  await dying.end()
  const ids = new Set((await kept()).map(sealed => sealed[0]))
  assert.deepEqual([...ids].sort(), [1, 2])
  assert.deepEqual(await plain(fresh), expected)
  const { figures, sound, line } = await rotateKeys(client, fresh, { batch: 2 })
  assert.ok(sound)
  assert.equal(line, `key=2 encrypted=${figures.encrypted} read=12 unreadable=0 left=0`)
  assert.ok(figures.encrypted > 0 && figures.encrypted < 12)
  assert.deepEqual([...new Set((await kept()).map(sealed => sealed[0]))], [2])
  assert.deepEqual(await plain(fresh), expected)
  assert.equal((await rotateKeys(client, fresh)).figures.encrypted, 0)
  await assert.rejects(plain(makeSecrets(TEST_SECRET)), /unknown key id 2/)
})

test('a key that is gone is said, and nothing is lost by it', async () => {
  const before = await kept()
  const { sound, figures } = await rotateKeys(client, makeSecrets(TEST_SECRET, KEY_3))
  assert.deepEqual([sound, figures.unreadable, figures.encrypted], [false, 12, 0])
  assert.deepEqual(await kept(), before)
  const both = makeSecrets(TEST_SECRET, `${KEY_3},${KEY_2}`)
  assert.ok((await rotateKeys(client, both)).sound)
})

test('digests and the password of the database role do not change with the keys of fields', () => {
  const [before, now] = [makeSecrets(TEST_SECRET), makeSecrets(TEST_SECRET, `${KEY_2},1`)]
  assert.deepEqual(now.digest('13800138000'), before.digest('13800138000'))
  assert.equal(now.databasePassword, before.databasePassword)
})

for (const [given, words] of [
  ['2:short', /must be keys such as/],
  ['300:'.concat('ab'.repeat(32)), /must be keys such as/],
  [`1:${'ab'.repeat(32)}`, /must be keys such as/],
  [`${KEY_2},${KEY_2}`, /names a key twice/],
] as const)
  test(`FIELD_KEYS ${given.slice(0, 8)} is refused without telling the key`, () =>
    assert.throws(
      () => makeSecrets(TEST_SECRET, given),
      (error: Error) => words.test(error.message) && !error.message.includes('abab'),
    ))
