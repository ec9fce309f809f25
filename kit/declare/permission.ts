// What may be permitted: the pages, the actions on them, and the groups of the menu, as one tree.

/** D3 §6: 1 everyone, 888 restricted, 666 operations tools, none hidden. */
export type Marker = '1' | '888' | '666' | 'none'

export type PermissionNode = {
  id: number
  parentId: number | null
  key: string
  name: string
  /** Page path; actions on a page carry the page's path and "#action"; groups carry none. */
  path: string
  marker: Marker
  inMenu: boolean
  /** Place among its siblings. */
  position: number
}

type Row = [
  id: number,
  parentId: number | null,
  position: number,
  key: string,
  name: string,
  path: string,
  marker: Marker,
  /** Pages are and actions are not, where absent. */
  inMenu?: boolean,
]

export function permissionNodes(rows: readonly Row[]): PermissionNode[] {
  return rows.map(([id, parentId, position, key, name, path, marker, inMenu = !path.includes('#')]) => ({
    id,
    parentId,
    key,
    name,
    path,
    marker,
    inMenu,
    position,
  }))
}
