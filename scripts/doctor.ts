// npm run doctor: says in words what is wrong with the machine, the settings and what the office needs, before people find out.
// A line for each thing looked at; exits 1 where something fails, 2 where the settings cannot be read.
import { fileURLToPath } from 'node:url'
import {
  checkAddress,
  checkBackups,
  checkDatabase,
  checkDisk,
  checkNode,
  checkServices,
  checkSettingsFile,
  checkStandby,
  checkStorage,
  type Finding,
} from './doctor-checks.ts'
import { ownerDatabase } from './owner-database.ts'
import { secretKeyOf } from './secret-key.ts'

const WITHIN_MS = 5_000
const ENV_FILE = '--env-file='
const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

/** As scripts/bootstrap.mjs hands it to Node. */
const settingsFile = process.execArgv.find(one => one.startsWith(ENV_FILE))?.slice(ENV_FILE.length)

const found: Finding[] = []
function tell(...findings: Finding[]): void {
  for (const one of findings) {
    found.push(one)
    process.stdout.write(`${MARKS[one.level]}  ${one.about}: ${one.words}\n`)
  }
}

async function examine(): Promise<void> {
  tell(checkNode(), ...checkSettingsFile(settingsFile))
  const { url, env, close } = await ownerDatabase({ mustExist: true })
  try {
    tell(...(await checkDatabase(url, env, migrations)))
    if (env.databaseReadUrl) tell(await checkStandby(url, env.databaseReadUrl))
    tell(checkDisk(env.dataDir), await checkStorage(env))
    tell(...(await checkBackups(env, url)))
    tell(...(await checkServices(env, WITHIN_MS)))
    tell(...(await checkAddress(env, secretKeyOf(env), WITHIN_MS)))
  } finally {
    await close()
  }
}

try {
  await examine()
  const count = (level: Finding['level']) => found.filter(one => one.level === level).length
  process.stdout.write(`\nfail=${count('fail')} warn=${count('warn')} ok=${count('ok')}\n`)
  process.exitCode = count('fail') > 0 ? 1 : 0
} catch (error) {
  process.stderr.write(`FAIL  ${(error as Error).message}\n`)
  process.exitCode = 2
}
