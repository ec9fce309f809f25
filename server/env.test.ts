import assert from 'node:assert/strict'
import test from 'node:test'
import { readEnv } from './env.ts'

const DATABASE = { DATABASE_URL: 'postgres://owner@db/office', SECRET_KEY: 'ab'.repeat(32) }

test('without any setting the office runs its own database on loopback with demo data', () => {
  const env = readEnv({})
  assert.deepEqual(
    [env.port, env.host, env.dataDir, env.demo, env.databaseUrl],
    [3000, '127.0.0.1', './data', true, undefined],
  )
  assert.deepEqual([env.sessionIdleMinutes, env.sessionMaxDays, env.loginFailuresMax], [480, 7, 10])
})

test('with a database of its own there is no demo data, and it may listen anywhere', () => {
  const env = readEnv({
    ...DATABASE,
    ...{ HOST: '0.0.0.0', PORT: '8080', PUBLIC_URL: 'https://office.example', TRUST_PROXY: '1' },
  })
  assert.deepEqual(
    [env.demo, env.host, env.port, env.publicUrl],
    [false, '0.0.0.0', 8080, 'https://office.example'],
  )
})

test('an empty value is no value', () => {
  assert.equal(readEnv({ PORT: '', DATABASE_URL: '', HOST: '' }).port, 3000)
})

