// Chromium: started for one office, or kept by a process for all the offices of its files.
import { type Browser, chromium } from 'playwright-core'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let kept: Promise<Browser> | null = null

function launch({ scrollBars = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: scrollBars ? [...ARGS, '--disable-features=OverlayScrollbar'] : ARGS,
    ...(scrollBars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
    // Without a locale that knows Chinese the browser drops the names of downloads.
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  })
}

/** One browser for whatever this process opens from now on, until it is released. */
export async function keepBrowser(): Promise<void> {
  // One that crashed is not given to the next file.
  if (!(await kept)?.isConnected()) kept = launch()
  await kept
}

export async function releaseBrowser(): Promise<void> {
  await (await kept)?.close()
  kept = null
}

/** The kept browser, or one of its own; sessions in it are the caller's to close, as is a browser of its own by `end`. */
export async function openBrowser(): Promise<{ browser: Browser; end(): Promise<void> }> {
  if (kept) return { browser: await kept, end: async () => undefined }
  const browser = await launch()
  return { browser, end: () => browser.close() }
}

/** One that shows scroll bars beside the content, as many systems do; the caller's to close. */
export function openBrowserWithScrollBars(): Promise<Browser> {
  return launch({ scrollBars: true })
}
