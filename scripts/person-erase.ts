// npm run person:erase -- --phone NUMBER [--name NAME] [--id-number NUMBER]: erases what is known of a person who asked for it, and prints what
// became of it. As the page 个人信息删除 does, for whoever runs the machine; the office may run meanwhile.
//   --dry-run              finds, and changes nothing       --also KEY,KEY   rows of the list that are the person's, too
//   --asked YYYY-MM-DD --channel phone|letter|email|visit --reason TEXT      when, how and why the person asked
//   --again                does again what a restored backup has brought back
//   --certificate NUMBER   prints a certificate as it was signed             --check FILE     says whether this office has signed it
// A line for each thing; exits 1 where it could not be done or is not signed, 2 where it was asked for wrongly.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import {
  CHANNELS,
  type Channel,
  LOOK_REFUSALS,
  refuseLook,
} from '#features/overview/person-erasures/rules.ts'
import { kindText, readCertificate } from '#features/overview/person-erasures/server-certificate.ts'
import { eraseAgain, eraseNow, type Told } from '#features/overview/person-erasures/server-command.ts'
import { formatDay } from '#kit/time.ts'
import { SYSTEM_CLOCK } from '#server/clock.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { ownerDatabase, readSettings } from './owner-database.ts'
import { secretKeyOf } from './secret-key.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const { values } = parseArgs({
  options: {
    phone: { type: 'string' },
    name: { type: 'string', default: '' },
    'id-number': { type: 'string', default: '' },
    also: { type: 'string', default: '' },
    asked: { type: 'string' },
    channel: { type: 'string', default: 'letter' },
    reason: { type: 'string', default: '本人要求' },
    certificate: { type: 'string' },
    check: { type: 'string' },
    again: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
})

class Wrong extends Error {}

function check(file: string): void {
  const told = readCertificate(readFileSync(file, 'utf8'), readSettings())
  if (!told) throw new Error(`${file} was not signed by this office.`)
  say(`certificate ${told.number} signed by this office, ${told.finishedAt}`)
  for (const kind of told.kinds) say(kindText(kind))
}

function keysOf(): { phone: string; name: string; idNumber: string } {
  const keys = { phone: values.phone ?? '', name: values.name, idNumber: values['id-number'].toUpperCase() }
  const broken = refuseLook(keys, formatDay(new Date()))
  if (broken) throw new Wrong(LOOK_REFUSALS[broken.code])
  return keys
}

async function work(): Promise<void> {
  if (values.check) return check(values.check)
  const asked = values.again || values.certificate ? null : keysOf()
  if (!Object.hasOwn(CHANNELS, values.channel))
    throw new Wrong(`--channel is one of ${Object.keys(CHANNELS).join(', ')}`)
  const { url, env, close } = await ownerDatabase({ mustExist: true })
  const storage = openStorage(env)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    options: '-c timezone=UTC -c app.scope=all',
  })
  try {
    await client.connect()
    const secrets = makeSecrets(secretKeyOf(env), env.fieldKeys)
    const at = { env, storage, secrets, clock: SYSTEM_CLOCK }
    if (values.certificate) return await print(client, values.certificate)
    const told: Told = asked
      ? await eraseNow(client, at, {
          keys: asked,
          also: values.also.split(',').filter(key => key !== ''),
          askedOn: values.asked ?? formatDay(new Date()),
          channel: values.channel as Channel,
          reason: values.reason,
          isDry: values['dry-run'],
        })
      : await eraseAgain(client, at)
    for (const line of told.lines) say(line)
    process.exitCode = told.isDone ? 0 : 1
  } finally {
    await client.end()
    storage.close()
    await close()
  }
}

async function print(client: pg.Client, number: string): Promise<void> {
  const { rows } = await client.query<{ text: string; signature: string }>(
    `select certificate as text, signature from person_erasures where number = $1 and certificate <> ''`,
    [number],
  )
  if (!rows[0]) throw new Error(`There is no certificate ${number}.`)
  say(JSON.stringify(rows[0]))
}

try {
  await work()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = error instanceof Wrong ? 2 : 1
}
