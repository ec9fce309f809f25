// Owns the permission tree's markers, what an account may do, and its menu (D1 §2, §6; D3 §6; decisions.md).
// Must never name an agent's id: flags of the agent decide.
import type { PermissionNode } from '#kit/declare/permission.ts'

/** Told to the pages of those whose rights changed, so that they ask anew what they may do. */
export const ACCESS_EVENT = 'AccessChanged'

/** The start page belongs to every role (D3 §6). */
export const HOME_NODE_ID = 27

/** Characters of what a manager of shops is called. */
export const LABEL_MAX = 10

/** Which of the agency's shops an account sees: all, or those whose manager it is. */
export type DataScope = 'all' | 'own'

export type Standing = { isOwner: boolean; isOperator: boolean; isVendorStaff: boolean; hasFullMenu: boolean }

/**
 * Whether an agent can hold this node at all: 888 is for vendor staff, since such nodes decide about other people's money
 * and terms; 666 also for whoever has the unfiltered menu; "none" for the operator alone (D3 §6), since such nodes move the
 * vendor's own money.
 */
export function isAvailable(node: PermissionNode, standing: Standing): boolean {
  if (standing.isOperator) return true
  switch (node.marker) {
    case '1':
      return true
    case '888':
      return standing.isVendorStaff
    case '666':
      return standing.isVendorStaff || standing.hasFullMenu
    case 'none':
      return false
  }
}

/** Keys of what an account may do: an owner all that is available, a sub-user what its role holds of that. */
export function permissionsOf(
  nodes: readonly PermissionNode[],
  standing: Standing,
  roleNodeIds: readonly number[],
): Set<string> {
  const held = new Set([...roleNodeIds, HOME_NODE_ID])
  return new Set(
    nodes
      .filter(node => isAvailable(node, standing) && (standing.isOwner || held.has(node.id)))
      .map(node => node.key),
  )
}

export type MenuEntry = { key: string; name: string; path: string; children: MenuEntry[] }

/**
 * The side menu of D1 §2: entries flagged 888 or 666 only for vendor staff, children of a hidden 888 entry hidden with it,
 * "none" only in the unfiltered menu; of what is left, the pages the account has permission for, and groups that hold one.
 * So the unfiltered menu too shows only what is permitted: it opens groups, never a page.
 */
export function menuOf(
  nodes: readonly PermissionNode[],
  standing: Standing,
  permissions: ReadonlySet<string>,
): MenuEntry[] {
  const unfiltered = standing.isOperator || standing.hasFullMenu
  const shown = nodes.filter(node => {
    if (!node.inMenu) return false
    if (unfiltered) return true
    if (node.marker === 'none') return false
    return node.marker === '1' || standing.isVendorStaff
  })
  const childrenOf = (parentId: number | null): MenuEntry[] =>
    shown
      .filter(node => node.parentId === parentId)
      .sort((a, b) => a.position - b.position)
      .map(node => ({ key: node.key, name: node.name, path: node.path, children: childrenOf(node.id) }))
      .filter(entry => entry.children.length > 0 || (entry.path !== '' && permissions.has(entry.key)))
  return childrenOf(null)
}