test('a wrong value is refused in words that name the variable', () => {
  for (const [name, value, words] of [
    ['PORT', 'abc', 'is not a whole number'],
    ['PORT', '-1', 'is not a whole number'],
    ['PORT', '70000', 'is above 65535'],
    ['HOST', '0.0.0.0', 'demo data is served on loopback only'],
    ['HOST', '192.168.1.5', 'demo data is served on loopback only'],
    ['HOST', '127.0.0.1.example', 'demo data is served on loopback only'],
    ['DATABASE_URL', 'mysql://db', 'must start with postgres://'],
    ['SECRET_KEY', 'short', 'must be 64 hexadecimal digits'],
    ['BACKUP_FOLDER', 'backups', 'must be a whole path'],
    ['BACKUP_KEEP', '0', 'is below 1'],
    ['BACKUP_S3_STYLE', 'any', 'must be path or host'],
    ['SECRET_KEY', 'G'.repeat(64), 'must be 64 hexadecimal digits'],
    ['SHOP_LOGIN_URL', 'pos.example', 'must start with http:// or https://'],
    ['PUBLIC_URL', 'office', 'must start with http:// or https://'],
    ['PUBLIC_URL', 'ftp://office.example', 'must start with http:// or https://'],
    ['PUBLIC_URL', 'https://office.example/path', 'without a path'],
    ['TRUST_PROXY', 'true', 'is not a whole number'],
    ['TRUST_PROXY', '11', 'is above 10'],
    ['MONITORS_FROM', '10.0.0.0/8, here', 'must be addresses or networks'],
    ['MONITORS_FROM', '0.0.0.0/0', 'must be addresses or networks'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error'],
    ['POOL_SIZE', '1', 'is below 2'],
    ['QUERY_TIMEOUT_MS', '99', 'is below 100'],
    ['SESSION_IDLE_MINUTES', '0', 'is below 1'],
    ['SESSION_MAX_DAYS', '365', 'is above 90'],
    ['LOGIN_FAILURES_MAX', '2', 'is below 3'],
    ['LOGIN_FAILURES_MAX', '1.5', 'is not a whole number'],
  ] as const)
    assert.throws(
      () => readEnv({ [name]: value }),
      (error: Error) => {
        assert.ok(error.message.startsWith('Settings are wrong. '), error.message)
        assert.ok(error.message.includes(`${name}: `) && error.message.includes(words), error.message)
        return true
      },
      `${name}=${value}`,
    )
})

test('every wrong value is named at once', () => {
  assert.throws(() => readEnv({ PORT: 'x', POOL_SIZE: 'y' }), /PORT: .*; POOL_SIZE: /)
})

const BACKUP = { BACKUP_FOLDER: '/var/backups/office', BACKUP_KEY: 'cd'.repeat(32) }

test('backups have a place apart from the files, and a key', () => {
  assert.equal(readEnv({}).backup, null)
  const { backup } = readEnv(BACKUP)
  assert.deepEqual([backup?.home, backup?.keep], [{ bucket: null, dataDir: '/var/backups/office' }, 7])
  const refused = (settings: Record<string, string>, words: RegExp) =>
    assert.throws(() => readEnv(settings), words)
  refused({ BACKUP_FOLDER: BACKUP.BACKUP_FOLDER }, /BACKUP_KEY: is required to make or read backups/)
  refused({ BACKUP_KEY: BACKUP.BACKUP_KEY }, /BACKUP_KEY: backups have no place/)
  for (const DATA_DIR of ['/var/backups', '/var/backups/office', '/var/backups/office/data'])
    refused({ ...BACKUP, DATA_DIR }, /BACKUP_FOLDER: must lie apart from DATA_DIR/)
  assert.ok(readEnv({ ...BACKUP, DATA_DIR: '/var/backups/other' }).backup)
})

const bucketAt = (prefix: string, name: string) => ({
  [`${prefix}_ENDPOINT`]: 'https://s3.example.com',
  [`${prefix}_BUCKET`]: name,
  [`${prefix}_ACCESS_KEY_ID`]: 'id',
  [`${prefix}_SECRET_ACCESS_KEY`]: 'key',
})

test('backups in a bucket have one of their own', () => {
  const { BACKUP_KEY } = BACKUP
  const given = { ...bucketAt('STORAGE_S3', 'files'), ...bucketAt('BACKUP_S3', 'backups'), ...BACKUP }
  const { bucket, backup } = readEnv(given)
  assert.deepEqual([bucket?.name, backup?.home.bucket?.name], ['files', 'backups'])
  const same = { ...bucketAt('STORAGE_S3', 'files'), ...bucketAt('BACKUP_S3', 'files'), BACKUP_KEY }
  assert.throws(() => readEnv(same), /BACKUP_S3_BUCKET: must be another bucket than that of the files/)
  const half = { BACKUP_S3_BUCKET: 'backups', BACKUP_KEY }
  assert.throws(() => readEnv(half), /BACKUP_S3_ENDPOINT: is required to keep backups in a bucket/)
})

test('a database of its own needs a secret key', () => {
  assert.throws(
    () => readEnv({ DATABASE_URL: DATABASE.DATABASE_URL }),
    /SECRET_KEY: is required with DATABASE_URL/,
  )
})

test('a database of its own and a host that others reach need the address that people use', () => {
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7'])
    assert.throws(() => readEnv({ ...DATABASE, HOST }), /PUBLIC_URL: is required where HOST is not loopback/)
  for (const HOST of ['127.0.0.1', 'localhost', '::1'])
    assert.equal(readEnv({ ...DATABASE, HOST }).publicUrl, undefined)
})

test('several processes share the connections, and have neither demo nor simulated services', () => {
  const env = readEnv({ ...DATABASE, PROCESSES: '3' })
  assert.deepEqual([env.processes, env.poolSize, readEnv({}).processes], [3, 6, 1])
  assert.throws(() => readEnv({ PROCESSES: '2' }), /PROCESSES: needs DATABASE_URL/)
  assert.throws(
    () => readEnv({ ...DATABASE, PROCESSES: '2', SIMULATORS: 'on' }),
    /PROCESSES: needs SIMULATORS=off/,
  )
  assert.throws(
    () => readEnv({ ...DATABASE, PROCESSES: '6' }),
    /POOL_SIZE: must be at least 24 for 6 processes/,
  )
})

test('who watches comes from this machine, unless networks are named', () => {
  assert.deepEqual(readEnv({}).monitorsFrom, ['127.0.0.0/8', '::1'])
  assert.deepEqual(readEnv({ MONITORS_FROM: '10.0.0.0/8, 2001:db8::7' }).monitorsFrom, [
    '10.0.0.0/8',
    '2001:db8::7',
  ])
})

test('an office with an https address does not start without its proxy', () => {
  const settings = { ...DATABASE, PUBLIC_URL: 'https://office.example' }
  assert.throws(() => readEnv(settings), /TRUST_PROXY: is 0, yet https is spoken by a proxy/)
  assert.equal(readEnv({ ...settings, TRUST_PROXY: '1' }).trustProxy, 1)
  assert.equal(readEnv({ ...settings, PUBLIC_URL: 'http://office.example' }).trustProxy, 0)
})

test('TRUST_PROXY counts the proxies in front, none unless told', () => {
  assert.equal(readEnv({}).trustProxy, 0)
  assert.equal(readEnv({ TRUST_PROXY: '2' }).trustProxy, 2)
})
