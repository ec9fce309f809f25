// npm test: verify, then every test of the project on one private database server, in a real Chromium. Ends with the figures.
import { parseArgs } from 'node:util'
import { momentOf } from '#test/runner/day.ts'
import { needBrowser } from '#test/runner/find-chromium.ts'
import { sayFigures } from '#test/runner/run-files.ts'
import { runSuite, stopSuite } from '#test/runner/suite.ts'
import { isBrowserTest, testFiles } from '#test/runner/test-files.ts'
import { verify } from './verify.ts'

/** `--on` a day other files than the browser's begin at that moment; with `--browser` the browser's alone, in the `--zone` given. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { on: { type: 'string' }, browser: { type: 'boolean' }, zone: { type: 'string' } },
  })
  const { on, zone, browser = false } = values
  if (on) momentOf(on)
  const isPart = on !== undefined || browser
  const files = testFiles().filter(file => !isPart || isBrowserTest(file) === browser)
  if (files.some(isBrowserTest)) needBrowser()
  return (await verify()) && sayFigures(await runSuite(files, { ...(on && { on }), ...(zone && { zone }) }))
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
