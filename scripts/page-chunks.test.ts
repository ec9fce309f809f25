import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageChunks, refuseCircles } from './page-chunks.ts'

const MODULES: Record<string, { needs?: string[]; later?: string[]; code?: string }> = {
  'features/shops/versions/rules.ts': { code: 'export const LIMITS = { name: 40 } as const\n' },
  'features/office/access/rules.ts': {
    code: `export const ACCESS_EVENT = 'access'\nexport const ROWS_MOST = 1_000\nexport const TABLE = {}\n`,
  },
  'app/web.tsx': { needs: ['ready'], later: ['app/login.tsx', 'app/public.tsx', 'app/signed-in.tsx'] },
  'app/login.tsx': { needs: ['LoginPage', 'Button'] },
  'app/public.tsx': { later: ['CashierPage.tsx'] },
  'CashierPage.tsx': { needs: ['Button', 'contract'] },
  'app/signed-in.tsx': {
    needs: [
      'Button',
      'contract',
      'Shell',
      'features/shops/versions/rules.ts',
      'features/office/access/rules.ts',
    ],
    code: `import { LIMITS } from '#features/shops/versions/rules.ts'
import { ACCESS_EVENT, ROWS_MOST } from "#features/office/access/rules.ts"`,
    later: [
      'app/late.tsx',
      'features/office/factors/Enrolment.tsx',
      ...Array.from({ length: 12 }, (_, at) => `${at}Page.tsx`),
    ],
  },
  'app/late.tsx': { needs: ['FactorForm', 'Socket'] },
  'features/office/factors/Enrolment.tsx': { needs: ['FactorForm'] },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `${at}Page.tsx`,
      {
        needs: [
          'Shell',
          'web/list/List.tsx',
          'Picker',
          ...(at < 10
            ? [
                'Rare',
                'features/shops/merchants/Cells.tsx',
                'features/office/agents/Cells.tsx',
                'features/print/labels/Cells.tsx',
              ]
            : []),
          ...(at < 3 ? ['features/shops/versions/Cells.tsx'] : []),
          ...(at === 0 ? ['features/shops/versions/Facts.tsx'] : []),
        ],
        later: at < 2 ? [`${at}Dialog.tsx`] : [],
      },
    ]),
  ),
  '0Dialog.tsx': { needs: ['features/shops/merchants/Steps.tsx', 'features/shops/versions/Facts.tsx'] },
  '1Dialog.tsx': { needs: ['features/shops/merchants/Steps.tsx'] },
  Picker: { needs: ['node_modules/antd/es/select'] },
  'node_modules/antd/es/select': { needs: ['node_modules/dayjs/index.js'] },
}

function chunkOf(id: string): string | null {
  const graph = {
    getModuleInfo: (whole: string) => {
      const { needs = [], later = [], code = '' } = MODULES[whole.slice(1)] ?? {}
      const rooted = (ids: string[]) => ids.map(one => `/${one}`)
      return { code, importedIds: rooted(needs), dynamicallyImportedIds: rooted(later) }
    },
  }
  const groups = pageChunks('/').sort((a, b) => b.priority - a.priority)
  return groups.map(group => group.name(`/${id}`, graph)).find(name => name !== null) ?? null
}

for (const [id, chunk, why] of [
  ['ready', 'base', 'is needed by whoever opens any address'],
  ['Button', 'base', 'is needed by the login page and others'],
  ['LoginPage', null, 'is needed by the login page alone'],
  ['app/web.tsx', null, 'waits for files that import the base'],
  ['contract', 'core', 'is needed with and without an account'],
  ['Shell', 'frame', 'is needed before any page is drawn'],
  ['FactorForm', 'form', 'is fetched behind every page, and needed by others'],
  ['Socket', null, 'is fetched behind every page, with what alone fetches it'],
  [
    'features/shops/versions/rules.ts',
    'frame',
    'gives what stands before any page more than words and numbers',
  ],
  [
    'features/office/access/rules.ts',
    null,
    'gives nothing but words and numbers, which are written where they are needed',
  ],
  ['web/list/List.tsx', 'list', 'is what lists are made of'],
  ['Rare', null, 'is needed by few pages'],
  ['features/shops/merchants/Cells.tsx', 'shops', 'is what many pages need of a district'],
  ['features/office/agents/Cells.tsx', 'shops', 'is needed by many pages, most of which need the shops’ too'],
  ['features/shops/versions/Cells.tsx', 'versions', 'is what few pages need of a feature'],
  [
    'features/shops/versions/Facts.tsx',
    'versions-dialogs',
    'is what one page and what opens over it need of a feature',
  ],
  ['features/shops/merchants/Steps.tsx', 'merchants-dialogs', 'is what dialogs alone need of a feature'],
  ['features/print/labels/Cells.tsx', null, 'is needed by pages that print'],
  ['node_modules/dayjs/index.js', null, 'is needed by the component library alone, on few pages'],
  ['Picker', null, 'brings the component library'],
  ['0Page.tsx', null, 'is a page'],
  ['node_modules/react-dom/client.js', 'core', 'is what React draws with'],
] as const)
  test(`${id} ${why}: ${chunk ?? 'a file of its own'}`, () => {
    assert.equal(chunkOf(id), chunk)
  })

test('files that import each other are refused by their names', () => {
  const files = (imports: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(imports).map(([file, of]) => [file, { type: 'chunk', imports: of }]))
  const check = (bundle: object) => {
    const { generateBundle } = refuseCircles() as unknown as {
      generateBundle: (options: object, bundle: object) => void
    }
    const error = (text: string) => {
      throw new Error(text)
    }
    generateBundle.call({ error }, {}, bundle)
  }
  check(files({ page: ['list', 'core'], list: ['core'], core: [] }))
  assert.throws(
    () => check(files({ page: ['list'], list: ['core'], core: ['list'] })),
    /page > list > core > list/,
  )
})
