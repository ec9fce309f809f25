// Loads programs from their sources quicker: given to Node by `--import`, or imported first, and the program itself by `await import`.
import { enableCompileCache, type ResolveFnOutput, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Its own description is 180 KB, which Node reads again for each of its files and each import of them. */
const LARGE = /\/node_modules\/drizzle-orm\/.*\.js$/
/** Neither a path nor a URL: the same whichever of our files names it. */
const NAME = /^(?!\.|\/|[a-z]+:)/

const found = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL
    if (!parent || !context.conditions.includes('import')) return next(specifier, context)
    if (specifier.startsWith('.') && specifier.endsWith('.js') && LARGE.test(parent))
      return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true }
    if (!NAME.test(specifier) || parent.includes('/node_modules/')) return next(specifier, context)
    const known = found.get(specifier) ?? next(specifier, context)
    found.set(specifier, known)
    return { ...known, shortCircuit: true }
  },
})
enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)))
