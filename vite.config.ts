import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnyContractRouter, isContractProcedure } from '@orpc/contract'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { PUBLIC_PAGES } from './app/route-pages.ts'
import { listOps } from './kit/declare/op.ts'
import { featureIn } from './kit/feature-name.ts'
import { installable } from './scripts/installable.ts'
import { pageChunks, refuseCircles } from './scripts/page-chunks.ts'
import { themeCss } from './web/theme/theme.ts'

const ROOT_URL = new URL('./', import.meta.url)
const ROOT = fileURLToPath(ROOT_URL)

/** Each feature's contract is called as the feature. The server that carries them out stays out of the build. */
async function readContracts() {
  const files = globSync('features/**/contract.ts', { cwd: ROOT }).sort()
  const contracts = await Promise.all(
    files.map(async file => {
      const name = featureIn(dirname(file))
      return [name, (await import(new URL(file, ROOT_URL).href))[name]] as const
    }),
  )
  return Object.fromEntries(contracts)
}

/** What the login page asks is in its own module, so that it does not wait for the routes of everything else. */
async function contractRoutes(isWanted: (feature: string) => boolean): Promise<string> {
  const wanted = Object.entries(await readContracts()).filter(([feature]) => isWanted(feature))
  const routes = Object.fromEntries(wanted.map(([feature, contract]) => [feature, routesOf(contract)]))
  return `export const contract = ${JSON.stringify(routes)}`
}

/** What each change makes stale, by the operation's dotted name. */
async function staleNames(): Promise<string> {
  const names = listOps(await readContracts()).flatMap(({ name, meta }) =>
    meta.stale ? [[name, meta.stale]] : [],
  )
  return `export const STALE = ${JSON.stringify(Object.fromEntries(names))}`
}

function publicPrefixes(): string {
  return `export const PUBLIC_PREFIXES = ${JSON.stringify(PUBLIC_PAGES.map(({ prefix }) => prefix))}`
}

/** Modules that are made at build time: the contract's routes, what pages without an account are, and the theme as a style sheet. */
function madeModules(): Plugin {
  const made: Record<string, () => string | Promise<string>> = {
    'virtual:contract/login': () => contractRoutes(feature => BEFORE_LOGIN.includes(feature)),
    'virtual:contract': () => contractRoutes(feature => !BEFORE_LOGIN.includes(feature)),
    'virtual:stale': staleNames,
    'virtual:public': publicPrefixes,
    'virtual:theme.css': themeCss,
  }
  return {
    name: 'made-modules',
    resolveId: id => (id in made ? `\0${id}` : undefined),
    load: id => made[id.slice(1)]?.(),
  }
}

/** Where the page sends each operation ('GET /merchants/{id}'). Its schemas, permission and log title are the server's. */
function routesOf(contract: AnyContractRouter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(contract).flatMap(([name, procedure]) => {
      if (!isContractProcedure(procedure)) throw new Error(`${name} is no operation`)
      const { method, path } = procedure['~orpc'].route
      return [[name, `${method} ${path}`]]
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

/** Whose operations the login page calls. */
const BEFORE_LOGIN = ['access', 'captcha', 'signIn']

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
  plugins: [react(), madeModules(), inlineClassNames(), bootInDevelopment(), installable(), refuseCircles()],
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
        },
      },
    },
  },
})
