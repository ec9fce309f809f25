import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { PUBLIC_PAGES } from './app/route-pages.ts'
import type { OpMeta } from './kit/declare/op.ts'
import { featureIn } from './kit/feature-name.ts'
import { installable } from './scripts/installable.ts'
import { PURE, pageChunks, refuseCircles } from './scripts/page-chunks.ts'
import { themeCss } from './web/theme/theme.ts'

const ROOT = fileURLToPath(new URL('./', import.meta.url))

/** Each feature's contract is called as the feature. The server that carries them out stays out of the build. */
const CONTRACTS = new Map(
  globSync('features/**/contract.ts', { cwd: ROOT }).map(file => [featureIn(dirname(file)), file]),
)

const ROUTES = 'virtual:routes/'
/** Of the file of a contract: the module of its routes alone, which so belongs to the feature. */
const ROUTES_OF = '?routes'

/** Where the page sends each operation of a feature comes along with the code that asks it. */
function routesWithCallers(): Plugin {
  return {
    name: 'routes-with-callers',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^virtual:routes\// },
      handler(id) {
        const file = CONTRACTS.get(id.slice(ROUTES.length))
        if (!file) throw new Error(`${id}: no feature has this name`)
        return ROOT + file + ROUTES_OF
      },
    },
    load: {
      filter: { id: /\/contract\.ts\?routes$/ },
      async handler(id) {
        const file = id.slice(0, -ROUTES_OF.length)
        const contract = (await import(file))[featureIn(dirname(relative(ROOT, file)))]
        return `export const routes = ${JSON.stringify(routesOf(contract))}`
      },
    },
    transform: {
      filter: { id: { include: /\.tsx?$/, exclude: /\.test\.tsx?$/ }, code: /\bapi[<(]/ },
      handler(code, id) {
        const asked = new Set<string>()
        const calls = code.replaceAll(/\bapi<typeof (\w+)>\('\1'\)/g, (_call, feature: string) => {
          asked.add(feature)
          return `api('${feature}', ${feature}$routes)`
        })
        if (/\bapi(?:<[^(]+>)?\('\w+'\)/.test(calls)) throw new Error(`${id}: a call of api() without routes`)
        if (asked.size === 0) return null
        const imports = [...asked].map(
          feature => `;import { routes as ${feature}$routes } from '${ROUTES}${feature}'`,
        )
        // Behind what was there, so that no line of it moves.
        return { code: [calls, ...imports].join('\n'), map: null }
      },
    },
  }
}

function publicPrefixes(): string {
  return `export const PUBLIC_PREFIXES = ${JSON.stringify(PUBLIC_PAGES.map(({ prefix }) => prefix))}`
}

/** Modules that are made at build time: what pages without an account are, and the theme as a style sheet. */
function madeModules(): Plugin {
  const made: Record<string, () => string | Promise<string>> = {
    'virtual:public': publicPrefixes,
    'virtual:theme.css': themeCss,
  }
  return {
    name: 'made-modules',
    resolveId: id => (id in made ? `\0${id}` : undefined),
    load: id => made[id.slice(1)]?.(),
  }
}

/** Where each operation is sent ('GET /merchants/{id}'), and what it makes stale. Its schemas, permission and log title are the server's. */
function routesOf(contract: AnyContractRouter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(contract).flatMap(([name, procedure]) => {
      if (!isContractProcedure(procedure)) throw new Error(`${name} is no operation`)
      const { method, path } = procedure['~orpc'].route
      const { stale = [] } = procedure['~orpc'].meta as OpMeta
      return [[name, [method, path, ...stale].join(' ')]]
    }),
  )
}

/** The names of classes stand where they are used, instead of in a table beside the code; their styles stay all the same. */
function inlineClassNames(): Plugin[] {
  return [
    {
      name: 'inline-class-names',
      enforce: 'pre',
      transform: {
        filter: { id: /\.tsx?$/ },
        handler: code =>
          code.replaceAll(/^import (\w+) from ('[^']+\.module\.css')/gm, 'import * as $1 from $2'),
      },
    },
    {
      name: 'keep-styles',
      enforce: 'post',
      transform: {
        filter: { id: /\.module\.css$/ },
        handler: code => ({ code, moduleSideEffects: 'no-treeshake' }),
      },
    },
  ]
}

/** In development the first script is a module; in the built page app/page.ts puts it before everything else. */
function bootInDevelopment(): Plugin {
  return {
    name: 'boot-in-development',
    apply: 'serve',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/app/web-boot.ts' }, injectTo: 'head' },
    ],
  }
}

const shortNames = new Map<string, string>()

/** A short class name that changes only with its file's path or its own name. */
function shortName(name: string, file: string): string {
  const whole = `${relative(ROOT, file.split('?', 1)[0] as string)} ${name}`
  const short = `_${createHash('sha256').update(whole).digest('base64url').slice(0, 4)}`
  const other = shortNames.get(short) ?? whole
  if (other !== whole) throw new Error(`${whole} and ${other} have the same short name; rename one of them`)
  shortNames.set(short, whole)
  return short
}

export default defineConfig({
  root: ROOT,
  css: { modules: { generateScopedName: shortName } },
  publicDir: false,
  plugins: [
    routesWithCallers(),
    react(),
    madeModules(),
    inlineClassNames(),
    bootInDevelopment(),
    installable(),
    refuseCircles(),
  ],
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:3000',
      '/pos': 'http://127.0.0.1:3000',
      '/realtime': { target: 'http://127.0.0.1:3000', ws: true },
    },
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      optimization: { inlineConst: true },
      treeshake: { moduleSideEffects: [{ test: PURE, sideEffects: false }] },
      input: { page: 'index.html', boot: 'app/web-boot.ts', sw: 'app/web-worker.ts' },
      onwarn(warning, warn) {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
      output: {
        // At the root, since what it answers for begins where it lies.
        entryFileNames: chunk => (chunk.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          // Few files instead of dozens of crumbs; what only a dialog or a filter needs stays apart.
          groups: pageChunks(ROOT),
          // Else a feature would be given what it needs of others, and these would fetch all of it.
          includeDependenciesRecursively: false,
        },
      },
    },
  },
})
