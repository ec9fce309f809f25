// Bundles a program with its packages into one file.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { COMPACT, ON_DISK } from './bundle.ts'

/** Answers how many bytes the file has; both paths are from the root. `names` are known to the program by their values. */
export async function bundleFile(
  root: string,
  entry: string,
  file: string,
  format: 'esm' | 'cjs' = 'esm',
  names: Readonly<Record<string, string>> = {},
): Promise<number> {
  const bundled = await rolldown({
    input: join(root, entry),
    platform: 'node',
    external: ON_DISK,
    transform: {
      define: Object.fromEntries(Object.entries(names).map(([name, value]) => [name, JSON.stringify(value)])),
    },
    checks: { pluginTimings: false },
    onLog(level, log, tell) {
      // Libraries of others warn about their own circles and directives; ours are checked by npm run verify.
      if (level === 'warn' && log.id?.includes('node_modules')) return
      tell(level, log)
    },
  })
  await bundled.write({
    file: join(root, file),
    format,
    codeSplitting: false,
    minify: COMPACT,
  })
  await bundled.close()
  return statSync(join(root, file)).size
}
