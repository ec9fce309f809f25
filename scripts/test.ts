// npm test: verify, then every test of the project on one private database server, in a real Chromium. Ends with the figures.
import { needBrowser } from '#test/runner/find-chromium.ts'
import { sayFigures } from '#test/runner/run-files.ts'
import { runSuite, stopSuite } from '#test/runner/suite.ts'
import { testFiles } from '#test/runner/test-files.ts'
import { verify } from './verify.ts'

async function main(): Promise<boolean> {
  needBrowser()
  return (await verify()) && sayFigures(await runSuite(testFiles()))
}

let ok = false
try {
  ok = await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
} finally {
  await stopSuite()
}
process.exitCode = ok ? 0 : 1
