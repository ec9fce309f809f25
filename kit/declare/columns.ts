// How a person arranged the columns of a list: pure, so that page, server and tests agree.

export type ColumnSetting = { key: string; hidden?: boolean; width?: number }

export const COLUMN_WIDTH_MIN = 56
export const COLUMN_WIDTH_MAX = 800

type Arrangeable = { key: string; fixed?: 'start' | 'end'; hidden?: boolean }

/**
 * All columns in the order of the settings. Fixed ones stay where the list puts them; a column that the settings do not know
 * stands behind the one that it follows in the list.
 */
export function orderedColumns<C extends Arrangeable>(
  columns: readonly C[],
  settings: readonly ColumnSetting[],
): C[] {
  const places = new Map(settings.map(({ key }, place) => [key, place]))
  const middle = columns.filter(column => column.fixed === undefined)
  const known = middle
    .filter(({ key }) => places.has(key))
    .sort((a, b) => (places.get(a.key) ?? 0) - (places.get(b.key) ?? 0))
  const ordered = [...known]
  middle.forEach((column, at) => {
    if (places.has(column.key)) return
    const before = middle[at - 1]
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column)
  })
  const fixedAt = (end: 'start' | 'end') => columns.filter(column => column.fixed === end)
  return [...fixedAt('start'), ...ordered, ...fixedAt('end')]
}

/** The columns that are shown, with their widths. One at least stays. */
export function arrangedColumns<C extends Arrangeable & { width?: number }>(
  columns: readonly C[],
  settings: readonly ColumnSetting[],
): C[] {
  const byKey = new Map(settings.map(setting => [setting.key, setting]))
  const ordered = orderedColumns(columns, settings)
  const isHidden = (column: C) => (byKey.get(column.key) ?? column).hidden
  const shown = ordered.filter(column => column.fixed !== undefined || !isHidden(column))
  return (shown.length > 0 ? shown : ordered.slice(0, 1)).map(column => {
    const width = byKey.get(column.key)?.width
    return width === undefined ? column : { ...column, width: clampWidth(width) }
  })
}

/** Settings of all columns as they stand, for a change of one of them. */
export function settingsOf(
  columns: readonly Arrangeable[],
  settings: readonly ColumnSetting[],
): ColumnSetting[] {
  const byKey = new Map(settings.map(setting => [setting.key, setting]))
  return orderedColumns(columns, settings).map(
    ({ key, hidden }) => byKey.get(key) ?? (hidden ? { key, hidden } : { key }),
  )
}

/** Moves the column `key` before the place of `to`, both among those that are not fixed. */
export function movedColumn(settings: readonly ColumnSetting[], key: string, to: string): ColumnSetting[] {
  const from = settings.findIndex(setting => setting.key === key)
  const target = settings.findIndex(setting => setting.key === to)
  if (from < 0 || target < 0) return [...settings]
  const moved = settings.filter(setting => setting.key !== key)
  moved.splice(target, 0, settings[from] as ColumnSetting)
  return moved
}

export function clampWidth(width: number): number {
  return Math.min(Math.max(Math.round(width), COLUMN_WIDTH_MIN), COLUMN_WIDTH_MAX)
}
