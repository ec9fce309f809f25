// Whose styles are whose: modules everywhere, each beside what it dresses. Names the remedy.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { brokenImports, forbid, type Import, isOurs, PRODUCT, ROOT } from './sources.ts'

const SHEETS = globSync('{app,features,web}/**/*.css', { cwd: ROOT })
  .sort()
  .map(path => ({ path, text: withoutComments(readFileSync(join(ROOT, path), 'utf8')) }))
const MODULES = SHEETS.filter(({ path }) => path.endsWith('.module.css'))
/** The reset and the defaults of elements. */
const GLOBAL_SHEETS = ['web/theme/base.css']

function withoutComments(css: string): string {
  return css.replaceAll(/\/\*.*?\*\//gs, '')
}

/** The classes in selectors; what is in `:global()` belongs to somebody else. */
function classesOf(css: string): Set<string> {
  const selectors = css.replaceAll(/:global\([^)]*\)/g, '').matchAll(/([^{};]*)\{/g)
  return new Set(
    [...selectors].flatMap(([, selector = '']) =>
      selector.trim().startsWith('@')
        ? []
        : [...selector.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(match => match[1] as string),
    ),
  )
}

test('styles are modules, and no class is global', () => {
  forbid(
    SHEETS.filter(({ path }) => !MODULES.some(one => one.path === path) && !GLOBAL_SHEETS.includes(path)).map(
      ({ path }) => path,
    ),
    'Name it Name.module.css and import its classes: import styles from ...',
  )
  const classes = SHEETS.filter(({ path }) => GLOBAL_SHEETS.includes(path)).flatMap(({ path, text }) =>
    [...classesOf(text)].map(name => `${path} has .${name}`),
  )
  forbid(classes, 'Global are the theme and the defaults of elements; a class belongs to a module.')
  const globals = MODULES.flatMap(({ path, text }) =>
    [...text.matchAll(/:global(?!\(\.ant-[\w-]+\))[^\s,{]*/g)].map(([found]) => `${path} has ${found}`),
  )
  forbid(globals, 'A module may reach into Ant Design alone, by :global(.ant-...) below a class of its own.')
})

/** Each selector of a sheet that does not stand in another's braces. */
function selectorsOf(css: string): string[] {
  const found: string[] = []
  const inside: string[] = []
  for (const [, text = '', brace] of css.matchAll(/([^{};]*)([{};])/g)) {
    if (brace === '}') inside.pop()
    if (brace !== '{') continue
    const head = text.trim()
    // What is nested below a selector is below its class too; a media query and its like are none.
    if (!head.startsWith('@') && inside.every(outer => /^@(media|supports|container|layer)/.test(outer)))
      found.push(...head.split(/,(?![^(]*\))/).map(one => one.trim()))
    inside.push(head)
  }
  return found
}

test('every selector of a module has a class of its own, so that no page’s styles reach another page', () => {
  const ownClass = /\.[a-zA-Z_][\w-]*/
  forbid(
    MODULES.flatMap(({ path, text }) =>
      selectorsOf(text)
        .filter(selector => !ownClass.test(selector.replaceAll(/:(?:global|not)\([^)]*\)/g, '')))
        .map(selector => `${path} has ${selector}`),
    ),
    'Begin it with a class of the module: once its page was opened, its styles hold for every page after it.',
  )
})

test('how wide a page grows is the theme’s measure', () => {
  const narrowest = 560
  forbid(
    MODULES.filter(({ path }) => !path.startsWith('web/')).flatMap(({ path, text }) =>
      [...text.matchAll(/(?<!\()max-(?:width|inline-size):[^;}]*?(\d+)px[^;}]*[;}]/g)]
        .filter(([, pixels]) => Number(pixels) >= narrowest)
        .map(([declaration]) => `${path} has ${declaration}`),
    ),
    'Use one of --width-narrow, --width-form, --width-page and --width-wide of web/theme/theme.ts.',
  )
})

test('nothing is blended with the whole page, which a browser without a graphics card would draw twice for each frame', () => {
  // Of those that blend, what holds each together: a box with `isolation`, no larger than what is blended.
  const held: Readonly<Record<string, string>> = {
    'features/print/print-templates/print-templates.module.css':
      'features/print/print-templates/print-templates.module.css',
    // Behind the login; a public page stands still, and has little else to draw.
    'web/shell/AgentBrand.module.css': 'web/shell/SideMenu.module.css',
  }
  const blending = MODULES.filter(({ path, text }) => {
    const by = MODULES.find(one => one.path === held[path])
    return /mix-blend-mode:|backdrop-filter:/.test(text) && !by?.text.includes('isolation: isolate')
  })
  forbid(
    blending.map(({ path }) => path),
    'Lay a thin colour over it; or blend within a small box with isolation: isolate, and name it here.',
  )
})

test('a room has its own styles', () => {
  const wrong = (path: string, { target }: Import) =>
    target.endsWith('.css') &&
    isOurs(target) &&
    dirname(target) !== dirname(path) &&
    !(path === 'app/web.tsx' && GLOBAL_SHEETS.includes(target))
  forbid(
    brokenImports(PRODUCT, wrong),
    'Use a component of web/ or of the other feature, a look of web/controls/look.ts, or a class of your own.',
  )
})

test('every class that is named is there, and every class is named', () => {
  const wanted = new Map(MODULES.map(({ path }) => [path, new Set<string>()]))
  const missing: string[] = []
  for (const { path, text, imports } of PRODUCT)
    for (const { target, specifier, line } of imports.filter(one => one.target.endsWith('.module.css'))) {
      const sheet = MODULES.find(one => one.path === target)
      const name = text.match(new RegExp(`^import (\\w+) from '${specifier}'`, 'm'))?.[1]
      if (!sheet || !name)
        missing.push(`${path}:${line} imports ${specifier} in another way than by one name`)
      else
        for (const [, used = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) {
          wanted.get(target)?.add(used)
          if (!classesOf(sheet.text).has(used)) missing.push(`${path}: ${target} has no .${used}`)
        }
      // styles[look]: the type of what is between the brackets says which.
      if (sheet && text.includes(`${name}[`))
        for (const one of classesOf(sheet.text)) wanted.get(target)?.add(one)
    }
  forbid(missing, 'Correct the name, or write the class.')
  const unused = MODULES.flatMap(({ path, text }) =>
    [...classesOf(text)]
      .filter(name => !wanted.get(path)?.has(name))
      .map(name => `${path} has .${name}, which nothing uses`),
  )
  forbid(unused, 'Delete it; a class is used as styles.name, written out.')
})
