// operate/office.env.example names every setting there is, and no other; what it says is read without complaint.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { parseEnv } from 'node:util'
import { ROOT } from '#scripts/checks.ts'
import { readEnv, SETTING_NAMES } from '#server/env.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const EXAMPLE = read('operate/office.env.example')
/** Said or only shown. */
const LINE = /^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/gm
const named = [...EXAMPLE.matchAll(LINE)].map(([, name = '']) => name)

/** Where settings of outside services are read, and what stands before the names there. */
const ROOMS: readonly (readonly [path: string, prefix: string])[] = [
  ['providers/wechat-pay/room.ts', 'WECHAT_PAY_'],
  ['providers/alipay/room.ts', 'ALIPAY_'],
  ['providers/tianque/client.ts', 'TIANQUE_'],
  ['providers/wechat-open/client.ts', 'WECHAT_OPEN_'],
  ['app/providers.ts', ''],
  ['app/providers-signatures.ts', ''],
]
const READ = /(?:\b(?:need|may|urlOf|needed)\((?:outside, )?'|\boutside\.)([A-Z][A-Z0-9_]+)/g
/** The machine's, and none of the office. */
const NOT_OURS = ['PATH']

function readOutside(): Set<string> {
  const found = ROOMS.flatMap(([path, prefix]) =>
    [...read(path).matchAll(READ)].map(([, name]) => `${prefix}${name}`),
  )
  return new Set(found.filter(name => !NOT_OURS.includes(name)))
}

/** A key is shown as the file that holds it. */
const isNamed = (name: string) => named.includes(name) || named.includes(`${name}_FILE`)

test('every setting stands in the example once', () => {
  const known = [...SETTING_NAMES, ...readOutside()]
  assert.deepEqual(
    known.filter(name => !isNamed(name)),
    [],
  )
  assert.deepEqual(
    named.filter((name, at) => named.indexOf(name) !== at),
    [],
  )
  assert.deepEqual(
    named.filter(name => !known.includes(name) && !known.includes(name.replace(/_FILE$/, ''))),
    [],
  )
})

test('the example is read as it stands, and with all that it only shows', () => {
  const env = readEnv(parseEnv(EXAMPLE))
  assert.equal(env.publicUrl, 'https://partners.example.com')
  assert.deepEqual(env.outside, {})
  const whole = readEnv(parseEnv(EXAMPLE.replace(/^# (?=[A-Z][A-Z0-9_]+=)/gm, '')))
  assert.equal(whole.helpLine, '400-000-0000（9:00–18:00）')
  assert.equal(whole.bucket?.style, 'host')
  assert.equal(whole.outside.SMS_SIGNATURE, '伙伴管家')
})

test('docs/OPERATING.md names every setting of the program itself', () => {
  const document = read('docs/OPERATING.md')
  const isTold = (name: string) =>
    document.includes(`\`${name}\``) || document.includes(`\`${name.replace(/^STORAGE_S3(?=_)/, '')}\``)
  assert.deepEqual(
    SETTING_NAMES.filter(name => !isTold(name)),
    [],
  )
})

test('the unit of systemd starts the office, and the bench measures it, as npm run serve does', () => {
  const bootstrap = read('scripts/bootstrap.mjs')
  const unit = read('operate/systemd/partner-office.service')
  const bench = read('bench/child.ts')
  const flags = /const SERVER_FLAGS = \[([^\]]*)\]/.exec(bootstrap)?.[1]?.match(/--[\w=-]+/g) ?? []
  assert.ok(flags.length > 2)
  for (const flag of flags) assert.ok(unit.includes(` ${flag} `), flag)
  for (const flag of flags.slice(1)) assert.ok(bench.includes(`'${flag}'`), flag)
  const environment = [
    ...(/const SERVER_ENV = \{([^}]*)\}/.exec(bootstrap)?.[1] ?? '').matchAll(/(\w+): '(\d+)'/g),
  ]
  assert.ok(environment.length > 2)
  for (const [, name, value] of environment) {
    assert.ok(unit.includes(`${name}=${value}`), name)
    assert.ok(bench.includes(`${name}: '${value}'`), name)
  }
})
