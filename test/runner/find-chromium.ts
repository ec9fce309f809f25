// The Chromium that the browser tests use: one of this machine, or on Debian, as root, one installed for them.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The one without windows first: it takes a fifth less of the processors. */
const BROWSERS = [
  'chromium-headless-shell',
  'chromium',
  'google-chrome',
  'google-chrome-stable',
  'chromium-browser',
]
/** Older systems know only the second. */
const PACKAGES = ['chromium-headless-shell', 'chromium']
const FONTS = 'fonts-noto-cjk'

function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (!isProgram(given)) throw new Error(`CHROMIUM_PATH names ${given}, which is no program.`)
    return given
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = ['/usr/bin', ...folders].flatMap(folder => BROWSERS.map(name => join(folder, name)))
  return candidates.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/** A Chromium of this machine; on Debian, as root, it is installed with a font that has the page's characters. */
export function needBrowser(): string {
  const found = findBrowser()
  if (found) return found
  const advice = `The browser tests need Chromium. Install it (Debian: apt-get install ${PACKAGES[0]} ${FONTS}), or set CHROMIUM_PATH.`
  if (!existsSync('/etc/debian_version') || process.geteuid?.() !== 0) throw new Error(advice)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', ...args], { env, stdio: 'inherit' }).status === 0
  process.stdout.write(`Installing ${PACKAGES.join(' or ')}, and ${FONTS}\n`)
  const isInstalled =
    apt('update') && PACKAGES.some(name => apt('install', '-y', '--no-install-recommends', name, FONTS))
  if (!isInstalled) throw new Error(`apt-get failed. ${advice}`)
  const installed = findBrowser()
  if (!installed) throw new Error(advice)
  return installed
}
