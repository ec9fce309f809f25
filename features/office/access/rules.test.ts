import assert from 'node:assert/strict'
import test from 'node:test'
import { PERMISSION_NODES } from '#app/joined.ts'
import type { Marker, PermissionNode } from '#kit/declare/permission.ts'
import { HOME_NODE_ID, isAvailable, type MenuEntry, menuOf, permissionsOf, type Standing } from './rules.ts'

const node = (
  id: number,
  parentId: number | null,
  key: string,
  marker: Marker,
  more: Partial<PermissionNode> = {},
): PermissionNode => ({
  id,
  parentId,
  key,
  name: key,
  path: `/${key}`,
  marker,
  inMenu: true,
  position: id,
  ...more,
})

const NODES: PermissionNode[] = [
  node(HOME_NODE_ID, null, 'home', '1', { position: 0 }),
  node(1, null, 'shops', '1', { path: '' }),
  node(11, 1, 'shops.list', '1'),
  node(12, 1, 'shops.staff', '888'),
  node(13, 1, 'shops.hidden', 'none'),
  node(14, 1, 'shops.edit', '1', { inMenu: false, path: '/shops.list#edit' }),
  node(2, null, 'restricted', '888', { path: '' }),
  node(21, 2, 'restricted.open', '1'),
  node(3, null, 'tools', '666', { path: '' }),
  node(31, 3, 'tools.agents', '666'),
  node(4, null, 'empty', '1', { path: '' }),
]

const PARTNER: Standing = { isOwner: true, isOperator: false, isVendorStaff: false, hasFullMenu: false }
const STAFF: Standing = { ...PARTNER, isVendorStaff: true }
const FULL: Standing = { ...PARTNER, hasFullMenu: true }
const OPERATOR: Standing = { isOwner: true, isOperator: true, isVendorStaff: true, hasFullMenu: true }
const SUB_USER: Standing = { ...PARTNER, isOwner: false }

const keysOf = (entries: MenuEntry[]): string[] =>
  entries.flatMap(entry => [entry.key, ...keysOf(entry.children)])
const menu = (standing: Standing, roleNodeIds: number[] = []) =>
  keysOf(menuOf(NODES, standing, permissionsOf(NODES, standing, roleNodeIds)))

test('the menu shows what markers, standing and role allow', () => {
  const all = NODES.map(({ id }) => id)
  for (const [who, standing, role, expected] of [
    ['a partner', PARTNER, [], ['home', 'shops', 'shops.list']],
    [
      'vendor staff',
      STAFF,
      [],
      [
        'home',
        'shops',
        'shops.list',
        'shops.staff',
        'restricted',
        'restricted.open',
        'tools',
        'tools.agents',
      ],
    ],
    [
      'a partner with the unfiltered menu',
      FULL,
      [],
      ['home', 'shops', 'shops.list', 'restricted', 'restricted.open', 'tools', 'tools.agents'],
    ],
    [
      'the operator',
      OPERATOR,
      [],
      [
        'home',
        'shops',
        'shops.list',
        'shops.staff',
        'shops.hidden',
        'restricted',
        'restricted.open',
        'tools',
        'tools.agents',
      ],
    ],
    ['a sub-user without a role', SUB_USER, [], ['home']],
    ['a sub-user with one page', SUB_USER, [11], ['home', 'shops', 'shops.list']],
    ['a sub-user with a group alone', SUB_USER, [1], ['home']],
    ['a sub-user with an action alone', SUB_USER, [14], ['home']],
    ['a sub-user of a partner with every node', SUB_USER, all, ['home', 'shops', 'shops.list']],
    [
      'a sub-user of vendor staff',
      { ...SUB_USER, isVendorStaff: true },
      [31],
      ['home', 'tools', 'tools.agents'],
    ],
    ['a page of a hidden 888 group', SUB_USER, [21], ['home']],
  ] as const)
    assert.deepEqual(menu(standing, [...role]), expected, who)
})

test('who can hold a node of which marker', () => {
  for (const [marker, partner, staff, full, operator] of [
    ['1', true, true, true, true],
    ['888', false, true, false, true],
    ['666', false, true, true, true],
    ['none', false, false, false, true],
  ] as const)
    for (const [standing, expected] of [
      [PARTNER, partner],
      [STAFF, staff],
      [FULL, full],
      [OPERATOR, operator],
    ] as const)
      assert.equal(
        isAvailable(node(1, null, 'x', marker), standing),
        expected,
        `${marker} ${JSON.stringify(standing)}`,
      )
})

test('only the operator may credit an agent, whatever else an agent is', () => {
  const may = (standing: Standing) =>
    permissionsOf(
      PERMISSION_NODES,
      standing,
      PERMISSION_NODES.map(({ id }) => id),
    ).has('ledger.credit')
  assert.deepEqual([PARTNER, STAFF, FULL, SUB_USER, OPERATOR].map(may), [false, false, false, false, true])
})

test('nobody but vendor staff and the operator decides about the money and terms of others', () => {
  const own = PERMISSION_NODES.map(({ id }) => id)
  for (const key of [
    'settlement.approve',
    'hardware.ship',
    'hardware.manage',
    'aftersales.cancel',
    'aftersales.chain',
    'aftersales.adjust',
    'aftersales.extend',
  ])
    assert.deepEqual(
      [PARTNER, FULL, SUB_USER, STAFF, OPERATOR].map(standing =>
        permissionsOf(PERMISSION_NODES, standing, own).has(key),
      ),
      [false, false, false, true, true],
      key,
    )
})

test('a sub-user holds nothing that its role does not name but the start page', () => {
  assert.deepEqual([...permissionsOf(NODES, SUB_USER, [])], ['home'])
  assert.deepEqual([...permissionsOf(NODES, SUB_USER, [14, 12])].sort(), ['home', 'shops.edit'])
})

test('the tree of a fresh database is whole: parents exist, keys and paths are single, actions are not in the menu', () => {
  const ids = new Set(PERMISSION_NODES.map(({ id }) => id))
  assert.equal(ids.size, PERMISSION_NODES.length)
  assert.equal(new Set(PERMISSION_NODES.map(({ key }) => key)).size, PERMISSION_NODES.length)
  const paths = PERMISSION_NODES.map(({ path }) => path).filter(path => path !== '')
  assert.equal(new Set(paths).size, paths.length)
  for (const { parentId, path, inMenu, key } of PERMISSION_NODES) {
    assert.ok(parentId === null || ids.has(parentId), key)
    assert.ok(!path.includes('#') || !inMenu, `${key} is an action in the menu`)
  }
  assert.ok(ids.has(HOME_NODE_ID))
})
