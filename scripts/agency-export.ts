// npm run agency:export -- --agent NAME_OR_ID --out FILE.zip [--reason TEXT]: everything of one agency as a signed archive, as the page
// 数据移交 makes it. -- --check FILE.zip [--key PUBLIC.pem]: whether an archive is as it was signed. A line of figures; exits 1 where it could not be
// made or is not sound, 2 where it is asked wrongly.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { makeByCommand } from '#app/agency-export.ts'
import { checkArchive } from '#features/overview/agency-exports/server-check.ts'
import { knownKey } from '#server/checkpoints/key.ts'
import { messageForTerminal } from '#server/log.ts'
import { ownerDatabase, readSettings } from './owner-database.ts'
import { secretKeyOf } from './secret-key.ts'

const USAGE = `Usage: npm run agency:export -- --agent NAME_OR_ID --out FILE.zip [--reason TEXT]
       npm run agency:export -- --check FILE.zip [--key PUBLIC.pem]`

/** Asked in a way that is none. */
class Misasked extends Error {}

const OPTIONS = {
  agent: { type: 'string' },
  out: { type: 'string' },
  reason: { type: 'string' },
  check: { type: 'string' },
  key: { type: 'string' },
} as const

/** From where it was called, not from where npm runs it. */
const pathOf = (given: string) => resolve(process.env.INIT_CWD ?? process.cwd(), given)

async function main(): Promise<boolean> {
  const { values } = asked()
  if (values.check) return check(pathOf(values.check), values.key ? pathOf(values.key) : null)
  if (!values.agent || !values.out) throw new Misasked(USAGE)
  await make(values.agent, pathOf(values.out), values.reason ?? '')
  return true
}

function asked() {
  try {
    return parseArgs({ options: OPTIONS })
  } catch (error) {
    throw new Misasked(`${(error as Error).message}\n${USAGE}`)
  }
}

async function make(agent: string, out: string, reason: string): Promise<void> {
  if (existsSync(out)) throw new Misasked(`There is a file ${out} already.`)
  const began = performance.now()
  const { url, env, close } = await ownerDatabase({ mustExist: true })
  const half = `${out}.part`
  try {
    const order = { ownerUrl: url, env, secretKey: secretKeyOf(env), agent, reason }
    const tell = (error: unknown) => void process.stderr.write(`${messageForTerminal(error)}\n`)
    const outer = await makeByCommand(
      order,
      async bytes => {
        // Personal data: for its owner alone.
        await pipeline(bytes, createWriteStream(half, { mode: 0o600, flags: 'wx' }))
        await rename(half, out)
      },
      tell,
    )
    const figures = [
      ...[
        `number=${outer.number}`,
        `agency=${outer.agency.id}`,
        `rows=${outer.rows}`,
        `files=${outer.files}`,
      ],
      ...[`missing=${outer.missing}`, `bytes=${outer.bytes}`, `sha256=${outer.sha256}`],
      `seconds=${((performance.now() - began) / 1_000).toFixed(1)}`,
    ]
    process.stdout.write(`agency export ${figures.join(' ')}\n`)
  } finally {
    await rm(half, { force: true })
    await close()
  }
}

async function check(path: string, keyFile: string | null): Promise<boolean> {
  if (!existsSync(path)) throw new Misasked(`There is no file ${path}.`)
  const { sound, problems, inner, sha256 } = await checkArchive(path, publicKeyOf(keyFile))
  const figures = inner
    ? ` number=${inner.number} agency=${inner.agency.id} rows=${inner.rows} files=${inner.files}`
    : ''
  process.stdout.write(`agency export ${sound ? 'sound' : 'ALTERED'}${figures} sha256=${sha256}\n`)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  return sound
}

function publicKeyOf(keyFile: string | null): KeyObject {
  if (keyFile !== null) {
    if (!existsSync(keyFile)) throw new Misasked(`There is no file ${keyFile}.`)
    return createPublicKey(readFileSync(keyFile))
  }
  const key = knownKey(readSettings())
  if (!key)
    throw new Misasked(
      'There is no key of checkpoints here. Set CHECKPOINT_KEY_FILE, or name the public half with --key.',
    )
  return createPublicKey(key)
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(error instanceof Misasked ? `${error.message}\n` : `${messageForTerminal(error)}\n`)
  process.exitCode = error instanceof Misasked ? 2 : 1
}
