// npm test: verify beside every test of the project, on one private database server, in a real Chromium. Ends with the figures.
import { parseArgs } from 'node:util'
import { momentOf } from '#test/runner/day.ts'
import { needBrowser } from '#test/runner/find-chromium.ts'
import { sayFigures } from '#test/runner/run-files.ts'
import { runNamed, runSuite, stopSuite } from '#test/runner/suite.ts'
import { filesNamed, isBrowserTest, keepRoughTimes, testFiles } from '#test/runner/test-files.ts'
import { verify } from './verify.ts'

const HELP = `npm test                            all that a change needs: verify, and every test but what is exhaustive
npm test -- --all                   what is exhaustive too, before an issue is resolved
npm test -- FILE...                 these test files alone, named by their path or a part of it
npm test -- --name PATTERN FILE...  of these files the tests alone whose name fits the pattern
npm test -- --on DAY               all files but the browser’s, each as if it began on the morning of that day in Shanghai, or at "DAY 23:50";
                                    with --browser the browser’s alone, with --zone ZONE in another time zone
More options: --workers N, how many files at a time; --keep-times, writes test/runner/times.json for machines that ran nothing yet.`

type Wishes = {
  all: boolean
  name: string | undefined
  workers: number | undefined
  keepTimes: boolean
  /** Paths or parts of them; none: all files. */
  files: string[]
  /** The browser's files alone. */
  browser: boolean
  on: string | undefined
  zone: string | undefined
}

/** Throws an Error in words where a wish is none. */
function readWishes(args: string[]): Wishes {
  const { values, positionals } = parsed(args)
  const { all = false, name, workers, 'keep-times': keepTimes = false, browser = false, on, zone } = values
  if (on !== undefined) momentOf(on)
  if (workers !== undefined && !/^[1-9]\d?$/.test(workers))
    throw new Error(`--workers is a number from 1 to 99, not "${workers}".`)
  if (name !== undefined && positionals.length === 0)
    throw new Error(`--name goes with the files in which the tests are.\n\n${HELP}`)
  return {
    all,
    name,
    workers: workers === undefined ? undefined : Number(workers),
    keepTimes,
    files: positionals,
    browser,
    on,
    zone,
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        name: { type: 'string' },
        workers: { type: 'string' },
        'keep-times': { type: 'boolean' },
        browser: { type: 'boolean' },
        on: { type: 'string' },
        zone: { type: 'string' },
      },
    })
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\. |\n/)
    throw new Error(`${sentence}.\n\n${HELP}`, { cause: error })
  }
}

async function main(): Promise<boolean> {
  const { all, name, workers, keepTimes, files, browser, on, zone } = readWishes(process.argv.slice(2))
  const options = { all, workers, on, zone }
  if (files.length > 0) {
    const chosen = filesNamed(files, testFiles({ all: true }))
    if (name !== undefined) return runNamed(chosen, name, all)
    return sayFigures(await runSuite(chosen, options))
  }
  const wanted = testFiles({ all }).filter(
    file => (on === undefined && !browser) || isBrowserTest(file) === browser,
  )
  if (wanted.some(isBrowserTest)) needBrowser()
  const [isVerified, results] = await Promise.all([
    verify({ atOnce: 1, failed: () => void stopSuite() }),
    runSuite(wanted, options),
  ])
  if (!isVerified) {
    process.stdout.write('\nThe tests were stopped, since what is said above must be mended first.\n')
    return false
  }
  const ok = sayFigures(results)
  if (keepTimes && ok) keepRoughTimes()
  return ok
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
