// npm run create-operator -- --account 10001 --name 运营 [--mobile 138…]: the first account of a database given by DATABASE_URL.
// The password is read from OPERATOR_PASSWORD, or asked on the terminal without showing it.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { readEnv } from '#server/env.ts'
import { messageForTerminal } from '#server/log.ts'
import { migrateDatabase } from '#server/postgres/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { createOperator, refuseOperator } from './operator.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { account: { type: 'string' }, name: { type: 'string' }, mobile: { type: 'string' } },
  })
  if (!values.account || !values.name)
    throw new Error('Usage: npm run create-operator -- --account 10001 --name NAME [--mobile NUMBER]')
  const env = readEnv(process.env)
  if (!env.databaseUrl || !env.secretKey)
    throw new Error(
      'Set DATABASE_URL and SECRET_KEY: the embedded database has an operator of its own (10001).',
    )
  const operator = {
    account: values.account.trim(),
    name: values.name.trim(),
    mobile: values.mobile?.trim() ?? '',
    password: process.env.OPERATOR_PASSWORD || (await askPassword()),
  }
  const wrong = refuseOperator(operator)
  if (wrong) throw new Error(wrong)
  // All features have some: whoever is refused does not wait for them.
  const { loadReferenceData } = await import('#app/reference.ts')
  await migrateDatabase({
    ownerUrl: env.databaseUrl,
    appPassword: makeSecrets(env.secretKey).databasePassword,
    afterwards: loadReferenceData,
  })
  await createOperator(env.databaseUrl, operator)
  process.stdout.write(`Operator ${operator.account} created; sign in with it and its password.\n`)
}

/** Asks twice on the terminal; what is typed is not shown. */
async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error('Set OPERATOR_PASSWORD: there is no terminal to ask for the password.')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  const ask = async (question: string) => {
    process.stdout.write(question)
    const line = await new Promise<string>(resolve => terminal.question('', resolve))
    process.stdout.write('\n')
    return line
  }
  try {
    const password = await ask('Password: ')
    if ((await ask('Again: ')) !== password) throw new Error('The two are not the same.')
    return password
  } finally {
    terminal.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageForTerminal(error)}\n`)
  process.exitCode = 1
})
